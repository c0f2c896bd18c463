/** The log for those who read it in this process, and not at the other end of a connection. */
import type { EphemeralEvent, LogEvent } from '@holdpoint/protocol';
import type { EventHub } from './event-hub.ts';
import { EventQueue } from './event-queue.ts';
import type { EventFormat, Following } from './following.ts';

const plainFormat: EventFormat = {
  render: (event) => JSON.stringify(event),
  renderEphemeral: (event) => JSON.stringify(event),
};

/** Ends with the signal, with the hub, where the log cannot be read, and where the reader falls too far behind. */
export function eventsHere(
  hub: EventHub,
  following: Omit<Following, 'sink' | 'format'>,
  signal: AbortSignal,
): AsyncIterable<LogEvent | EphemeralEvent> {
  const events = new EventQueue<LogEvent | EphemeralEvent>();
  const sink = {
    // Read anew for each: what a reader does to its event is nobody else's.
    send: (frame: string) => events.push(JSON.parse(frame), Buffer.byteLength(frame)),
    drained: () => events.room(),
    end: () => events.end(),
  };
  signal.addEventListener('abort', sink.end, { once: true });
  hub.follow({ ...following, sink, format: plainFormat }, signal).catch(sink.end);
  return events;
}
