/** How often each key, responder and address may call. */
import type { Caller } from '../domain/caller.ts';
import { type Allowance, type Monotonic, TokenBuckets } from './token-buckets.ts';

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

export function rateLimiter(limits: RateLimits, now?: Monotonic) {
  const buckets = new TokenBuckets(now);
  return (caller: Caller, address: string): void => {
    for (const allowance of allowancesOf(limits, caller, address)) buckets.take(allowance);
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
