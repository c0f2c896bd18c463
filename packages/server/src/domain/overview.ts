/** Sums up how questions ended, by the time at which they were asked, which their ids tell. */
import type { OverviewBucket, Status } from '@holdpoint/protocol';
import { timestamp } from './state.ts';

export interface Span {
  startsAt: number;
  bucketMs: number;
  buckets: number;
}

/** What is known of a question when it is summed up. */
export interface SummedUp {
  id: string;
  status: Status;
  isDeclined: boolean;
  waitMs?: number;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** 24 to 30 buckets: the first number that makes them go up in a day. They begin on the clock, and the last is running. */
export function spanOf(hours: number, now: number): Span {
  const widthOf = (count: number) => (hours * hourMs) / count;
  const isEven = (width: number) => Number.isInteger(width) && dayMs % width === 0;
  const buckets = [24, 25, 26, 27, 28, 29, 30].find((count) => isEven(widthOf(count))) ?? 24;
  const bucketMs = widthOf(buckets);
  const endsAt = (Math.floor(now / bucketMs) + 1) * bucketMs;
  return { startsAt: endsAt - buckets * bucketMs, bucketMs, buckets };
}

/** The least id that can be made at a time; ids are UUIDv7 and begin with theirs. */
export function firstIdAt(time: number): string {
  const digits = Math.max(0, time).toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}`;
}

/** After every id, in the order of ids. */
export const pastEveryId = 'g';

const timeOf = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

interface Sum {
  created: number;
  answered: number;
  declined: number;
  expired: number;
  cancelled: number;
  waits: number[];
}

export class OverviewSum {
  readonly #span: Span;
  readonly #sums: Sum[];

  constructor(span: Span) {
    this.#span = span;
    this.#sums = Array.from({ length: span.buckets }, () => ({
      ...{ created: 0, answered: 0, declined: 0, expired: 0, cancelled: 0 },
      waits: [],
    }));
  }

  /** One of another node whose clock is ahead counts as new. */
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

/** Of an even number, the middle of the two in the middle. */
function medianOf(waits: readonly number[]): number {
  const sorted = waits.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = 0, high = 0] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return Math.round((low + high) / 2);
}
