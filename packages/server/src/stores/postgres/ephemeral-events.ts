/**
 * Publishes ephemeral events to all nodes, each as one notification, which also comes back to the sender. Events that are
 * published while a statement is under way go with the next, so a busy node notifies no more often than the database
 * accepts.
 */
import { maxPublishedBytes, type PublishedEvent } from '../store.ts';

/** Events in one statement. */
const batchSize = 256;
/** More events wait only if the database accepts none. Later ones are dropped. */
const maxWaiting = 4_096;

export class EphemeralPublisher {
  readonly #send: (payloads: readonly string[]) => Promise<void>;
  #waiting: string[] = [];
  #sending: Promise<void> | undefined;
  #count = 0;

  /** Sending must not reject. */
  constructor(send: (payloads: readonly string[]) => Promise<void>) {
    this.#send = send;
  }

  publish(event: PublishedEvent): void {
    // PostgreSQL delivers only the first of equal notifications in a transaction, so each gets a number.
    const payload = JSON.stringify({ ...event, number: this.#count++ } satisfies Payload);
    if (Buffer.byteLength(payload) > maxPayloadBytes || this.#waiting.length >= maxWaiting) return;
    this.#waiting.push(payload);
    this.#sending ??= this.#sendAll();
  }

  /** Waits until all waiting events are sent. */
  async finish(): Promise<void> {
    await this.#sending;
  }

  async #sendAll(): Promise<void> {
    // The events of one turn of the event loop go together.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) await this.#send(this.#waiting.splice(0, batchSize));
    this.#sending = undefined;
  }
}

type Payload = PublishedEvent & { number: number };

const maxPayloadBytes = maxPublishedBytes + Buffer.byteLength(`,"number":${Number.MAX_SAFE_INTEGER}`);

/** Returns undefined if no node of this version would have sent this. */
export function readPublished(payload: string): PublishedEvent | undefined {
  try {
    const { number, ...event } = JSON.parse(payload) as Payload;
    return number === undefined ? undefined : event;
  } catch {
    return undefined;
  }
}
