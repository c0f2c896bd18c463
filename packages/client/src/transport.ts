/** How the verbs are reached: over HTTP, or in the process. */
import type { EphemeralEvent, EventFilter, HoldpointService, LogEvent } from '@holdpoint/protocol';

export interface Transport {
  service: HoldpointService;
  events(options: FollowOptions): AsyncIterable<LogEvent | EphemeralEvent>;
}

export interface FollowOptions extends EventFilter {
  /** A cursor, or start; from now on, without it. */
  after?: string;
  /** Also what is told and kept nowhere. */
  ephemeral?: boolean;
  /** Ends the loop. */
  signal?: AbortSignal;
  /** The connection is lost, or back: what was missed follows, but to a token for an inbox. */
  onConnection?(isThere: boolean): void;
}
