/**
 * What nodes tell each other and nobody keeps: a notification each, which comes back to who sent it as well. What is told
 * while one is on its way goes with the next, so that a busy node notifies no more often than the database takes it.
 */
import { maxToldBytes, type Told } from '../store.ts';

/** One statement has so many; as many may wait for it. More come only where the database does not take them. */
const batchSize = 256;
const maxWaiting = 4_096;

export class Tellings {
  readonly #send: (payloads: readonly string[]) => Promise<void>;
  #waiting: string[] = [];
  #sending: Promise<void> | undefined;
  #count = 0;

  /** Sending must not reject. */
  constructor(send: (payloads: readonly string[]) => Promise<void>) {
    this.#send = send;
  }

  tell(event: Told): void {
    // Of equal notifications in one transaction only the first arrives: the number tells them apart.
    const payload = JSON.stringify({ ...event, number: this.#count++ } satisfies Payload);
    if (Buffer.byteLength(payload) > maxPayloadBytes || this.#waiting.length >= maxWaiting) return;
    this.#waiting.push(payload);
    this.#sending ??= this.#sendAll();
  }

  /** What is to be sent is sent. */
  async finish(): Promise<void> {
    await this.#sending;
  }

  async #sendAll(): Promise<void> {
    // What a turn of the event loop tells goes together.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) await this.#send(this.#waiting.splice(0, batchSize));
    this.#sending = undefined;
  }
}

type Payload = Told & { number: number };

const maxPayloadBytes = maxToldBytes + Buffer.byteLength(`,"number":${Number.MAX_SAFE_INTEGER}`);

/** Undefined where it is nothing that a node of this version would tell. */
export function readTold(payload: string): Told | undefined {
  try {
    const { number, ...told } = JSON.parse(payload) as Payload;
    return number === undefined ? undefined : told;
  } catch {
    return undefined;
  }
}
