/** The calls a person's browser makes, with the token that lets it make them. */
import type { Draft, FileRef, Interaction, Message, Page } from '@holdpoint/protocol';
import type { Problem } from '@holdpoint/protocol/answers';
import type { Entered } from '../form/form-state.ts';

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

/** What the server said was wrong, or that it could not be reached (status 0). */
export class ApiError extends Error {
  override name = 'ApiError';
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
    return this.#call('GET', `/v1/interactions/${encodeURIComponent(id)}`, undefined, signal);
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
    return (await this.#call<Page<Message>>('GET', path, undefined, signal)).data.reverse();
  }

  postMessage(threadId: string, text: string, key: string): Promise<Message> {
    return this.#call('POST', `/v1/threads/${encodeURIComponent(threadId)}/messages`, { text }, undefined, key);
  }

  reportTyping(threadId: string): Promise<unknown> {
    return this.#call('POST', `/v1/threads/${encodeURIComponent(threadId)}/typing`, {});
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
    return this.#call('POST', path, entered, undefined, undefined, isLeaving);
  }

  getDraft(id: string): Promise<Draft> {
    return this.#call('GET', `/v1/interactions/${encodeURIComponent(id)}/draft`);
  }

  /** The same key for every try of one answer: what was taken once is not taken twice. */
  answer(id: string, entered: Entered & Shown, key: string): Promise<Interaction> {
    return this.#call('POST', `/v1/interactions/${encodeURIComponent(id)}/answers`, entered, undefined, key);
  }

  decline(id: string, said: { reason: string | undefined } & Shown, key: string): Promise<Interaction> {
    return this.#call('POST', `/v1/interactions/${encodeURIComponent(id)}/decline`, said, undefined, key);
  }

  /** By XMLHttpRequest: fetch does not tell how much has been sent. */
  async upload(
    id: string,
    {
      field,
      file,
      onProgress,
      signal,
    }: { field: string; file: File; onProgress(share: number): void; signal: AbortSignal },
  ): Promise<FileRef> {
    const { server } = this.#options;
    const authorization = await this.#authorization();
    return new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      const query = new URLSearchParams({ field });
      request.open('POST', `${server}/v1/interactions/${encodeURIComponent(id)}/uploads?${query}`);
      request.setRequestHeader('authorization', authorization);
      request.responseType = 'json';
      request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
      request.onload = () => {
        if (request.status < 300) resolve(request.response as FileRef);
        else reject(toError(request.status, request.response));
      };
      request.onerror = () => reject(new ApiError(0, 'offline', ''));
      request.onabort = () => reject(new ApiError(0, 'aborted', ''));
      signal.addEventListener('abort', () => request.abort(), { once: true });
      const form = new FormData();
      form.append('file', file);
      request.send(form);
    });
  }

  async #all<T>(path: string, signal: AbortSignal): Promise<T[]> {
    const items: T[] = [];
    let cursor: string | undefined;
    do {
      const page: Page<T> = await this.#call(
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

  async #call<T>(
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
      ...(body ? { body: JSON.stringify(body) } : {}),
      ...(signal ? { signal } : {}),
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

function toError(status: number, body: unknown): ApiError {
  const {
    code = 'unknown',
    detail = '',
    errors = [],
  } = (body ?? {}) as { code?: string; detail?: string; errors?: Problem[] };
  return new ApiError(status, code, detail, errors);
}
