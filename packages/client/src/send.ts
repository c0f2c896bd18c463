/** One request, with the key of its caller. */
import { ConnectionLost } from './connection-lost.ts';
import { readProblem } from './read-problem.ts';

export interface HttpServiceOptions {
  /** Where the server is, such as http://127.0.0.1:7400. */
  url: string;
  /** An API key or a responder's token. Without one it throws. */
  key: string | undefined;
  /** Instead of the global one. */
  fetch?: typeof globalThis.fetch;
  /** For how long a call that failed for want of a server is tried again (10 s). */
  retryForMs?: number;
}

/** Sends once; a refusal is thrown. */
export type Send = (
  // duplex: the types of browsers do not know it yet.
  request: Omit<RequestInit, 'headers'> & { path: string; headers?: Record<string, string>; duplex?: 'half' },
) => Promise<Response>;

export function httpSend({ url, key, fetch: given }: HttpServiceOptions): Send {
  // As early as possible: a key that is missing would be sent as a word.
  if (key === undefined) throw new TypeError('Give a key.');
  const base = new URL(url).href.replace(/\/+$/, '');
  return async ({ path, headers, ...init }) => {
    const response = await (given ?? fetch)(base + path, {
      ...init,
      headers: { authorization: `Bearer ${key}`, ...headers },
    }).catch((cause: unknown) => {
      throw new ConnectionLost(`The server at ${base} cannot be reached.`, {}, { cause });
    });
    if (!response.ok) throw await readProblem(response);
    return response;
  };
}
