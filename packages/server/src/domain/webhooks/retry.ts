/** When a failed attempt is made again. */
export interface RetryPolicy {
  firstMs: number;
  longestMs: number;
  /** Counted from the first attempt; what would come later is given up. */
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
  /** How many there were, with the one that has just failed. */
  count: number;
  firstAt: number;
  now: number;
  /** What the receiver asked for. */
  retryAfterMs?: number;
  /** From 0 up to 1. */
  random: number;
}

/** The time of the next attempt; undefined: none. Half of the delay is random, so that a crowd that failed together does not come back together. */
export function nextAttempt(
  { count, firstAt, now, retryAfterMs = 0, random }: FailedAttempts,
  { firstMs, longestMs, giveUpMs, longestRetryAfterMs }: RetryPolicy = retryPolicy,
): number | undefined {
  const delayMs = Math.min(firstMs * 2 ** Math.min(count - 1, 40), longestMs);
  const jittered = delayMs * (0.5 + random / 2);
  const at = Math.ceil(now + Math.max(jittered, Math.min(retryAfterMs, longestRetryAfterMs)));
  return at - firstAt > giveUpMs ? undefined : at;
}

/** Retry-After: seconds or a date. What is neither says nothing. */
export function readRetryAfter(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  if (/^\s*\d{1,10}\s*$/.test(text)) return Number(text) * 1_000;
  const at = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(at - now, 0);
}
