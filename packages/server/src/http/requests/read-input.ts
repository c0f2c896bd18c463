/** Reads a request by its route: what it was sent, checked, and who sent it. */

import type { HoldpointService, StopSignal } from '@holdpoint/protocol';
import { defined } from '@holdpoint/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../domain/caller.ts';
import { callerService } from '../../operations/caller-service.ts';
import { checkedKey, type RequestSchemas } from '../../operations/check-input.ts';
import type { Context } from '../../operations/context.ts';
import { type Route, type RouteInput, type RouteSpec, takesKey } from '../../routes/route.ts';
import { inputCheck } from '../check-input.ts';

export type InputReader = (
  request: FastifyRequest,
  reply: FastifyReply,
  caller: Caller,
) => RouteInput<unknown, unknown, unknown>;

export function inputReader(route: RequestSchemas & Pick<RouteSpec, 'isRemembered'>): InputReader {
  const check = inputCheck(route);
  const hasKey = takesKey(route);
  return (request, reply, caller) => {
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

/** Returns the verbs as a route calls them for one request. */
export function routeService(
  context: Context,
  { path }: Route,
  { caller, params, body, write: { idempotencyKey } }: RouteInput<unknown, unknown, unknown>,
): HoldpointService {
  if (!context.isDialect || idempotencyKey === undefined) return callerService(context, caller);
  return callerService({ ...context, request: { idempotencyKey, content: [path, params, body] } }, caller);
}

/**
 * The close of a response as a signal: a listener while somebody waits, and no AbortController for each of ten thousand.
 * A request closes as soon as its body is read.
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
