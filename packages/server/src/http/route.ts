/** One route as data: what the server checks, what it calls, and what the reference says, in one place. */
import type { HoldpointService, StopSignal } from '@holdpoint/protocol';
import type { Static, TObject, TSchema } from 'typebox';
import type { Caller } from '../domain/caller.ts';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** What a route is given, already checked against its schemas. */
export interface RouteInput<P, Q, B> {
  params: P;
  query: Q;
  body: B;
  caller: Caller;
  /** Spread it into the input of a write. */
  write: { idempotencyKey?: string };
  /** Aborts when the caller goes away; made only where it is asked for. */
  signal(): StopSignal;
}

/** What the reference says of a route and the server checks. */
export interface RouteSpec {
  method: Method;
  path: string;
  summary: string;
  description?: string;
  tag: string;
  params?: TObject;
  query?: TObject;
  body?: TObject;
  /** false: a POST that is done anew each time, whatever its Idempotency-Key. */
  isRemembered?: boolean;
  status: 200 | 201 | 204;
  response: TSchema;
}

/** Whether an Idempotency-Key means anything to it. */
export const takesKey = ({ method, isRemembered = true }: RouteSpec): boolean => method === 'POST' && isRemembered;

export interface Route extends RouteSpec {
  handle(service: HoldpointService, input: RouteInput<unknown, unknown, unknown>): Promise<unknown>;
}

interface TypedRoute<P extends TObject, Q extends TObject, B extends TObject>
  extends Omit<RouteSpec, 'params' | 'query' | 'body'> {
  params?: P;
  query?: Q;
  body?: B;
  handle(service: HoldpointService, input: RouteInput<Static<P>, Static<Q>, Static<B>>): Promise<unknown>;
}

/** Ties the types of a handler to the schemas beside it. */
export function route<P extends TObject, Q extends TObject, B extends TObject>(spec: TypedRoute<P, Q, B>): Route {
  return spec as Route;
}
