/** Token buckets, one per key or responder: a short burst passes, a steady flood does not. */
import { fail } from '@holdpoint/protocol';
import type { Caller } from '../domain/caller.ts';

export interface RateLimits {
  /** Calls per second; a burst may take five seconds' worth. Absent: no limit. */
  perKey?: number;
  perResponder?: number;
}

const burstSeconds = 5;
const maxBuckets = 100_000;

export function rateLimiter(
  { perKey, perResponder }: RateLimits,
  now: () => number = performance.now.bind(performance),
) {
  const buckets = new Map<string, { left: number; at: number }>();
  return (caller: Caller): void => {
    const rate = caller.kind === 'key' ? perKey : perResponder;
    if (rate === undefined) return;
    const name = caller.kind === 'key' ? `k ${caller.keyId}` : `r ${caller.orgId} ${caller.responderId}`;
    const at = now();
    const bucket = buckets.get(name) ?? { left: rate * burstSeconds, at };
    bucket.left = Math.min(rate * burstSeconds, bucket.left + ((at - bucket.at) / 1000) * rate);
    bucket.at = at;
    if (buckets.size >= maxBuckets) buckets.clear();
    buckets.set(name, bucket);
    if (bucket.left < 1) {
      const retryAfterMs = ((1 - bucket.left) / rate) * 1000;
      fail('rate-limited', `At most ${rate} calls a second; wait a moment.`, { retryAfterMs });
    }
    bucket.left -= 1;
  };
}
