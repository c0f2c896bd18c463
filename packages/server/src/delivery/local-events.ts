/** Follows the log within this process, without a connection. */
import type { EphemeralEvent, LogEvent } from '@holdpoint/protocol';
import type { EventFormat, Following } from './event-channel.ts';
import type { EventHub } from './event-hub.ts';

const plainFormat: EventFormat = {
  render: (event) => JSON.stringify(event),
  renderEphemeral: (event) => JSON.stringify(event),
};

/** Ends when the signal aborts, the hub closes, the log cannot be read, or the reader falls too far behind. */
export function localEvents(
  hub: EventHub,
  following: Omit<Following, 'sink' | 'format'>,
  signal: AbortSignal,
): AsyncIterable<LogEvent | EphemeralEvent> {
  const events = new EventQueue<LogEvent | EphemeralEvent>();
  const sink = {
    // Each reader parses its own copy, so that it may change the event.
    send: (frame: string) => events.push(JSON.parse(frame), Buffer.byteLength(frame)),
    drained: () => events.room(),
    end: () => events.end(),
  };
  signal.addEventListener('abort', sink.end, { once: true });
  hub.follow({ ...following, sink, format: plainFormat }, signal).catch(sink.end);
  return events;
}

/** A reader with more waiting items will not catch up. */
const maxWaiting = 10_000;
const maxWaitingBytes = 16 * 1024 * 1024;
/** With more waiting items, reading from the log waits too. */
const ampleWaiting = 1_000;
const ampleBytes = 1024 * 1024;

/** Holds items in their order for one reader that takes them one at a time. */
export class EventQueue<T> implements AsyncIterable<T> {
  readonly #waiting: { item: T; bytes: number }[] = [];
  #bytes = 0;
  #isEnded = false;
  #wake = () => {};
  #makeRoom = () => {};

  /** Ends the queue at an item for which there is no room, because the reader must not miss one in between. */
  push(item: T, bytes: number): void {
    if (this.#isEnded) return;
    if (this.#waiting.length < maxWaiting && this.#bytes + bytes <= maxWaitingBytes) {
      this.#waiting.push({ item, bytes });
      this.#bytes += bytes;
    } else this.#isEnded = true;
    this.#wake();
  }

  /** The reader still gets the waiting items. */
  end(): void {
    this.#isEnded = true;
    this.#wake();
    this.#makeRoom();
  }

  /** Resolves when there is room for more. Rejects when the reader is gone. */
  async room(): Promise<void> {
    while (!this.#isEnded && (this.#waiting.length > ampleWaiting || this.#bytes > ampleBytes))
      await new Promise<void>((resolve) => (this.#makeRoom = resolve));
    if (this.#isEnded) throw new Error('the reader is gone');
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    while (true) {
      const first = this.#waiting.shift();
      if (first) {
        this.#bytes -= first.bytes;
        this.#makeRoom();
        yield first.item;
      } else if (this.#isEnded) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
