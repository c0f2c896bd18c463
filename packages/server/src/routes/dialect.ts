/** A dialect as data: the routes of another protocol, each translated into native verbs, and its faults. */
import type { EphemeralEvent, EventFilter, EventType, Fault, Interaction, LogEvent } from '@holdpoint/protocol';
import type { Static, TObject } from 'typebox';
import type { Route } from './route.ts';

export interface Dialect {
  name: string;
  /** The dialect also renders the faults of unknown routes under these paths. */
  prefixes: readonly string[];
  routes: readonly Route[];
  /** Whether the dialect takes a call on a path that it shares with another dialect. Without it, it takes all. */
  takes?(call: Call): boolean;
  /** Pages of every origin may call it, because they send a token and no cookie. */
  isOpenToPages?: boolean;
  stream?: StreamRoute;
  /** Public documents, or functions that create them, by path. */
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
  /** Undefined if the body was not read. */
  body: unknown;
}

export type RenderFault = (fault: Fault, requestId: string) => RenderedFault;

interface RenderedFault {
  status: number;
  body: object | string;
  /** JSON, if left out. */
  contentType?: string;
}

/** The log as server-sent events of the dialect. */
export interface StreamRoute {
  path: string;
  query: TObject;
  /** The native events that have a counterpart in the dialect. */
  types: readonly EventType[];
  read(query: unknown): WantedEvents;
  render(event: LogEvent, interaction: Interaction | undefined, orgId: string): { type: string } | undefined;
  renderEphemeral?(event: EphemeralEvent): { type: string } | undefined;
  /** For browsers, which send no header with an EventSource. */
  takesTokenInQuery?: boolean;
}

export interface WantedEvents extends Omit<EventFilter, 'types'> {
  after?: string;
  ephemeral?: boolean;
}

/** Infers the type of the query from its schema. */
export const streamRoute = <Q extends TObject>(
  stream: Omit<StreamRoute, 'query' | 'read'> & { query: Q; read(query: Static<Q>): WantedEvents },
): StreamRoute => stream as StreamRoute;

export const isUnder = (prefix: string, path: string): boolean => path === prefix || path.startsWith(`${prefix}/`);
