/**
 * Gives turns of the event loop to streams that catch up: one slice of one stream in each turn, and the orgs one after
 * the other. Without it the streams would render page after page, and every other call would wait until they are done.
 */
import { FairQueue } from '../domain/fair-queue.ts';

/** Limits the time of the slices of one org in the main thread, which every call needs. */
const sliceShare = { share: 0.3, burstMs: 20 };

export class Turns {
  readonly #waiting = new FairQueue<{ orgId: string; resolve(): void }>(sliceShare);
  #isGiving = false;
  #resting: NodeJS.Timeout | undefined;

  /** Resolves in a turn of the event loop that no other caller gets. */
  next(orgId: string): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.add(orgId, { orgId, resolve });
      if (!this.#isGiving) this.#giveSoon();
    });
  }

  #giveSoon(): void {
    this.#isGiving = true;
    clearTimeout(this.#resting);
    // It runs in the next turn, after the calls that have arrived meanwhile.
    setImmediate(() => {
      const began = performance.now();
      const given = this.#waiting.take(began);
      if (!given) {
        this.#isGiving = false;
        const restMs = this.#waiting.waitMs(began);
        if (restMs < Number.POSITIVE_INFINITY) this.#resting = setTimeout(() => this.#giveSoon(), restMs);
        return;
      }
      given.resolve();
      // The slice is rendered right after this callback, so in the next turn it is over.
      setImmediate(() => {
        const now = performance.now();
        this.#waiting.spend(given.orgId, now - began, now);
        this.#giveSoon();
      });
    });
  }
}
