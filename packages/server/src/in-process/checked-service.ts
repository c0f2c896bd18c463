/** Every verb without HTTP, checked by the schemas of its route: what is refused there is refused here in the same words. */
import { type VerbRoute, verbRoutes } from '@holdpoint/client';
import { fail, type HoldpointService, type StopSignal } from '@holdpoint/protocol';
import type { Caller } from '../domain/caller.ts';
import { checkedKey, inputCheck } from '../http/check-input.ts';
import { documentedRoutes } from '../http/routes.ts';
import { callerService } from '../operations/caller-service.ts';
import type { Context } from '../operations/context.ts';
import { type Route, takesKey } from '../routes/route.ts';
import type { Calls } from './calls.ts';
import { fileVerbs } from './file-verbs.ts';
import { givenCopy, takenCopy } from './json-copy.ts';

type Input = Readonly<Record<string, unknown>> & { signal?: StopSignal };

export function checkedService(context: Context, caller: Caller, calls: Calls): HoldpointService {
  const service = callerService(context, caller);
  const call = (verb: (input: Input) => Promise<unknown>) => (input?: Input) => calls.run(() => verb(input ?? {}));
  const plain = Object.entries(verbRoutes).map(([name, route]) => [name, verbOf(route, service, caller)] as const);
  const verbs = [...plain, ...Object.entries(fileVerbs(service))].map(([name, verb]) => [name, call(verb as never)]);
  return Object.fromEntries(verbs) as HoldpointService;
}

function verbOf({ method, paths }: VerbRoute, service: HoldpointService, caller: Caller) {
  const ways = paths.map((path) => {
    const route = routeAt(method, path);
    return { route, names: namesOf(path), check: inputCheck(route) };
  });
  return async ({ idempotencyKey, signal, ...given }: Input): Promise<unknown> => {
    const isGiven = (name: string) => given[name] !== undefined;
    // Of the page that opens a session. A question has one, too, and it is no text.
    const isHeader = (name: string) => name === 'origin' && typeof given.origin === 'string';
    const way = ways.find(({ names }) => names.every(isGiven)) ?? ways[0];
    if (!way) return fail('route-not-found', 'There is no such verb.');
    const { route, names, check } = way;
    const entries = Object.entries(given).filter(([name]) => isGiven(name));
    const params = Object.fromEntries(entries.filter(([name]) => names.includes(name)).map(asText));
    const rest = entries.filter(([name]) => !names.includes(name) && !isHeader(name));
    const isInQuery = method === 'GET' || method === 'DELETE';
    const query = isInQuery ? Object.fromEntries(rest.map(asText)) : {};
    const body = isInQuery ? {} : takenCopy(Object.fromEntries(rest));
    const result = await route.handle(service, {
      ...check({ params, query, body }),
      caller,
      write: takesKey(route) ? checkedKey(idempotencyKey) : {},
      ...Object.fromEntries(entries.filter(([name]) => isHeader(name))),
      signal: () => signal ?? new AbortController().signal,
    });
    // Over HTTP who goes away is given nothing. A batch is: it is leased to them.
    if (method === 'GET' && signal?.aborted) fail('shutting-down', 'The caller stopped the call.');
    return givenCopy(result);
  };
}

const asText = ([name, value]: [string, unknown]): [string, string] => [name, String(value)];
const namesOf = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '');

function routeAt(method: string, path: string): Route {
  const found = documentedRoutes.find((route) => route.method === method && route.path === path);
  if (!found) throw new Error(`there is no route ${method} ${path}`);
  return found as Route;
}
