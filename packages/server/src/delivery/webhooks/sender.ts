/** Sends requests to one endpoint, each within its time, over connections that stay open between them. */
import { defined, type Webhook } from '@holdpoint/protocol';
import type { Agent, Dispatcher } from 'undici';
import { timestamp } from '../../domain/state.ts';
import type { Attempted } from '../../domain/webhooks/delivery.ts';
import { readRetryAfter } from '../../domain/webhooks/retry.ts';
import type { Clock } from '../../operations/context.ts';
import { type Addresses, privateAddressCode } from './addresses.ts';
import { headersOf, type Signer, type WebhookMessage } from './message.ts';

/** Bytes of a response that are read to keep the connection open. The body is not used. */
const bodyBytes = 8_192;

export interface SenderOptions {
  /** Org that owns the webhook. */
  orgId: string;
  addresses: Addresses;
  clock: Clock;
  userAgent: string;
}

/** The address of an endpoint, and how messages to it are signed. */
export type Endpoint = Signer & { record: Pick<Webhook, 'url' | 'timeoutMs' | 'concurrency'> };

export class Sender {
  readonly #options: SenderOptions;
  #agent: { connections: number; opened: Promise<Agent> } | undefined;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** Never rejects. An aborted attempt is reported as failed; the caller knows that it was aborted. */
  async send(stored: Endpoint, message: WebhookMessage, signal?: AbortSignal): Promise<Attempted> {
    const startedAt = performance.now();
    const now = this.#options.clock.now();
    const failed = (error: unknown) => ({ error: reasonOf(error, stored) });
    const outcome = await this.#post(stored, message, now, signal).catch(failed);
    return { at: timestamp(now), durationMs: Math.round(performance.now() - startedAt), ...outcome };
  }

  /** Closes its connections, also those in use. */
  async close(): Promise<void> {
    const agent = this.#agent;
    this.#agent = undefined;
    await (await agent?.opened)?.destroy();
  }

  async #post(
    stored: Endpoint,
    message: WebhookMessage,
    now: number,
    stopped: AbortSignal | undefined,
  ): Promise<Omit<Attempted, 'at' | 'durationMs'>> {
    const { addresses, clock, userAgent } = this.#options;
    const { url: text, timeoutMs, concurrency } = stored.record;
    if (addresses.isRefusedLiteral(text)) throw Object.assign(new Error(), { code: privateAddressCode });
    const url = new URL(text);
    const agent = await this.#agentFor(concurrency);
    const attempt = new AbortController();
    const stop = () => attempt.abort();
    const timer = setTimeout(() => attempt.abort(new DOMException('', 'TimeoutError')), timeoutMs);
    stopped?.addEventListener('abort', stop, { once: true });
    if (stopped?.aborted) stop();
    try {
      const { statusCode, headers, body } = await agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: 'POST',
        headers: { 'user-agent': userAgent, ...headersOf(stored, message, now) },
        body: message.body,
        signal: attempt.signal,
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      const retryAfter = headers['retry-after'];
      const retryAfterMs = readRetryAfter(typeof retryAfter === 'string' ? retryAfter : undefined, clock.now());
      const answered = { status: statusCode, ...defined({ retryAfterMs }) };
      const failure = await readSome(body).then(
        () => refusalOf(statusCode),
        (error: unknown) => reasonOf(error, stored),
      );
      return { ...answered, ...defined({ error: failure }) };
    } finally {
      clearTimeout(timer);
      stopped?.removeEventListener('abort', stop);
    }
  }

  /** Loads the client with the first webhook. */
  #agentFor(connections: number): Promise<Agent> {
    if (this.#agent?.connections === connections) return this.#agent.opened;
    const earlier = this.#agent;
    const lookup = this.#options.addresses.lookupFor(this.#options.orgId);
    const opened = import('undici').then(
      ({ Agent }) => new Agent({ connections, pipelining: 1, keepAliveTimeout: 10_000, connect: { lookup } }),
    );
    this.#agent = { connections, opened };
    earlier?.opened.then((agent) => agent.close()).catch(() => {});
    return opened;
  }
}

/** Rejects if the body is cut off before its end. */
async function readSome(body: Dispatcher.ResponseData['body']): Promise<void> {
  // Leaving the loop early ends the body with an error that has no other listener.
  body.on('error', () => {});
  let bytes = 0;
  for await (const chunk of body) {
    bytes += (chunk as Buffer).length;
    if (bytes > bodyBytes) return;
  }
}

function refusalOf(status: number): string | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status >= 300 && status < 400)
    return `The response was a redirect (${status}). The server does not follow redirects.`;
  return `The response had status ${status}.`;
}

const reasons: Readonly<Record<string, string>> = {
  [privateAddressCode]: 'The address of the host is private, or not on the internet.',
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was interrupted.',
  EPIPE: 'The connection was interrupted.',
  UND_ERR_SOCKET: 'The connection was interrupted.',
  ENOTFOUND: 'The host does not resolve to an address.',
  EAI_AGAIN: 'The host could not be looked up.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The host cannot be reached.',
  UND_ERR_CONNECT_TIMEOUT: 'No connection within the time limit.',
};

/** Describes errors by their code, because the message of an error may quote the request. */
function reasonOf(error: unknown, { record: { timeoutMs } }: Endpoint): string {
  if (!(error instanceof Error)) return 'The attempt failed.';
  if (error.name === 'TimeoutError') return `No complete response within ${timeoutMs} ms.`;
  const { code } = (error instanceof AggregateError ? error.errors[0] : error) as NodeJS.ErrnoException;
  return (code && reasons[code]) ?? `The attempt failed${code ? ` with ${code}` : ''}.`;
}
