/** Token buckets, one for each name: a short burst passes, a steady flood does not. */
import { fail } from '@holdpoint/protocol';

export interface Allowance {
  name: string;
  perSecond: number;
  burst: number;
  words: string;
}

export type Monotonic = () => number;

const maxBuckets = 100_000;

export class TokenBuckets {
  readonly #now: Monotonic;
  readonly #buckets = new Map<string, { left: number; at: number }>();

  constructor(now: Monotonic = performance.now.bind(performance)) {
    this.#now = now;
  }

  /** Refuses where nothing is left. */
  take({ name, perSecond, burst, words }: Allowance): void {
    const at = this.#now();
    const bucket = this.#buckets.get(name) ?? { left: burst, at };
    bucket.left = Math.min(burst, bucket.left + ((at - bucket.at) / 1000) * perSecond);
    bucket.at = at;
    // Taken out and put back, so that the first is the one that was used least lately: that one is forgotten.
    this.#buckets.delete(name);
    if (this.#buckets.size >= maxBuckets) {
      const [oldest = ''] = this.#buckets.keys();
      this.#buckets.delete(oldest);
    }
    this.#buckets.set(name, bucket);
    if (bucket.left < 1)
      fail('rate-limited', `At most ${words}; wait a moment.`, {
        retryAfterMs: ((1 - bucket.left) / perSecond) * 1000,
      });
    bucket.left -= 1;
  }
}
