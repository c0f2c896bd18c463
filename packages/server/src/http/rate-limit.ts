/** Token buckets, one per key, responder or address: a short burst passes, a steady flood does not. */
import { fail } from '@holdpoint/protocol';
import type { Caller } from '../domain/caller.ts';

export interface RateLimits {
  /** Calls per second; a burst may take five seconds' worth. Absent: no limit, but for public keys. */
  perKey?: number;
  perResponder?: number;
  /** Sessions per minute that one address opens with one public key. Absent: no limit. */
  sessionsPerMinute?: number;
}

/** Of a public key, whose one call opens a session: anybody can read it, so there is always a limit. */
const sessionsPerSecond = 20;
const burstSeconds = 5;
const maxBuckets = 100_000;

interface Allowance {
  name: string;
  perSecond: number;
  burst: number;
  words: string;
}

export function rateLimiter(limits: RateLimits, now: () => number = performance.now.bind(performance)) {
  const buckets = new Map<string, { left: number; at: number }>();

  function take({ name, perSecond, burst, words }: Allowance): void {
    const at = now();
    const bucket = buckets.get(name) ?? { left: burst, at };
    bucket.left = Math.min(burst, bucket.left + ((at - bucket.at) / 1000) * perSecond);
    bucket.at = at;
    // Taken out and put back, so that the first is the one that was used least lately: that one is forgotten.
    buckets.delete(name);
    if (buckets.size >= maxBuckets) {
      const [oldest = ''] = buckets.keys();
      buckets.delete(oldest);
    }
    buckets.set(name, bucket);
    if (bucket.left < 1)
      fail('rate-limited', `At most ${words}; wait a moment.`, {
        retryAfterMs: ((1 - bucket.left) / perSecond) * 1000,
      });
    bucket.left -= 1;
  }

  return (caller: Caller, address: string): void => {
    for (const allowance of allowancesOf(limits, caller, address)) take(allowance);
  };
}

function allowancesOf(limits: RateLimits, caller: Caller, address: string): Allowance[] {
  if (caller.kind === 'responder') {
    const { orgId, responderId } = caller;
    return calls(`r ${orgId} ${responderId}`, limits.perResponder);
  }
  const { keyId, role } = caller;
  if (role !== 'public') return calls(`k ${keyId}`, limits.perKey);
  const { perKey = sessionsPerSecond, sessionsPerMinute } = limits;
  return [...sessions(`s ${keyId} ${address}`, sessionsPerMinute), ...calls(`k ${keyId}`, perKey)];
}

const calls = (name: string, perSecond: number | undefined): Allowance[] =>
  perSecond === undefined
    ? []
    : [{ name, perSecond, burst: perSecond * burstSeconds, words: `${perSecond} calls a second` }];

const sessions = (name: string, perMinute: number | undefined): Allowance[] =>
  perMinute === undefined
    ? []
    : [{ name, perSecond: perMinute / 60, burst: perMinute, words: `${perMinute} sessions a minute` }];
