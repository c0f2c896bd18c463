/** Every verb over HTTP, with nothing but fetch: it runs in browsers, workers and Node alike. */
import { errorTable, HoldpointError, type HoldpointService, type StopSignal } from '@holdpoint/protocol';
import { ConnectionLost } from './connection-lost.ts';
import { fileVerbs } from './files.ts';
import { readProblem } from './read-problem.ts';
import { type Send, toRequest } from './request.ts';
import { type VerbRoute, verbRoutes } from './verb-routes.ts';

export interface HttpServiceOptions {
  /** Where the server is, such as http://127.0.0.1:7400. */
  url: string;
  /** An API key or a responder's token. */
  key: string;
  /** Instead of the global one. */
  fetch?: typeof globalThis.fetch;
  /** For how long a call that failed for want of a server is tried again (10 s). */
  retryForMs?: number;
}

type Input = Readonly<Record<string, unknown>> & { signal?: StopSignal; idempotencyKey?: string };

/** Beyond the time that the call itself may wait. */
const patienceMs = 60_000;
const firstPauseMs = 100;
const maxPauseMs = 2_000;

export function httpService({ url, key, fetch: given, retryForMs = 10_000 }: HttpServiceOptions): HoldpointService {
  const base = url.replace(/\/+$/, '');
  const doFetch = given ?? globalThis.fetch.bind(globalThis);

  const send: Send = async ({ path, headers, ...init }) => {
    const response = await doFetch(base + path, {
      ...init,
      headers: { authorization: `Bearer ${key}`, ...headers },
    }).catch((cause: unknown) => {
      if (init.signal?.aborted) throw init.signal.reason;
      throw new ConnectionLost(`The server at ${base} cannot be reached.`, { cause });
    });
    if (!response.ok) throw await readProblem(response);
    return response;
  };

  async function call(route: VerbRoute, input: Input): Promise<unknown> {
    const request = toRequest(route, input);
    const mayRepeat = route.isRepeatable || input.idempotencyKey !== undefined;
    const endAt = Date.now() + retryForMs;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
      const stop = stopOf(input);
      try {
        return await readBody(await send({ ...request, signal: stop.signal }), base);
      } catch (error) {
        const waitMs = error instanceof HoldpointError ? (error.fault.retryAfterMs ?? pauseMs) : pauseMs;
        if (input.signal?.aborted || !isPassing(error, mayRepeat) || Date.now() + waitMs > endAt) throw error;
        await pause(waitMs, stop.signal);
      } finally {
        stop.release();
      }
    }
  }

  const verbs = Object.entries(verbRoutes).map(([verb, route]) => [verb, (input: Input) => call(route, input)]);
  const service = Object.fromEntries(verbs) as HoldpointService;
  return { ...service, ...fileVerbs(send, service.getFile) };
}

async function readBody(response: Response, base: string): Promise<unknown> {
  if (response.status === 204) return undefined;
  return response.json().catch((cause: unknown) => {
    throw new ConnectionLost(`The answer of ${base} broke off.`, { cause });
  });
}

/** What a server refuses for now has changed nothing; a lost connection leaves that open. */
function isPassing(error: unknown, mayRepeat: boolean): boolean {
  if (error instanceof ConnectionLost) return mayRepeat;
  return error instanceof HoldpointError && [429, 503].includes(errorTable[error.code].status);
}

/** Aborts when the caller stops or when a server that is there says nothing for too long. */
function stopOf({ signal, timeoutMs, waitMs }: Input): { signal: AbortSignal; release(): void } {
  const controller = new AbortController();
  const stop = () => controller.abort(signal?.aborted ? new HoldpointError(stopped) : new ConnectionLost(silent));
  const timer = setTimeout(stop, patienceMs + Number(timeoutMs ?? waitMs ?? 0));
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted) stop();
  return {
    signal: controller.signal,
    release() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    },
  };
}

const stopped = { code: 'shutting-down', detail: 'The caller stopped the call.' } as const;
const silent = 'The server did not answer in time.';

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
  });
}
