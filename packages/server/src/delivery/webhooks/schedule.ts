/** Decides which delivery of one webhook is attempted next. It reads no clock and sends nothing. */
import type { Delivery, Webhook } from '@holdpoint/protocol';
import TinyQueue from 'tinyqueue';
import { dueAt } from '../../domain/webhooks/retry.ts';

interface Entry {
  delivery: Delivery;
  dueAt: number;
  /** Wait until `dueAt`, counted from the moment at which `dueAt` was set. */
  waitMs: number;
  /** Being attempted, and in no queue. */
  isTaken: boolean;
  /** Its place in the queue. Earlier tickets that are still there no longer count. */
  ticket?: Ticket;
}

interface Ticket {
  entry: Entry;
  dueAt: number;
}

export class Schedule {
  readonly #entries = new Map<string, Entry>();
  /** Deliveries that may be attempted, the first due at its root. With order, only the first of each thread counts. */
  #due = new TinyQueue<Ticket>([], byDueTime);
  /** With order: the remaining deliveries of each thread, in the order of its log. */
  readonly #threads = new Map<string, Entry[]>();
  #order: Webhook['order'];

  constructor(order: Webhook['order']) {
    this.#order = order;
  }

  get size(): number {
    return this.#entries.size;
  }

  add(delivery: Delivery, now: number): void {
    if (this.#entries.has(delivery.id)) return;
    const entry: Entry = { delivery, ...waiting(dueAt(delivery, now), now), isTaken: false };
    this.#entries.set(delivery.id, entry);
    this.#enqueue(entry);
  }

  /** Returns the delivery to attempt now, if any is due. It is not returned again before `retry`. */
  take(now: number): Delivery | undefined {
    const entry = this.#peek();
    if (!entry || entry.dueAt > now) return undefined;
    this.#due.pop();
    entry.isTaken = true;
    return entry.delivery;
  }

  /** Returns when the next one is due. */
  nextDueAt(): number | undefined {
    return this.#peek()?.dueAt;
  }

  /** Schedules the next attempt after a failed one. */
  retry(delivery: Delivery, at: number, now: number): void {
    const entry = this.#entries.get(delivery.id);
    if (!entry) return;
    Object.assign(entry, { delivery, ...waiting(at, now), isTaken: false });
    if (this.#isFirst(entry)) this.#queue(entry);
  }

  /** Call it when the clock was set back. From now on no delivery waits longer than its `waitMs`. */
  clockSetBack(now: number): void {
    for (const entry of this.#entries.values()) entry.dueAt = Math.min(entry.dueAt, now + entry.waitMs);
    this.#queueAll();
  }

  /** Called when a delivery was delivered or given up. The next one of its thread may be attempted. */
  settled(id: string): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    this.#entries.delete(id);
    const { threadId } = entry.delivery.event;
    const thread = this.#threads.get(threadId);
    if (!thread) return;
    const wasFirst = thread[0] === entry;
    thread.splice(thread.indexOf(entry), 1);
    const [next] = thread;
    if (!next) this.#threads.delete(threadId);
    else if (wasFirst && !next.isTaken) this.#queue(next);
  }

  setOrder(order: Webhook['order']): void {
    if (order === this.#order) return;
    this.#order = order;
    this.#queueAll();
  }

  #queueAll(): void {
    this.#threads.clear();
    this.#due = new TinyQueue<Ticket>([], byDueTime);
    for (const entry of this.#entries.values()) this.#enqueue(entry);
  }

  #enqueue(entry: Entry): void {
    if (this.#order === 'thread') this.#enthread(entry);
    if (!entry.isTaken && this.#isFirst(entry)) this.#queue(entry);
  }

  #queue(entry: Entry): void {
    entry.ticket = { entry, dueAt: entry.dueAt };
    this.#due.push(entry.ticket);
  }

  /** Adds it nearly always at the end. A replay of an older event goes before newer ones. */
  #enthread(entry: Entry): void {
    const { threadId } = entry.delivery.event;
    const thread = this.#threads.get(threadId);
    if (!thread) return void this.#threads.set(threadId, [entry]);
    let at = thread.length;
    while (at > 0 && isBefore(entry, thread[at - 1] as Entry)) at--;
    thread.splice(at, 0, entry);
  }

  #isFirst(entry: Entry): boolean {
    return this.#order === 'none' || this.#threads.get(entry.delivery.event.threadId)?.[0] === entry;
  }

  /** Skips tickets of deliveries that were settled, taken, or overtaken by an older one since they were queued. */
  #peek(): Entry | undefined {
    while (true) {
      const ticket = this.#due.peek();
      if (!ticket) return undefined;
      const { entry } = ticket;
      const isThere = this.#entries.get(entry.delivery.id) === entry && !entry.isTaken;
      if (isThere && entry.ticket === ticket && this.#isFirst(entry)) return entry;
      this.#due.pop();
    }
  }
}

const waiting = (dueAt: number, now: number) => ({ dueAt, waitMs: Math.max(dueAt - now, 0) });

/** Compares the places in the log, then the time of creation. */
function isBefore({ delivery: a }: Entry, { delivery: b }: Entry): boolean {
  return a.event.cursor === b.event.cursor ? a.id < b.id : a.event.cursor < b.event.cursor;
}

/** By the time they are due, then by their place in the log. */
const byDueTime = (a: Ticket, b: Ticket): number => a.dueAt - b.dueAt || (isBefore(a.entry, b.entry) ? -1 : 1);
