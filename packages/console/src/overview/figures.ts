/** What the overview tells, reckoned from its buckets. */

import type { Overview, OverviewBucket } from '@holdpoint/protocol';
import { defined } from '@holdpoint/protocol';

export interface Figures {
  asked: number;
  answered: number;
  declined: number;
  expired: number;
  cancelled: number;
  /** Of those asked in this time, the ones that wait. */
  waiting: number;
  /** The median of the buckets' medians, each counting as often as it was answered. */
  typicalWaitMs?: number;
}

const closed = ({ answered, declined, expired, cancelled }: OverviewBucket): number =>
  answered + declined + expired + cancelled;

export const waitingOf = (bucket: OverviewBucket): number => Math.max(0, bucket.created - closed(bucket));

export function figuresOf({ buckets }: Overview): Figures {
  const sum = (read: (bucket: OverviewBucket) => number) => buckets.reduce((all, bucket) => all + read(bucket), 0);
  const typical = typicalWait(buckets);
  return {
    asked: sum(({ created }) => created),
    answered: sum(({ answered }) => answered),
    declined: sum(({ declined }) => declined),
    expired: sum(({ expired }) => expired),
    cancelled: sum(({ cancelled }) => cancelled),
    waiting: sum(waitingOf),
    ...defined({ typicalWaitMs: typical }),
  };
}

function typicalWait(buckets: readonly OverviewBucket[]): number | undefined {
  const waits = buckets
    .flatMap(({ medianWaitMs, answered, declined }) =>
      medianWaitMs === undefined ? [] : [{ ms: medianWaitMs, weight: Math.max(1, answered + declined) }],
    )
    .sort((one, other) => one.ms - other.ms);
  let left = waits.reduce((all, { weight }) => all + weight, 0) / 2;
  return waits.find(({ weight }) => {
    left -= weight;
    return left <= 0;
  })?.ms;
}
