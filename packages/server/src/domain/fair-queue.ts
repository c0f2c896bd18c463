/**
 * A queue from which orgs take turns. The next item belongs to the org that has waited longest for its turn, so an org with
 * a thousand items delays another by one item, not by a thousand. The queue passes over an org that has used up its share of
 * the time, until it has rested.
 */
export class FairQueue<T> {
  /** The orgs are in the order of their turns. */
  readonly #waiting = new Map<string, T[]>();
  readonly #shares: WorkShare;

  constructor(share: WorkShareOptions) {
    this.#shares = new WorkShare(share);
  }

  add(orgId: string, item: T): void {
    const items = this.#waiting.get(orgId);
    if (items) items.push(item);
    else this.#waiting.set(orgId, [item]);
  }

  /** Removes the next item; its org goes to the end of the line. Returns nothing while every org with an item rests. */
  take(now: number): T | undefined {
    for (const [orgId, items] of this.#waiting) {
      if (this.#shares.restMs(orgId, now) > 0) continue;
      const item = items.shift();
      this.#waiting.delete(orgId);
      if (items.length > 0) this.#waiting.set(orgId, items);
      return item;
    }
    return undefined;
  }

  /** Records how long an item of the org kept the worker busy. */
  spend(orgId: string, ms: number, now: number): void {
    this.#shares.spend(orgId, ms, now);
  }

  /** Returns the time until an item may be taken: 0 if one may be taken now, infinite if there is none. */
  waitMs(now: number): number {
    return Math.min(...Array.from(this.#waiting.keys(), (orgId) => this.#shares.restMs(orgId, now)));
  }
}

/**
 * Limits the share of time for which one org may keep a shared worker busy. Turns alone do not protect the others: on a
 * machine with few cores, an org that always has another read waiting takes processor time from all other calls.
 */
export interface WorkShareOptions {
  /** Share of the time, from 0 to 1. */
  share: number;
  /** Work that an org may do at once after it was idle, so that ordinary use never waits. */
  burstMs: number;
}

/** With more orgs than this, orgs whose burst is full again are forgotten. */
const manyOrgs = 1_000;

export class WorkShare {
  readonly #options: WorkShareOptions;
  /** Orgs that worked recently. Every other org has its full burst. `at` is the caller's clock, in milliseconds. */
  readonly #credits = new Map<string, { ms: number; at: number }>();

  constructor(options: WorkShareOptions) {
    this.#options = options;
  }

  /** Returns how long the org must wait before its next piece of work. */
  restMs(orgId: string, now: number): number {
    return Math.max(0, -this.#creditOf(orgId, now) / this.#options.share);
  }

  /** Records that a piece of work for the org took this long. A very long one, as on a slow disk, counts as one burst. */
  spend(orgId: string, ms: number, now: number): void {
    const spent = Math.min(ms, this.#options.burstMs);
    this.#credits.set(orgId, { ms: this.#creditOf(orgId, now) - spent, at: now });
    if (this.#credits.size <= manyOrgs) return;
    for (const each of this.#credits.keys())
      if (this.#creditOf(each, now) >= this.#options.burstMs) this.#credits.delete(each);
  }

  /** Number of orgs that are remembered. */
  get size(): number {
    return this.#credits.size;
  }

  #creditOf(orgId: string, now: number): number {
    const { share, burstMs } = this.#options;
    const credit = this.#credits.get(orgId);
    return credit ? Math.min(burstMs, credit.ms + (now - credit.at) * share) : burstMs;
  }
}
