/** The API calls of a person's browser, with their responder token. */
import {
  type AnswerSignature,
  type Draft,
  defined,
  type FileRef,
  type Interaction,
  type Message,
  type Page,
} from '@holdpoint/protocol';
import type { Problem } from '@holdpoint/protocol/answers';
import type { Entered } from '../form/form-state.ts';
import type { SentFile } from './send-file.ts';

interface ApiOptions {
  /** The server's address, without a path. */
  server: string;
  /** A responder token, or a function that returns a fresh one. */
  token: string | (() => Promise<string>);
}

interface CallOptions {
  signal?: AbortSignal | undefined;
  /** The idempotency key. */
  key?: string;
  /** A page that is closing may still send a small request. */
  keepalive?: boolean;
}

/** The digest of the question that the person saw. The server rejects an answer if the question has changed. */
export interface Shown {
  digest: string | undefined;
  signature?: AnswerSignature | undefined;
}

/** The calls for messages, answers and drafts. A visitor's session makes them in another protocol. */
export type ThreadCalls = Pick<
  Api,
  'token' | 'getInteraction' | 'answer' | 'decline' | 'upload' | 'getDraft' | 'saveDraft' | 'postMessage'
>;

/** An error of the server, or status 0 if it could not be reached. */
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

const pathOf = (id: string, rest = ''): string => `/v1/interactions/${encodeURIComponent(id)}${rest}`;

export class Api {
  readonly #options: ApiOptions;

  constructor(options: ApiOptions) {
    this.#options = options;
  }

  getInteraction(id: string, signal?: AbortSignal): Promise<Interaction> {
    return this.call('GET', pathOf(id), undefined, { signal });
  }

  listPending(threadId: string, signal: AbortSignal): Promise<Interaction[]> {
    const path = `/v1/interactions?status=pending&order=oldest&threadId=${encodeURIComponent(threadId)}`;
    return this.#all<Interaction>(path, signal);
  }

  /** All pending questions of the person with this token. */
  listWaiting(signal: AbortSignal): Promise<Interaction[]> {
    return this.#all<Interaction>('/v1/interactions?status=pending&limit=200', signal);
  }

  /** The newest messages, oldest first. */
  async listMessages(threadId: string, signal: AbortSignal): Promise<Message[]> {
    const path = `/v1/threads/${encodeURIComponent(threadId)}/messages?order=newest&limit=200`;
    return (await this.call<Page<Message>>('GET', path, undefined, { signal })).data.reverse();
  }

  postMessage(threadId: string, text: string, key: string): Promise<Message> {
    return this.call('POST', `/v1/threads/${encodeURIComponent(threadId)}/messages`, { text }, { key });
  }

  reportTyping(threadId: string): Promise<unknown> {
    return this.call('POST', `/v1/threads/${encodeURIComponent(threadId)}/typing`, {});
  }

  /** By fetch, because an EventSource sends no token. */
  async openEvents(
    of:
      | { threadId: string; ephemeral: 'true' | 'false' }
      | { interactionId: string; ephemeral?: 'true' }
      | { types: string },
    { lastEventId, signal }: { lastEventId: string | undefined; signal: AbortSignal },
  ): Promise<Response> {
    const headers: Record<string, string> = { authorization: await this.#authorization() };
    if (lastEventId) headers['last-event-id'] = lastEventId;
    const query = new URLSearchParams(of);
    return fetch(`${this.#options.server}/v1/events?${query}`, { headers, signal });
  }

  saveDraft(id: string, entered: Entered, isLeaving: boolean): Promise<Draft> {
    return this.call('POST', pathOf(id, '/draft'), entered, { keepalive: isLeaving });
  }

  getDraft(id: string): Promise<Draft> {
    return this.call('GET', pathOf(id, '/draft'));
  }

  /** Use the same key for every try of an answer. Then it is accepted once. */
  answer(id: string, entered: Entered & Shown, key: string): Promise<Interaction> {
    return this.call('POST', pathOf(id, '/answers'), entered, { key });
  }

  decline(id: string, refusal: { reason: string | undefined } & Shown, key: string): Promise<Interaction> {
    return this.call('POST', pathOf(id, '/decline'), refusal, { key });
  }

  upload(id: string, { field, ...sent }: SentFile): Promise<FileRef> {
    return this.sendFile(pathOf(id, `/uploads?${new URLSearchParams({ field })}`), sent);
  }

  /** Fetches the upload script with the first file, because most questions ask for none. */
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
      const from: string = cursor ? `&cursor=${encodeURIComponent(cursor)}` : '';
      const page: Page<T> = await this.call('GET', path + from, undefined, { signal });
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

  async call<T>(method: string, path: string, body?: object, options: CallOptions = {}): Promise<T> {
    const { signal, key, keepalive = false } = options;
    const headers: Record<string, string> = { authorization: await this.#authorization() };
    if (body) headers['content-type'] = 'application/json';
    if (key) headers['idempotency-key'] = key;
    const init = { method, headers, keepalive, ...defined({ body: body && JSON.stringify(body), signal }) };
    const reply = await fetch(this.#options.server + path, init).catch((error: unknown) => {
      if (signal?.aborted) throw error;
      throw new ApiError(0, 'offline', '');
    });
    const read: unknown = await reply.json().catch(() => undefined);
    if (!reply.ok) throw toError(reply.status, read);
    return read as T;
  }
}

/** Reads the errors of the native routes, and those of the blocks dialect, which have other names. */
function toError(status: number, body: unknown): ApiError {
  const fault = (body ?? {}) as Partial<Record<'code' | 'error' | 'detail' | 'message', string>> &
    Partial<Record<'errors' | 'details', Problem[]>>;
  const { code = fault.error, detail = fault.message, errors = fault.details } = fault;
  return new ApiError(status, code ?? 'unknown', detail ?? '', errors ?? []);
}
