/** The messages of people that a run was given, and which of them it has read. */
import { type HoldpointService, type LogEvent, limits, type Message, type Run } from '@holdpoint/protocol';
import { reach } from '../engine/breaks.ts';
import type { Journal } from '../engine/journal.ts';
import { seqsRead } from './seqs-read.ts';

export interface ReadMessage {
  seq: number;
  message: Message;
}

export class Inbox {
  readonly #service: HoldpointService;
  readonly #threadId: string;
  /** The place of the message that began the run. */
  readonly #fromSeq: number;
  /** What comes after this belongs to a later batch. */
  readonly #deliveredSeq: number;
  readonly #read: Set<number>;
  /** All up to here were read. */
  #low: number;
  #taking: Promise<unknown> = Promise.resolve();

  constructor(service: HoldpointService, { threadId, fromSeq, deliveredSeq }: Run, journal: Journal) {
    this.#service = service;
    this.#threadId = threadId;
    this.#fromSeq = fromSeq;
    this.#deliveredSeq = deliveredSeq;
    this.#low = fromSeq - 1;
    this.#read = seqsRead(journal);
  }

  /** The first that was not read. */
  take(): Promise<ReadMessage | undefined> {
    return this.#inTurn(() => this.#next());
  }

  /** The first that was not read, but never the one that began the run: whatever is asked, is asked because of it. */
  takeLater(): Promise<ReadMessage | undefined> {
    return this.#inTurn(() => this.#find(Math.max(this.#low, this.#fromSeq)));
  }

  takeAll(): Promise<ReadMessage[]> {
    return this.#inTurn(async () => {
      const all: ReadMessage[] = [];
      for (let found = await this.#next(); found; found = await this.#next()) all.push(found);
      return all;
    });
  }

  putBack(seq: number): void {
    this.#read.delete(seq);
    this.#low = Math.min(this.#low, seq - 1);
  }

  /** One that was read before. */
  async at(seq: number): Promise<ReadMessage> {
    const { data } = await this.#page(seq - 1, 1);
    const [found] = data.flatMap(messageOf);
    if (!found) throw new Error(`The log has no message at ${seq}.`);
    return found;
  }

  /** One at a time, in the order of asking. */
  #inTurn<T>(take: () => Promise<T>): Promise<T> {
    const taken = this.#taking.then(take);
    this.#taking = taken.catch(() => {});
    return taken;
  }

  async #next(): Promise<ReadMessage | undefined> {
    const low = this.#low;
    const found = await this.#find(low);
    // Unless one was put back meanwhile.
    if (this.#low === low) this.#low = found?.seq ?? this.#deliveredSeq;
    return found;
  }

  async #find(place: number): Promise<ReadMessage | undefined> {
    for (let after = place; after < this.#deliveredSeq; ) {
      const { data } = await this.#page(after, limits.pageSize);
      const found = data
        .filter(({ seq }) => seq <= this.#deliveredSeq)
        .flatMap(messageOf)
        .find(({ seq }) => !this.#read.has(seq));
      if (found) {
        this.#read.add(found.seq);
        return found;
      }
      const last = data.at(-1);
      if (!last) return undefined;
      after = last.seq;
    }
    return undefined;
  }

  #page(after: number, limit: number) {
    return reach(() => this.#service.readLog({ threadId: this.#threadId, after, limit }));
  }
}

function messageOf({ seq, type, data }: LogEvent): ReadMessage[] {
  const message = type === 'message.created' ? (data.message as Message | undefined) : undefined;
  return message?.role === 'user' ? [{ seq, message }] : [];
}
