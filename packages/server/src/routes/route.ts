/** One route as data: its address, its schemas and its handler. */
import {
  type EphemeralEvent,
  type HoldpointService,
  Id,
  type LogEvent,
  type StopSignal,
  type UploadFile,
} from '@holdpoint/protocol';
import { type Static, type TObject, Type } from 'typebox';
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

/** The parts of a route that the server checks, and its line in the reference. */
export interface RouteSpec {
  method: Method;
  path: string;
  summary: string;
  /** Left out, each id of the path is any text of 1 to 256 characters. */
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
  status: 200 | 201 | 204;
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

/** The names of the ids in a path. */
type IdName<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | IdName<`/${More}`>
    : Rest
  : never;

type Ids<Path extends string> = Record<IdName<Path>, string>;

interface TypedRoute<Path extends string, Q extends TObject, B extends TObject>
  extends Omit<RouteSpec, 'method' | 'path' | 'query' | 'body' | 'status'> {
  query?: Q;
  body?: B;
  /** 200, if left out. */
  status?: RouteSpec['status'];
  handle(service: HoldpointService, input: RouteInput<Ids<Path>, Static<Q>, Static<B>>): Promise<unknown>;
  stream?: RouteStream<Ids<Path>, Static<Q>, Static<B>>;
}

const ids = Type.Object({}, { additionalProperties: Id });

/** Infers the types of a handler from the path and the schemas of its route. */
export function route<const Path extends string, Q extends TObject, B extends TObject>(
  method: Method,
  path: Path,
  spec: TypedRoute<Path, Q, B>,
): Route {
  return { method, path, status: 200, params: ids, ...spec } as Route;
}
