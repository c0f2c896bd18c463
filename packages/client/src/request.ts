/** Makes a request from the input of a verb, and sends it with the key of the caller. */
import type { VerbAddress } from '@holdpoint/protocol';
import { ConnectionLost, readProblem } from './failures.ts';

export interface HttpServiceOptions {
  /** The address of the server, such as http://127.0.0.1:7400. */
  url: string;
  /** An API key or a responder token. The constructor throws without one. */
  key: string | undefined;
  /** Replaces the global `fetch`. */
  fetch?: typeof globalThis.fetch;
  /** How long a call is tried again while the server cannot be reached (10 s). */
  retryForMs?: number;
}

/** Sends one request. Throws a refusal. */
export type Send = (
  // The types of browsers do not have `duplex` yet.
  request: Omit<RequestInit, 'headers'> & { path: string; headers?: Record<string, string>; duplex?: 'half' },
) => Promise<Response>;

export function httpSend({ url, key, fetch: given }: HttpServiceOptions): Send {
  // Otherwise the text "undefined" would be sent as the key.
  if (key === undefined) throw new TypeError('The key is missing: set HOLDPOINT_API_KEY.');
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

type Input = Readonly<Record<string, unknown>>;

/** Makes the parts of a request from the input of a verb. The path has the query. */
export function toRequest({ method, paths }: VerbAddress, input: Input) {
  const { idempotencyKey, signal: _, ...rest }: Record<string, unknown> = input;
  // A page that opens a session sends its origin as a header. A question also has an origin, which is no text.
  const origin = typeof rest.origin === 'string' ? rest.origin : undefined;
  if (origin) delete rest.origin;
  const path = `${paths.at(input.threadId === undefined ? -1 : 0)}`.replace(/:(\w+)/g, (_match, name: string) => {
    delete rest[name];
    return encodeURIComponent(String(input[name]));
  });
  const body = method === 'GET' || method === 'DELETE' ? null : JSON.stringify(rest);
  const type = body && 'application/json';
  const headers = { 'idempotency-key': idempotencyKey, origin, 'content-type': type ?? undefined };
  return { method, path: body ? path : path + queryOf(rest), headers: given(headers), body };
}

export const queryOf = (input: Input): string => `?${new URLSearchParams(given(input))}`;

/** Leaves out undefined properties. */
const given = (input: Input): Record<string, string> => JSON.parse(JSON.stringify(input));
