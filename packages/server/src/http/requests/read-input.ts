/** Reads a request by its route: checked against the schemas, with its caller. */
import { defined, type HoldpointService, type StopSignal } from '@holdpoint/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TObject } from 'typebox';
import type { Caller } from '../../domain/caller.ts';
import { callerService } from '../../operations/caller-service.ts';
import { checkedKey, problemsOf, queryReader, type RequestSchemas, type Sent } from '../../operations/check-input.ts';
import type { Context } from '../../operations/context.ts';
import { invalidInput } from '../../operations/invalid-input.ts';
import { type Route, type RouteInput, type RouteSpec, takesKey } from '../../routes/route.ts';

/** Checks the parts of a request, names every problem, and returns the parts with the numbers of the query read. */
export function inputCheck(schemas: RequestSchemas): (sent: Sent) => Sent {
  const readQuery = queryReader(schemas.query);
  return ({ params, query, body }) => {
    const read = { params, query: readQuery(query), body };
    const problems = problemsOf(schemas, read);
    if (problems.length > 0) throw invalidInput(problems);
    return read;
  };
}

/** Returns the checked body of a request that takes no query. A body may be left out. */
export function checkedBody<S extends TObject>({ query, body }: FastifyRequest, schema?: S): Static<S> {
  const given = body ?? {};
  const problems = problemsOf(
    { method: 'POST', ...defined({ body: schema }) },
    { params: {}, query: query as Sent['query'], body: given },
  );
  if (problems.length > 0) throw invalidInput(problems);
  return given as Static<S>;
}

export function inputReader(route: RequestSchemas & Pick<RouteSpec, 'isRemembered'>) {
  const check = inputCheck(route);
  const hasKey = takesKey(route);
  return (request: FastifyRequest, reply: FastifyReply, caller: Caller): RouteInput => {
    const { params, query, body, headers } = request;
    return {
      ...check({ params, query: query as Record<string, unknown>, body: body === undefined ? {} : body }),
      caller,
      write: hasKey ? checkedKey(headers['idempotency-key']) : {},
      ...defined({ origin: headers.origin }),
      signal: () => new CallerGone(reply.raw),
    };
  };
}

/** Returns the verbs that a route calls for one request. */
export function routeService(
  context: Context,
  { path }: Route,
  { caller, params, body, write: { idempotencyKey } }: RouteInput,
): HoldpointService {
  if (!context.isDialect || idempotencyKey === undefined) return callerService(context, caller);
  return callerService({ ...context, request: { idempotencyKey, content: [path, params, body] } }, caller);
}

/**
 * Aborts when the response is closed. It adds a listener only while something waits for it, because an AbortController
 * for each of ten thousand waits takes more memory. The request cannot show this: it closes as soon as its body is read.
 */
export class CallerGone implements StopSignal {
  readonly #raw: FastifyReply['raw'];

  constructor(raw: FastifyReply['raw']) {
    this.#raw = raw;
  }

  get aborted(): boolean {
    return this.#raw.destroyed;
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#raw.on('close', listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#raw.off('close', listener);
  }
}
