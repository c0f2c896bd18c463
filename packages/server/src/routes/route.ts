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

/** The parts of a route that the server checks, and its line in the reference. */
export interface RouteSpec {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  summary: string;
  /** Left out, each id of the path is any text of 1 to 256 characters. */
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
  status: 200 | 201 | 204;
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
  method: RouteSpec['method'],
  path: Path,
  spec: TypedRoute<Path, Q, B>,
): Route {
  return { method, path, status: 200, params: ids, ...spec } as Route;
}
