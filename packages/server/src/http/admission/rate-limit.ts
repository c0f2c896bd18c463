/** Limits how often each key, responder, visitor and address may call. */
import { isIP } from 'node:net';
import { fail } from '@holdpoint/protocol';
import { type Caller, isSession } from '../../domain/caller.ts';

export interface RateLimits {
  /** Calls per second of one API key. A burst may use the calls of five seconds. Absent: no limit, except for public keys. */
  keyRateLimit?: number;
  /** Calls per second of one responder or person, over all their sessions. Absent: no limit. */
  responderRateLimit?: number;
  /** Sessions per minute from one address with one public key. Absent: no limit. */
  sessionRateLimit?: number;
}

/** Limit of a public key, which only opens sessions. Everybody can read the key, so it always has a limit. */
const sessionsPerSecond = 20;
const burstSeconds = 5;

export function rateLimiter(limits: RateLimits, now?: () => number) {
  const buckets = new TokenBuckets(now);
  return (caller: Caller, address: string): void => {
    for (const allowance of allowancesOf(limits, caller, address)) buckets.take(allowance);
  };
}

function allowancesOf(limits: RateLimits, caller: Caller, address: string): Allowance[] {
  const name = countedAs(caller);
  const network = networkOf(address);
  const { keyRateLimit, responderRateLimit, sessionRateLimit } = limits;
  if (caller.kind === 'responder') {
    const ofPerson = calls(name, responderRateLimit);
    // Also counts all sessions of one address together, so that new sessions do not get around the limit.
    if (!isSession(caller) || !responderRateLimit || !sessionRateLimit) return ofPerson;
    return [...ofPerson, ...calls(`visitors ${caller.orgId} ${network}`, responderRateLimit * sessionRateLimit)];
  }
  if (caller.kind === 'person') return calls(name, responderRateLimit);
  if (caller.role !== 'public') return calls(name, keyRateLimit);
  return [...sessions(`${name} ${network}`, sessionRateLimit), ...calls(name, keyRateLimit || sessionsPerSecond)];
}

const calls = (name: string, perSecond: number | undefined): Allowance[] =>
  perSecond ? [{ name, perSecond, burst: perSecond * burstSeconds, words: `${perSecond} calls a second` }] : [];

const sessions = (name: string, perMinute: number | undefined): Allowance[] =>
  perMinute ? [{ name, perSecond: perMinute / 60, burst: perMinute, words: `${perMinute} sessions a minute` }] : [];

/**
 * Counts a session by its thread, because a visitor of a page can claim any `customerId`. Otherwise one visitor could
 * use up the limit of another.
 */
export function countedAs(caller: Caller): string {
  const { orgId } = caller;
  if (caller.kind === 'key') return `key ${orgId} ${caller.keyId}`;
  if (caller.kind === 'person') return `person ${orgId} ${caller.person.id}`;
  const { scope, responderId } = caller;
  return 'threadId' in scope && scope.isSession
    ? `session ${orgId} ${scope.threadId}`
    : `person ${orgId} ${responderId}`;
}

/** Returns the address, or the first half of an IPv6 address: the owner of one has all with the same first half. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [, mapped] = /^::ffff:([\d.]+)$/i.exec(address) ?? [];
  if (mapped) return mapped;
  const [head = '', tail] = address.split('::');
  const groupsOf = (part = '') => part.split(':').filter(Boolean);
  const missing = tail === undefined ? 0 : 8 - groupsOf(head).length - groupsOf(tail).length;
  return [...groupsOf(head), ...Array<string>(missing).fill('0'), ...groupsOf(tail)].slice(0, 4).join(':');
}

interface Allowance {
  name: string;
  perSecond: number;
  burst: number;
  words: string;
}

const maxBuckets = 100_000;

/** Token buckets, one for each name: a short burst passes, a steady flood does not. */
export class TokenBuckets {
  readonly #now: () => number;
  readonly #buckets = new Map<string, { left: number; at: number }>();

  constructor(now: () => number = performance.now.bind(performance)) {
    this.#now = now;
  }

  /** Fails if the bucket is empty. */
  take({ name, perSecond, burst, words }: Allowance): void {
    const at = this.#now();
    const bucket = this.#buckets.get(name) ?? { left: burst, at };
    bucket.left = Math.min(burst, bucket.left + ((at - bucket.at) / 1000) * perSecond);
    bucket.at = at;
    // Moves the bucket to the end, so that the first one is the least recently used, which is dropped.
    this.#buckets.delete(name);
    if (this.#buckets.size >= maxBuckets) {
      const [oldest = ''] = this.#buckets.keys();
      this.#buckets.delete(oldest);
    }
    this.#buckets.set(name, bucket);
    if (bucket.left < 1)
      fail('rate-limited', `At most ${words}. Wait a moment.`, {
        retryAfterMs: ((1 - bucket.left) / perSecond) * 1000,
      });
    bucket.left -= 1;
  }
}
