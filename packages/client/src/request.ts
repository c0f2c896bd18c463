/** A verb's input as the parts of a request. */
import type { VerbAddress } from '@holdpoint/protocol';

interface CallRequest {
  method: VerbAddress['method'];
  /** With its query. */
  path: string;
  body: string | null;
  headers: Record<string, string>;
}

type Input = Readonly<Record<string, unknown>>;

export function toRequest({ method, paths }: VerbAddress, input: Input): CallRequest {
  const { idempotencyKey, signal: _, ...rest }: Record<string, unknown> = input;
  // Of the page that opens a session; a question has one, too, and it is no text.
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

/** JSON leaves out what is undefined. */
const given = (input: Input): Record<string, string> => JSON.parse(JSON.stringify(input));
