/** A verb's input as the parts of a request. */
import type { VerbRoute } from './verb-routes.ts';

interface CallRequest {
  method: VerbRoute['method'];
  /** With its query. */
  path: string;
  body?: string;
  headers: Record<string, string>;
}

/** Sends once; a refusal is thrown. */
export type Send = (
  // duplex: the types of browsers do not know it yet.
  request: Omit<RequestInit, 'headers'> & { path: string; headers: Record<string, string>; duplex?: 'half' },
) => Promise<Response>;

type Input = Readonly<Record<string, unknown>>;

export function toRequest({ method, paths, inHeaders = [] }: VerbRoute, input: Input): CallRequest {
  const path = paths.find((each) => namesOf(each).every((name) => input[name] !== undefined)) ?? paths[0] ?? '';
  const isElsewhere = new Set([...namesOf(path), ...inHeaders]);
  const { idempotencyKey, signal: _, ...given } = input;
  const rest = Object.entries(given).filter(([name, value]) => !isElsewhere.has(name) && value !== undefined);
  const filled = path.replaceAll(/:(\w+)/g, (_match, name: string) => encodeURIComponent(String(input[name])));
  const headers: Record<string, string> =
    idempotencyKey === undefined ? {} : { 'idempotency-key': String(idempotencyKey) };
  for (const name of inHeaders) if (input[name] !== undefined) headers[name] = String(input[name]);
  if (method === 'GET' || method === 'DELETE') return { method, path: filled + queryOf(rest), headers };
  headers['content-type'] = 'application/json';
  return { method, path: filled, body: JSON.stringify(Object.fromEntries(rest)), headers };
}

const namesOf = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '');

function queryOf(rest: readonly [string, unknown][]): string {
  const query = new URLSearchParams(rest.map(([name, value]): [string, string] => [name, String(value)]));
  return rest.length === 0 ? '' : `?${query}`;
}
