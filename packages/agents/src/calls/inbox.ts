/** The messages of people that a run was given, and which of them it has read. */
import type { HoldpointService, LogEvent, Message, Run } from '@holdpoint/protocol';
import { reach } from '../engine/breaks.ts';
import type { Journal } from '../engine/journal.ts';
import type { Asked } from './asked.ts';

export interface ReadMessage {
  seq: number;
  message: Message;
}

export class Inbox {
  readonly #service: HoldpointService;
  readonly #threadId: string;
  /** What comes after this belongs to a later batch. */
  readonly deliveredSeq: number;
  readonly #read = new Set<number>();
  /** All up to here were read. */
  #low: number;
  #taking: Promise<unknown> = Promise.resolve();

  constructor(service: HoldpointService, { threadId, fromSeq, deliveredSeq }: Run, journal: Journal) {
    this.#service = service;
    this.#threadId = threadId;
    this.deliveredSeq = deliveredSeq;
    this.#low = fromSeq - 1;
    for (const { type, state, data } of journal.settled) {
      if (state !== 'done') continue;
      if (type === 'message') this.#low = Math.max(this.#low, (data as ReadMessage).seq);
      const { interrupted } = (data ?? {}) as { interrupted?: ReadMessage };
      if (type === 'ask' && interrupted) this.#read.add(interrupted.seq);
    }
    for (const { type, notes, isSettled } of journal.calls.values()) {
      const { interruptedBy } = ((type === 'ask' && !isSettled && notes.at(-1)) || {}) as Partial<Asked>;
      if (interruptedBy !== undefined) this.#read.add(interruptedBy);
    }
  }

  /** The first that was not read, of those after a place in the log if one is named. One at a time, in the order of asking. */
  take({ after }: { after?: number } = {}): Promise<ReadMessage | undefined> {
    const taken = this.#taking.then(() => this.#find(after));
    this.#taking = taken.catch(() => {});
    return taken;
  }

  putBack(seq: number): void {
    this.#read.delete(seq);
  }

  /** One that was read before. */
  async at(seq: number): Promise<ReadMessage> {
    const { data } = await this.#page(seq - 1, 1);
    const [found] = data.flatMap(messageOf);
    if (!found) throw new Error(`The log has no message at ${seq}.`);
    return found;
  }

  async #find(place: number | undefined): Promise<ReadMessage | undefined> {
    for (let after = Math.max(this.#low, place ?? 0); after < this.deliveredSeq; ) {
      const { data } = await this.#page(after);
      const found = data
        .filter(({ seq }) => seq <= this.deliveredSeq)
        .flatMap(messageOf)
        .find(({ seq }) => !this.#read.has(seq));
      if (found) {
        if (place === undefined) this.#low = found.seq;
        else this.#read.add(found.seq);
        return found;
      }
      const last = data.at(-1);
      if (!last) return undefined;
      after = last.seq;
    }
    return undefined;
  }

  #page(after: number, limit?: number) {
    const from = { threadId: this.#threadId, after, ...(limit === undefined ? {} : { limit }) };
    return reach(() => this.#service.readLog(from));
  }
}

function messageOf({ seq, type, data }: LogEvent): ReadMessage[] {
  const message = type === 'message.created' ? (data.message as Message | undefined) : undefined;
  return message?.role === 'user' ? [{ seq, message }] : [];
}
