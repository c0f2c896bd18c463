/** Sums up how questions ended, by the time at which they were asked. Their ids have that time. */
import type { OverviewBucket, Status } from '@holdpoint/protocol';
import { timeOf, timestamp } from './state.ts';

export interface Span {
  startsAt: number;
  bucketMs: number;
  buckets: number;
}

/** The part of a question that is summed up. */
export interface SummedUp {
  id: string;
  status: Status;
  isDeclined: boolean;
  waitMs?: number;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Returns 24 to 30 buckets: the first number whose bucket divides a day. They begin at round times, and the last has begun. */
export function spanOf(hours: number, now: number): Span {
  const widthOf = (count: number) => (hours * hourMs) / count;
  const isEven = (width: number) => Number.isInteger(width) && dayMs % width === 0;
  const buckets = [24, 25, 26, 27, 28, 29, 30].find((count) => isEven(widthOf(count))) ?? 24;
  const bucketMs = widthOf(buckets);
  const endsAt = (Math.floor(now / bucketMs) + 1) * bucketMs;
  return { startsAt: endsAt - buckets * bucketMs, bucketMs, buckets };
}

/** Greater than every id. */
export const pastEveryId = 'g';

const none = { created: 0, answered: 0, declined: 0, expired: 0, cancelled: 0 };

export class OverviewSum {
  readonly #span: Span;
  readonly #sums: (typeof none & { waits: number[] })[];

  constructor(span: Span) {
    this.#span = span;
    this.#sums = Array.from({ length: span.buckets }, () => ({ ...none, waits: [] }));
  }

  /** A question from a node whose clock is ahead counts in the last bucket. */
  add({ id, status, isDeclined, waitMs }: SummedUp): void {
    const { startsAt, bucketMs, buckets } = this.#span;
    const sum = this.#sums[Math.min(buckets - 1, Math.floor((timeOf(id) - startsAt) / bucketMs))];
    if (!sum) return;
    sum.created++;
    if (status !== 'pending') sum[status === 'answered' && isDeclined ? 'declined' : status]++;
    if (waitMs !== undefined) sum.waits.push(waitMs);
  }

  buckets(): OverviewBucket[] {
    const { startsAt, bucketMs } = this.#span;
    return this.#sums.map(({ waits, ...counts }, index) => ({
      at: timestamp(startsAt + index * bucketMs),
      ...counts,
      ...(waits.length > 0 ? { medianWaitMs: medianOf(waits) } : {}),
    }));
  }
}

/** The median of an even number of waits is the mean of the middle two. */
function medianOf(waits: readonly number[]): number {
  const sorted = waits.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = 0, high = 0] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return Math.round((low + high) / 2);
}
