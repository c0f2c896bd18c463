/** A follower of the log: which events it wants, in which format, and where they are sent. */
import type { EphemeralEvent, EventFilter, LogEvent } from '@holdpoint/protocol';
import type { EventHead } from '../stores/store.ts';

/** Where a follower's events go. */
export interface Sink {
  send(frame: string): void;
  /** Resolves when earlier frames have gone out. Rejects if the reader is too slow or gone. */
  drained(): Promise<void>;
  end(): void;
}

/** Renders events. Each is rendered once for all followers with the same format, that is, the same object. */
export interface EventFormat {
  /** Returns undefined if the format has no such event. Then nobody is sent it. */
  render(event: LogEvent, orgId: string): string | undefined | Promise<string | undefined>;
  /** Returns the names of the only people who may see an event. Without this method everybody may. */
  audience?(event: LogEvent, orgId: string): readonly string[] | Promise<readonly string[]>;
  /** Without this method no ephemeral event is sent. */
  renderEphemeral?(event: EphemeralEvent): string | undefined;
}

export interface Following {
  orgId: string;
  filter: EventFilter;
  /** The cursor after which to begin. */
  after: string;
  sink: Sink;
  /** The format of the hub, if left out. */
  format?: EventFormat;
  /** The follower's name, for a format with an audience. */
  person?: string;
  /** Whether it is also sent ephemeral events. */
  ephemeral?: boolean;
}

/** Reports whether a filter lets an event through. */
export function wants(
  { threadId, interactionId, types }: EventFilter,
  event: Pick<EventHead, 'threadId' | 'interactionId' | 'type'>,
): boolean {
  if (threadId !== undefined && event.threadId !== threadId) return false;
  if (interactionId !== undefined && event.interactionId !== interactionId) return false;
  return types === undefined || types.includes(event.type);
}

/** Ephemeral events belong to a thread and to no interaction. Types in a filter name events of the log only. */
export function wantsEphemeral({ threadId, interactionId }: EventFilter, event: EphemeralEvent): boolean {
  return interactionId === undefined && (threadId === undefined || threadId === event.threadId);
}
