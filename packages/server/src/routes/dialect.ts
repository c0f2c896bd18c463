/** A dialect as data: the calls of another system, each one a call of ours, and its way to say what went wrong. */
import type { EphemeralEvent, EventFilter, EventType, Fault, Interaction, LogEvent } from '@holdpoint/protocol';
import type { Static, TObject } from 'typebox';
import type { Route } from './route.ts';

export interface Dialect {
  name: string;
  /** Whatever goes wrong under these paths is told its way. */
  prefixes: readonly string[];
  routes: readonly Route[];
  /** Whether a call under a path that it shares with another dialect is its own; without it, all are. */
  takes?(call: Call): boolean;
  /** Pages of every origin may call it: what they hold is a token of their own, and no cookie. */
  isOpenToPages?: boolean;
  stream?: StreamRoute;
  /** What anybody may read, by its path; or what makes it. */
  documents?: Readonly<Record<string, object | ((server: RunningServer) => object)>>;
  renderFault: RenderFault;
}

export interface RunningServer {
  version: string;
  uptimeSeconds: number;
}

export interface Call {
  method: string;
  path: string;
  /** Undefined where it was not read. */
  body: unknown;
}

export type RenderFault = (fault: Fault, requestId: string) => RenderedFault;

interface RenderedFault {
  status: number;
  body: object | string;
  /** JSON, if left out. */
  contentType?: string;
}

/** The log as server-sent events, in the words of the dialect. */
export interface StreamRoute {
  path: string;
  query: TObject;
  /** Those of our events that it has a word for. */
  types: readonly EventType[];
  read(query: unknown): WantedEvents;
  tell(event: LogEvent, interaction: Interaction | undefined, orgId: string): Told | undefined;
  tellEphemeral?(event: EphemeralEvent): Told | undefined;
  /** For browsers, which send no header with an EventSource. */
  takesTokenInQuery?: boolean;
}

export interface WantedEvents extends Omit<EventFilter, 'types'> {
  after?: string;
  ephemeral?: boolean;
}

interface Told {
  type: string;
}

/** Ties what is read from a query to its schema. */
export const streamRoute = <Q extends TObject>(
  stream: Omit<StreamRoute, 'query' | 'read'> & { query: Q; read(query: Static<Q>): WantedEvents },
): StreamRoute => stream as StreamRoute;

export const isUnder = (prefix: string, path: string): boolean => path === prefix || path.startsWith(`${prefix}/`);
