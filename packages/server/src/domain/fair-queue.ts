import { WorkShare, type WorkShareOptions } from './work-share.ts';

/**
 * Items of many orgs, taken in turns. The next item belongs to the org that has waited longest for its turn, so an org with
 * a thousand items delays another by one item, not by a thousand. An org that has used up its share of the time is passed
 * over until it has rested.
 */
export class FairQueue<T> {
  /** In the order of the turns. */
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

  /** The time until an item may be taken: 0 if one may be taken now, infinite if there is none. */
  waitMs(now: number): number {
    return Math.min(...Array.from(this.#waiting.keys(), (orgId) => this.#shares.restMs(orgId, now)));
  }
}
