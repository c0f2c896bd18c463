/** What a follower of the log wants, in which words, and where it goes. */
import type { EphemeralEvent, EventFilter, LogEvent } from '@holdpoint/protocol';

/** Where a follower's events go. */
export interface Sink {
  send(frame: string): void;
  /** Resolves when earlier frames have gone out. Rejects where the reader is too slow or gone. */
  drained(): Promise<void>;
  end(): void;
}

/** How events are written. Each is rendered once for all who follow with the same format, that is, the same object. */
export interface EventFormat {
  /** Undefined: it has no words for this one, and nobody is sent it. */
  render(event: LogEvent, orgId: string): string | undefined | Promise<string | undefined>;
  /** Whom an event is for, by name. Without it, it is for all who follow. */
  audience?(event: LogEvent, orgId: string): readonly string[] | Promise<readonly string[]>;
  /** For what is told and kept nowhere. Without it, none of that is sent. */
  renderEphemeral?(event: EphemeralEvent): string | undefined;
}

export interface Following {
  orgId: string;
  filter: EventFilter;
  /** The cursor after which to begin. */
  after: string;
  sink: Sink;
  /** That of the hub, if left out. */
  format?: EventFormat;
  /** Who follows, for a format that says whom an event is for. */
  person?: string;
  /** Whether it is also sent what is told and kept nowhere. */
  ephemeral?: boolean;
}
