/** The messages of people that a run got, and which of them it has read. */
import { type HoldpointService, type LogEvent, limits, type Message, type Run } from '@holdpoint/protocol';
import { reach } from '../engine/errors.ts';
import type { Asked, Journal } from '../engine/journal.ts';

export interface ReadMessage {
  seq: number;
  message: Message;
}

export class Inbox {
  readonly #service: HoldpointService;
  /** The message at `fromSeq` began the run. Messages after `deliveredSeq` belong to a later batch. */
  readonly #run: Run;
  readonly #read: Set<number>;
  /** All messages up to here were read. */
  #low: number;
  #taking: Promise<unknown> = Promise.resolve();

  constructor(service: HoldpointService, run: Run, journal: Journal) {
    this.#service = service;
    this.#run = run;
    this.#low = run.fromSeq - 1;
    this.#read = seqsRead(journal);
  }

  /** Returns the first unread message. */
  take(): Promise<ReadMessage | undefined> {
    return this.#inTurn(() => this.#next());
  }

  /** Returns the first unread message except the one that began the run, which cannot be a reply to a question. */
  takeLater(): Promise<ReadMessage | undefined> {
    return this.#inTurn(() => this.#find(Math.max(this.#low, this.#run.fromSeq)));
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

  /** Returns a message that was read before. */
  async at(seq: number): Promise<ReadMessage> {
    const { data } = await this.#page(seq - 1, 1);
    const [found] = data.flatMap(messageOf);
    if (!found) throw new Error(`The log has no message at ${seq}.`);
    return found;
  }

  /** Runs one at a time, in the order of the calls. */
  #inTurn<T>(take: () => Promise<T>): Promise<T> {
    const taken = this.#taking.then(take);
    this.#taking = taken.catch(() => {});
    return taken;
  }

  async #next(): Promise<ReadMessage | undefined> {
    const low = this.#low;
    const found = await this.#find(low);
    // Unless a message was put back meanwhile.
    if (this.#low === low) this.#low = found?.seq ?? this.#run.deliveredSeq;
    return found;
  }

  async #find(place: number): Promise<ReadMessage | undefined> {
    const { deliveredSeq } = this.#run;
    for (let after = place; after < deliveredSeq; ) {
      const { data } = await this.#page(after, limits.pageSize);
      const found = data
        .filter(({ seq }) => seq <= deliveredSeq)
        .flatMap(messageOf)
        .find(({ seq }) => !this.#read.has(seq));
      if (found) {
        this.#read.add(found.seq);
        return found;
      }
      after = data.at(-1)?.seq ?? deliveredSeq;
    }
    return undefined;
  }

  #page(after: number, limit: number) {
    return reach(() => this.#service.readLog({ threadId: this.#run.threadId, after, limit }));
  }
}

function messageOf({ seq, type, data }: LogEvent): ReadMessage[] {
  const message = type === 'message.created' ? (data.message as Message | undefined) : undefined;
  return message?.role === 'user' ? [{ seq, message }] : [];
}

interface Kept {
  /** Kept by `message`. */
  seq?: number;
  /** Kept by `unread`. */
  messages?: { seq: number }[];
  /** Kept by `ask`. */
  interrupted?: { seq: number };
}

/** Returns the places in the log of the messages that a run has read. */
function seqsRead({ settled, calls }: Journal): Set<number> {
  const read = new Set<number>();
  for (const { type, state, data } of settled) {
    if (state !== 'done' || (type !== 'message' && type !== 'ask')) continue;
    const { seq, messages = [], interrupted } = data as Kept;
    for (const each of [{ seq }, ...messages, { seq: interrupted?.seq }])
      if (each.seq !== undefined) read.add(each.seq);
  }
  for (const { type, notes, isSettled } of calls.values()) {
    if (type !== 'ask' || isSettled) continue;
    const { interruptedBy } = (notes.at(-1) ?? {}) as Partial<Asked>;
    if (interruptedBy !== undefined) read.add(interruptedBy);
  }
  return read;
}
