/** Limits how often each key, responder, visitor and address may call. */
import { type Caller, isSession } from '../../domain/caller.ts';
import { countedAs, networkOf } from './counted-as.ts';
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
  const name = countedAs(caller);
  const network = networkOf(address);
  const { perKey, perResponder, sessionsPerMinute } = limits;
  if (caller.kind === 'responder') {
    const ofPerson = calls(name, perResponder);
    // Also counts all sessions of one address together, so that new sessions do not get around the limit.
    if (!isSession(caller) || perResponder === undefined || sessionsPerMinute === undefined) return ofPerson;
    return [...ofPerson, ...calls(`visitors ${caller.orgId} ${network}`, perResponder * sessionsPerMinute)];
  }
  if (caller.role !== 'public') return calls(name, perKey);
  return [...sessions(`${name} ${network}`, sessionsPerMinute), ...calls(name, perKey ?? sessionsPerSecond)];
}

const calls = (name: string, perSecond: number | undefined): Allowance[] =>
  perSecond === undefined
    ? []
    : [{ name, perSecond, burst: perSecond * burstSeconds, words: `${perSecond} calls a second` }];

const sessions = (name: string, perMinute: number | undefined): Allowance[] =>
  perMinute === undefined
    ? []
    : [{ name, perSecond: perMinute / 60, burst: perMinute, words: `${perMinute} sessions a minute` }];
