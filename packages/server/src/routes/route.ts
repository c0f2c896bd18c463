/** One route as data: what the server checks, calls and documents. */
import type { EphemeralEvent, HoldpointService, LogEvent, StopSignal, UploadFile } from '@holdpoint/protocol';
import type { Static, TObject, TSchema } from 'typebox';
import type { Caller } from '../domain/caller.ts';

/** The input of a route, already checked against its schemas. */
export interface RouteInput<P = unknown, Q = unknown, B = unknown> {
  params: P;
  query: Q;
  body: B;
  caller: Caller;
  /** Spread it into the input of a write. */
  write: { idempotencyKey?: string };
  /** The origin of the calling page. */
  origin?: string;
  /** The part of the file that the caller asks for. Without it, the whole file. */
  range?: { from?: number; to?: number };
  /** Aborts when the caller goes away. */
  signal(): StopSignal;
}

/** A file that is being sent, as its sender describes it. */
export interface SentFile extends Pick<UploadFile, 'name' | 'mime' | 'announcedBytes' | 'content'> {
  /** The other parts of a form. Parts after the file are added once its content has been read. */
  fields?: ReadonlyMap<string, string>;
}

/** The part of a route that the reference describes and the server checks. */
export interface RouteSpec {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  summary: string;
  description?: string;
  tag: string;
  params?: TObject;
  query?: TObject;
  body?: TObject;
  /** false: a POST that runs again each time, whatever its Idempotency-Key. */
  isRemembered?: boolean;
  /** The property of the body that holds the key of callers that cannot send an Authorization header. The body is small. */
  keyInBody?: string;
  /** The body is a SentFile, passed on while it arrives. With 'or-json' it may also be a JSON object. */
  takesFile?: true | 'or-json';
  /** `handle` returns an OpenedFile, and the caller gets its bytes. */
  givesFile?: true;
  /** The media type of the output, if that is not JSON. */
  gives?: string;
  status: 200 | 201 | 204;
  response: TSchema;
}

/** Reports whether a route uses an Idempotency-Key. */
export const takesKey = ({ method, isRemembered = true }: { method: string; isRemembered?: boolean }): boolean =>
  method === 'POST' && isRemembered;

export interface Route extends RouteSpec {
  handle(service: HoldpointService, input: RouteInput): Promise<unknown>;
  stream?: RouteStream;
}

/** The same call for callers that ask for server-sent events. Each yielded text is the data of one event. */
export interface RouteStream<P = unknown, Q = unknown, B = unknown> {
  headers: Readonly<Record<string, string>>;
  /** The stream begins when this resolves. Until then, an error is an ordinary response. */
  open(service: HoldpointService, input: StreamInput<P, Q, B>): Promise<AsyncIterable<string>>;
}

interface StreamInput<P, Q, B> extends RouteInput<P, Q, B> {
  /** New events of a thread, also ephemeral ones, until the caller goes away or the server stops. */
  follow(threadId: string): Promise<AsyncIterable<LogEvent | EphemeralEvent>>;
}

interface TypedRoute<P extends TObject, Q extends TObject, B extends TObject>
  extends Omit<RouteSpec, 'params' | 'query' | 'body'> {
  params?: P;
  query?: Q;
  body?: B;
  handle(service: HoldpointService, input: RouteInput<Static<P>, Static<Q>, Static<B>>): Promise<unknown>;
  stream?: RouteStream<Static<P>, Static<Q>, Static<B>>;
}

/** Infers the types of a handler from the schemas of its route. */
export function route<P extends TObject, Q extends TObject, B extends TObject>(spec: TypedRoute<P, Q, B>): Route {
  return spec as Route;
}
