/** The calls a person's browser makes, with the token that lets it make them. */
import type { Draft, FileRef, Interaction, Message, Page } from '@holdpoint/protocol';
import { defined } from '@holdpoint/protocol';
import type { Problem } from '@holdpoint/protocol/answers';
import type { Entered } from '../form/form-state.ts';
import type { SentFile } from './send-file.ts';

export interface ApiOptions {
  /** The server's address, without a path. */
  server: string;
  /** A responder's token, or what gets a fresh one. */
  token: string | (() => Promise<string>);
}

/** To what it was said: the server takes no answer to a question that reads otherwise by now. */
interface Shown {
  digest: string | undefined;
}

/** What writing, answering and drafts call. A visitor's session has the same calls, of another protocol. */
export type ThreadCalls = Pick<
  Api,
  'token' | 'getInteraction' | 'answer' | 'decline' | 'upload' | 'getDraft' | 'saveDraft' | 'postMessage'
>;

/** What the server said was wrong, or that it could not be reached (status 0). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly problems: readonly Problem[];

  constructor(status: number, code: string, message: string, problems: readonly Problem[] = []) {
    super(message);
    this.status = status;
    this.code = code;
    this.problems = problems;
  }
}

export class Api {
  readonly #options: ApiOptions;

  constructor(options: ApiOptions) {
    this.#options = options;
  }

  getInteraction(id: string, signal?: AbortSignal): Promise<Interaction> {
    return this.call('GET', `/v1/interactions/${encodeURIComponent(id)}`, undefined, signal);
  }

  async listPending(threadId: string, signal: AbortSignal): Promise<Interaction[]> {
    const query = new URLSearchParams({ threadId, status: 'pending', order: 'oldest' });
    return this.#all<Interaction>(`/v1/interactions?${query}`, signal);
  }

  /** All that wait for the person whose token it is. */
  listWaiting(signal: AbortSignal): Promise<Interaction[]> {
    return this.#all<Interaction>('/v1/interactions?status=pending&limit=200', signal);
  }

  /** The newest, in the order in which they were said. */
  async listMessages(threadId: string, signal: AbortSignal): Promise<Message[]> {
    const path = `/v1/threads/${encodeURIComponent(threadId)}/messages?order=newest&limit=200`;
    return (await this.call<Page<Message>>('GET', path, undefined, signal)).data.reverse();
  }

  postMessage(threadId: string, text: string, key: string): Promise<Message> {
    return this.call('POST', `/v1/threads/${encodeURIComponent(threadId)}/messages`, { text }, undefined, key);
  }

  reportTyping(threadId: string): Promise<unknown> {
    return this.call('POST', `/v1/threads/${encodeURIComponent(threadId)}/typing`, {});
  }

  /** Read by hand, because an EventSource sends no token. */
  async openEvents(
    of: { threadId: string; ephemeral: 'true' | 'false' } | { interactionId: string } | { types: string },
    { lastEventId, signal }: { lastEventId: string | undefined; signal: AbortSignal },
  ): Promise<Response> {
    const headers: Record<string, string> = { authorization: await this.#authorization() };
    if (lastEventId) headers['last-event-id'] = lastEventId;
    const query = new URLSearchParams(of);
    return fetch(`${this.#options.server}/v1/events?${query}`, { headers, signal });
  }

  /** A page that is being left may still send a little. */
  saveDraft(id: string, entered: Entered, isLeaving: boolean): Promise<Draft> {
    const path = `/v1/interactions/${encodeURIComponent(id)}/draft`;
    return this.call('POST', path, entered, undefined, undefined, isLeaving);
  }

  getDraft(id: string): Promise<Draft> {
    return this.call('GET', `/v1/interactions/${encodeURIComponent(id)}/draft`);
  }

  /** The same key for every try of one answer: what was taken once is not taken twice. */
  answer(id: string, entered: Entered & Shown, key: string): Promise<Interaction> {
    return this.call('POST', `/v1/interactions/${encodeURIComponent(id)}/answers`, entered, undefined, key);
  }

  decline(id: string, said: { reason: string | undefined } & Shown, key: string): Promise<Interaction> {
    return this.call('POST', `/v1/interactions/${encodeURIComponent(id)}/decline`, said, undefined, key);
  }

  upload(id: string, { field, ...sent }: SentFile): Promise<FileRef> {
    const query = new URLSearchParams({ field });
    return this.sendFile(`/v1/interactions/${encodeURIComponent(id)}/uploads?${query}`, sent);
  }

  /** What sends files is fetched with the first of them: most questions ask for none. */
  async sendFile(path: string, file: Omit<SentFile, 'field'>): Promise<FileRef> {
    const { sendFile } = await import('./send-file.ts');
    const { status, body } = await sendFile(this.#options.server + path, await this.#authorization(), file);
    if (status < 200 || status > 299) throw toError(status, body);
    return body as FileRef;
  }

  async #all<T>(path: string, signal: AbortSignal): Promise<T[]> {
    const items: T[] = [];
    let cursor: string | undefined;
    do {
      const page: Page<T> = await this.call(
        'GET',
        cursor ? `${path}&cursor=${encodeURIComponent(cursor)}` : path,
        undefined,
        signal,
      );
      items.push(...page.data);
      cursor = page.next;
    } while (cursor);
    return items;
  }

  async token(): Promise<string> {
    const { token } = this.#options;
    return typeof token === 'string' ? token : token();
  }

  async #authorization(): Promise<string> {
    return `Bearer ${await this.token()}`;
  }

  /** What every call does. */
  async call<T>(
    method: string,
    path: string,
    body?: object,
    signal?: AbortSignal,
    key?: string,
    keepalive = false,
  ): Promise<T> {
    const headers: Record<string, string> = { authorization: await this.#authorization() };
    if (body) headers['content-type'] = 'application/json';
    if (key) headers['idempotency-key'] = key;
    const init = {
      method,
      headers,
      keepalive,
      ...defined({ body: body ? JSON.stringify(body) : undefined, signal }),
    };
    const reply = await fetch(this.#options.server + path, init).catch((error: unknown) => {
      if (signal?.aborted) throw error;
      throw new ApiError(0, 'offline', '');
    });
    const read: unknown = await reply.json().catch(() => undefined);
    if (!reply.ok) throw toError(reply.status, read);
    return read as T;
  }
}

/** Of the native routes, and of the blocks dialect, which has other names for the same. */
function toError(status: number, body: unknown): ApiError {
  const told = (body ?? {}) as Partial<Record<'code' | 'error' | 'detail' | 'message', string>> &
    Partial<Record<'errors' | 'details', Problem[]>>;
  const { code = told.error, detail = told.message, errors = told.details } = told;
  return new ApiError(status, code ?? 'unknown', detail ?? '', errors ?? []);
}
