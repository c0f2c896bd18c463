import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dueAt, isSpared, nextAttempt, readRetryAfter, retryPolicy, spareMs } from './retry.ts';

const hour = 3_600_000;
const random = fc.double({ min: 0, max: 0.999999, noNaN: true });

test('[WH6] delays double from a second to six hours, and half of each is random', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), random, (count, chance) => {
      const at = nextAttempt({ count, firstAt: 0, now: 0, random: chance });
      const delay = Math.min(1_000 * 2 ** (count - 1), 6 * hour);
      expect(at).toBeGreaterThanOrEqual(delay / 2);
      expect(at).toBeLessThanOrEqual(delay);
    }),
  );
  expect(nextAttempt({ count: 1, firstAt: 0, now: 0, random: 0 })).toBe(500);
  expect(nextAttempt({ count: 4, firstAt: 0, now: 0, random: 0 })).toBe(4_000);
});

test('[WH6] attempts continue for nearly three days and no longer, with any random numbers', () => {
  fc.assert(
    fc.property(fc.array(random, { minLength: 200, maxLength: 200 }), (chances) => {
      let now: number | undefined = 0;
      let last = 0;
      let count = 0;
      while (now !== undefined) {
        last = now;
        count++;
        now = nextAttempt({ count, firstAt: 0, now, random: chances[count] ?? 0 });
      }
      expect(last).toBeGreaterThan(72 * hour - 6 * hour);
      expect(last).toBeLessThanOrEqual(72 * hour);
      expect(count).toBeLessThan(45);
    }),
  );
});

test('[WH6] Retry-After moves the next attempt, by a day at most, and never to an earlier time', () => {
  const failed = { count: 1, firstAt: 0, now: 0, random: 0 };
  expect(nextAttempt({ ...failed, retryAfterMs: 60_000 })).toBe(60_000);
  expect(nextAttempt({ ...failed, retryAfterMs: 1 })).toBe(500);
  expect(nextAttempt({ ...failed, retryAfterMs: 30 * 24 * hour })).toBe(retryPolicy.longestRetryAfterMs);
  expect(nextAttempt({ ...failed, now: 60 * hour, retryAfterMs: 13 * hour })).toBeUndefined();
});

test.each([
  ['120', 120_000],
  [' 0 ', 0],
  ['Fri, 01 Jan 2027 00:01:00 GMT', 60_000],
  ['Thu, 31 Dec 2026 23:00:00 GMT', 0],
  ['soon', undefined],
  ['-5', undefined],
  ['1.5', undefined],
  ['', undefined],
  [undefined, undefined],
])('[WH6] Retry-After %j is %j ms', (text, expected) => {
  expect(readRetryAfter(text, Date.parse('2027-01-01T00:00:00Z'))).toBe(expected);
});

test('[WH32] a retry that a clock ahead of time has stored is due after its delay', () => {
  const at = (ms: number) => new Date(ms).toISOString();
  const pending = (lastAt: number, nextAt: number) => ({
    nextAttemptAt: at(nextAt),
    attempts: [
      { at: at(0), durationMs: 1 },
      { at: at(lastAt), durationMs: 1 },
    ],
  });
  expect(dueAt({ attempts: [] }, hour)).toBe(0);
  expect(dueAt(pending(hour, hour + 4_000), hour + 1_000)).toBe(hour + 4_000);
  expect(dueAt(pending(hour, hour + 4_000), 3 * hour)).toBe(hour + 4_000);
  expect(dueAt(pending(3 * hour, 3 * hour + 4_000), hour)).toBe(hour + 4_000);
  // The wait is as long as the receiver asked for.
  expect(dueAt(pending(3 * hour, 23 * hour), hour)).toBe(21 * hour);
});

test('[WH33] retries to a failing endpoint are a second apart, then twice as long each time, up to a minute', () => {
  expect([isSpared(19), isSpared(20)]).toEqual([false, true]);
  expect([0, 1, 5, 6, 1_000].map((retries) => spareMs(retries))).toEqual([1_000, 2_000, 32_000, 60_000, 60_000]);
});
