/** The two charts of the overview, and the figures computed for them. */
import type { Overview, OverviewBucket } from '@holdpoint/protocol';
import { durationOf } from '../parts/inline.tsx';
import { Chart, type Series } from './chart.tsx';

const counted = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 1 });

const sumOf = ({ values }: Series): number => values.reduce<number>((sum, value) => sum + (value ?? 0), 0);

export function Charts({ overview, figures, span }: { overview: Overview; figures: Figures; span: string }) {
  const { buckets, hours } = overview;
  const columns = buckets.map(({ at }) => labelOf(at, hours));
  const outcome = (name: string, tone: string, count: (bucket: OverviewBucket) => number): Series => ({
    name,
    tone,
    values: buckets.map(count),
  });
  const outcomes = [
    outcome('Answered', 'answered', ({ answered }) => answered),
    outcome('Pending', 'waiting', pendingOf),
    outcome('Declined', 'declined', ({ declined }) => declined),
    outcome('Expired', 'expired', ({ expired }) => expired),
    outcome('Cancelled', 'cancelled', ({ cancelled }) => cancelled),
  ];
  const times = [{ name: 'Median', tone: 'answered', values: buckets.map(({ medianWaitMs }) => medianWaitMs) }];
  const { created, answered, pending, declined, expired, cancelled, typicalWaitMs } = figures;
  const typical = typicalWaitMs === undefined ? undefined : durationOf(typicalWaitMs);
  return (
    <div class="charts">
      <Chart
        title="Requests by outcome"
        summary={`${created} requests ${span}: ${answered} answered, ${pending} pending, ${declined} declined, ${expired} expired, ${cancelled} cancelled.`}
        columns={columns}
        series={outcomes}
        scale={countScale}
        format={counted}
        total={(series) => counted(sumOf(series))}
      />
      <Chart
        title="Time to answer"
        summary={typical ? `Median ${typical} ${span}.` : `No answers ${span}.`}
        columns={columns}
        series={times}
        scale={durationScale}
        format={shortDuration}
        total={() => typical ?? 'none'}
      />
    </div>
  );
}

const shortDuration = (ms: number): string => (ms === 0 ? '0' : durationOf(ms).replace(/ 0 (min|s)$/, ''));

const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const byHour = new Intl.DateTimeFormat(undefined, clock);
const byDay = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const byBoth = new Intl.DateTimeFormat(undefined, { weekday: 'short', ...clock });

function labelOf(at: string, hours: number): string {
  const date = new Date(at);
  if (hours <= 24) return byHour.format(date);
  return (hours <= 24 * 7 ? byBoth : byDay).format(date);
}

const pendingOf = ({ created, answered, declined, expired, cancelled }: OverviewBucket): number =>
  Math.max(0, created - answered - declined - expired - cancelled);

export type Figures = ReturnType<typeof figuresOf>;

/** Sums over the time span. `pending` counts the requests of this span that are still pending. */
export function figuresOf({ buckets }: Overview) {
  const sum = (read: (bucket: OverviewBucket) => number) => buckets.reduce((all, bucket) => all + read(bucket), 0);
  return {
    created: sum(({ created }) => created),
    answered: sum(({ answered }) => answered),
    declined: sum(({ declined }) => declined),
    expired: sum(({ expired }) => expired),
    cancelled: sum(({ cancelled }) => cancelled),
    pending: sum(pendingOf),
    typicalWaitMs: typicalWait(buckets),
  };
}

/** The median of the medians of all buckets, weighted by their number of answers. */
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

/** Steps of a scale that is easy to read. */
const steps = [1, 2, 4, 6, 10];

/** The next of 2, 4, 6, 10, 20, 40 …, whose half is a whole number too. */
function countScale(highest: number): number {
  for (let power = 1; ; power *= 10)
    for (const step of steps) if (step * power >= Math.max(2, highest) && (step * power) % 2 === 0) return step * power;
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const durations = [
  ...[2, 10, 20, 60].map((count) => count * second),
  ...[2, 4, 10, 20, 60].map((count) => count * minute),
  ...[2, 4, 12, 24].map((count) => count * hour),
  ...[2, 4, 10, 20, 60].map((count) => count * day),
];

const durationScale = (highest: number): number =>
  durations.find((each) => each >= highest) ?? Math.ceil(highest / (2 * day)) * 2 * day;
