/** Decides when a failed attempt is repeated. */
import type { Delivery } from '@holdpoint/protocol';

export interface RetryPolicy {
  firstMs: number;
  longestMs: number;
  /** Counted from the first attempt. A delivery whose next attempt would be later is given up. */
  giveUpMs: number;
  longestRetryAfterMs: number;
}

const hour = 3_600_000;

export const retryPolicy: RetryPolicy = {
  firstMs: 1_000,
  longestMs: 6 * hour,
  giveUpMs: 72 * hour,
  longestRetryAfterMs: 24 * hour,
};

export interface FailedAttempts {
  /** Number of attempts, with the one that has just failed. */
  count: number;
  firstAt: number;
  now: number;
  /** The pause for which the receiver asked. */
  retryAfterMs?: number;
  /** From 0 up to 1. */
  random: number;
}

/** Returns the time of the next attempt, or undefined for none. Half of the delay is random, so that deliveries that failed together are not repeated together. */
export function nextAttempt(
  { count, firstAt, now, retryAfterMs = 0, random }: FailedAttempts,
  { firstMs, longestMs, giveUpMs, longestRetryAfterMs }: RetryPolicy = retryPolicy,
): number | undefined {
  const delayMs = Math.min(firstMs * 2 ** Math.min(count - 1, 40), longestMs);
  const jittered = delayMs * (0.5 + random / 2);
  const at = Math.ceil(now + Math.max(jittered, Math.min(retryAfterMs, longestRetryAfterMs)));
  return at - firstAt > giveUpMs ? undefined : at;
}

/**
 * Returns when a pending delivery is due; 0 if it was never attempted. A clock that was ahead may have stored a time
 * that is hours away, so the wait is never longer than it was after the last attempt.
 */
export function dueAt({ nextAttemptAt, attempts }: Pick<Delivery, 'nextAttemptAt' | 'attempts'>, now: number): number {
  if (nextAttemptAt === undefined) return 0;
  const at = Date.parse(nextAttemptAt);
  const last = attempts.at(-1);
  return last ? Math.min(at, now + at - Date.parse(last.at)) : at;
}

const sparedAfter = 20;
const longestSpareMs = 60_000;

/** Reports whether an endpoint has failed so often in a row that its retries go one at a time. */
export const isSpared = (failuresInARow: number): boolean => failuresInARow >= sparedAfter;

/**
 * Returns the pause after each retry to such an endpoint. Without it, a thousand pending deliveries used 3 % of a core,
 * because each one found out for itself that the endpoint was dead.
 */
export const spareMs = (retriesSince: number, { firstMs, longestMs }: RetryPolicy = retryPolicy): number =>
  Math.min(firstMs * 2 ** Math.min(retriesSince, 40), longestMs, longestSpareMs);

/** Reads Retry-After: seconds or a date. Other text is ignored. */
export function readRetryAfter(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  if (/^\s*\d{1,10}\s*$/.test(text)) return Number(text) * 1_000;
  const at = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(at - now, 0);
}
