/** One route as data: what the server checks, what it calls, and what the reference says, in one place. */
import type { EphemeralEvent, HoldpointService, LogEvent, StopSignal, UploadFile } from '@holdpoint/protocol';
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
  /** Of the page that calls. */
  origin?: string;
  /** The part of the file that the caller asks for; all of it, if left out. */
  range?: { from?: number; to?: number };
  /** Aborts when the caller goes away; made only where it is asked for. */
  signal(): StopSignal;
}

/** A file that is being sent, as its sender says. */
export interface SentFile extends Pick<UploadFile, 'name' | 'mime' | 'announcedBytes' | 'content'> {
  /** The other parts of a form. Those after the file are there once its content has been read. */
  fields?: ReadonlyMap<string, string>;
}

/** What the reference says of a route and the server checks. */
export interface RouteSpec {
  /** The verb, unique in the document; routes of dialects are in no document and have none. */
  operationId?: string;
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
  /** The property of the body that holds the key of whoever has no Authorization header to send; then the body is small. */
  keyInBody?: string;
  /** Its body is a SentFile, which is handed on as it comes; or a JSON object, if the sender says so. */
  takesFile?: true | 'or-json';
  /** `handle` returns an OpenedFile, and the caller gets its bytes. */
  givesFile?: true;
  /** The media type of what it gives, where that is no JSON. */
  gives?: string;
  status: 200 | 201 | 204;
  response: TSchema;
}

/** Whether an Idempotency-Key means anything to it. */
export const takesKey = ({ method, isRemembered = true }: { method: string; isRemembered?: boolean }): boolean =>
  method === 'POST' && isRemembered;

export interface Route extends RouteSpec {
  handle(service: HoldpointService, input: RouteInput<unknown, unknown, unknown>): Promise<unknown>;
  stream?: RouteStream<unknown, unknown, unknown>;
}

/** The same call, answered with server-sent events to who asks for those: each text that it yields is the data of one. */
export interface RouteStream<P, Q, B> {
  headers: Readonly<Record<string, string>>;
  /** What is refused here is refused as it is elsewhere; the stream begins once this resolves. */
  open(service: HoldpointService, input: StreamInput<P, Q, B>): Promise<AsyncIterable<string>>;
}

interface StreamInput<P, Q, B> extends RouteInput<P, Q, B> {
  /** What happens in a thread from now on, and what is told and kept nowhere, until the caller or the server goes. */
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

/** Ties the types of a handler to the schemas beside it. */
export function route<P extends TObject, Q extends TObject, B extends TObject>(spec: TypedRoute<P, Q, B>): Route {
  return spec as Route;
}
