import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OverviewSum, type SummedUp, spanOf } from './overview.ts';
import { firstIdAt } from './state.ts';

const hourMs = 3_600_000;
const now = Date.parse('2030-01-02T10:20:30.000Z');
const idAt = (time: number): string => `${firstIdAt(time)}-7000-8000-000000000000`;

describe('the span', () => {
  test.each([
    [1, 24, 150_000],
    [24, 24, hourMs],
    [48, 24, 2 * hourMs],
    [168, 28, 6 * hourMs],
    [720, 30, 24 * hourMs],
  ])('[C3] %d hours are %d buckets of %d ms', (hours, buckets, bucketMs) => {
    expect(spanOf(hours, now)).toMatchObject({ buckets, bucketMs });
  });

  test('[C3] there are 24 to 30 buckets of equal length, and the last one has begun', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 720 }), fc.integer({ min: 0, max: 2 ** 47 }), (hours, time) => {
        const { startsAt, bucketMs, buckets } = spanOf(hours, time);
        expect(buckets).toBeGreaterThanOrEqual(24);
        expect(buckets).toBeLessThanOrEqual(30);
        expect(bucketMs * buckets).toBe(hours * hourMs);
        expect(Number.isInteger(startsAt)).toBe(true);
        const endsAt = startsAt + buckets * bucketMs;
        expect(time).toBeLessThan(endsAt);
        expect(time).toBeGreaterThanOrEqual(endsAt - bucketMs);
      }),
    );
  });

  test('[C3] buckets of a day begin at round times', () => {
    expect(new Date(spanOf(24, now).startsAt).toISOString()).toBe('2030-01-01T11:00:00.000Z');
    expect(new Date(spanOf(720, now).startsAt).toISOString()).toBe('2029-12-04T00:00:00.000Z');
  });
});

test('[C3] the first id of a time is after all earlier ids, and before all later ones', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 47 }), (time) => {
      expect(`${firstIdAt(time - 1)}-7fff-bfff-ffffffffffff` < firstIdAt(time)).toBe(true);
      expect(`${firstIdAt(time)}-7000-8000-000000000000` > firstIdAt(time)).toBe(true);
    }),
  );
});

describe('the sum', () => {
  const sumOf = (...all: (Omit<SummedUp, 'id'> & { agoMs: number })[]) => {
    const sum = new OverviewSum(spanOf(24, now));
    for (const { agoMs, ...outcome } of all) sum.add({ id: idAt(now - agoMs), ...outcome });
    return sum.buckets();
  };
  const answered = { status: 'answered', isDeclined: false } as const;

  test('[C3] each question counts in the bucket of its creation, with its outcome', () => {
    const buckets = sumOf(
      { agoMs: 0, status: 'pending', isDeclined: false },
      { agoMs: 0, ...answered, waitMs: 5 },
      { agoMs: 2 * hourMs, status: 'answered', isDeclined: true, waitMs: 7 },
      { agoMs: 2 * hourMs, status: 'expired', isDeclined: false },
      { agoMs: 23 * hourMs, status: 'cancelled', isDeclined: false },
    );
    expect(buckets).toHaveLength(24);
    const none = { created: 0, answered: 0, declined: 0, expired: 0, cancelled: 0 };
    expect(buckets.at(-1)).toEqual({
      ...none,
      at: '2030-01-02T10:00:00.000Z',
      created: 2,
      answered: 1,
      medianWaitMs: 5,
    });
    expect(buckets.at(-3)).toMatchObject({ created: 2, declined: 1, expired: 1, answered: 0, medianWaitMs: 7 });
    expect(buckets[0]).toEqual({ ...none, at: '2030-01-01T11:00:00.000Z', created: 1, cancelled: 1 });
    expect(buckets[1]).toEqual({ ...none, at: '2030-01-01T12:00:00.000Z' });
  });

  test('[C3] a question from a clock that is ahead counts in the last bucket', () => {
    expect(sumOf({ agoMs: -3 * hourMs, ...answered }).at(-1)).toMatchObject({ created: 1 });
  });

  test.each([
    [[3], 3],
    [[9, 1, 5], 5],
    [[1, 4], 3],
    [[1, 2, 10, 1_000], 6],
  ])('[C3] the median of %j is %d', (waits, median) => {
    const buckets = sumOf(...waits.map((waitMs) => ({ agoMs: 0, ...answered, waitMs })));
    expect(buckets.at(-1)?.medianWaitMs).toBe(median);
  });
});
