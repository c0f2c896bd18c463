/** What was asked over time with what came of it, and how long people were waited for. */
import type { Overview } from '@holdpoint/protocol';
import { Chart, type Series } from '../parts/chart.tsx';
import { durationOf } from '../parts/time.tsx';
import { type Figures, waitingOf } from './figures.ts';
import { countScale, durationScale } from './scales.ts';

const counted = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 1 });

const sumOf = ({ values }: Series): number => values.reduce<number>((sum, value) => sum + (value ?? 0), 0);

export function Charts({ overview, figures, span }: { overview: Overview; figures: Figures; span: string }) {
  const { buckets, hours } = overview;
  const columns = buckets.map(({ at }) => labelOf(at, hours));
  const outcomes: Series[] = [
    { name: 'Answered', tone: 'answered', values: buckets.map(({ answered }) => answered) },
    { name: 'Waiting', tone: 'waiting', values: buckets.map(waitingOf) },
    { name: 'Declined', tone: 'declined', values: buckets.map(({ declined }) => declined) },
    { name: 'Expired', tone: 'expired', values: buckets.map(({ expired }) => expired) },
    { name: 'Cancelled', tone: 'cancelled', values: buckets.map(({ cancelled }) => cancelled) },
  ];
  const waits: Series[] = [
    { name: 'Median', tone: 'answered', values: buckets.map(({ medianWaitMs }) => medianWaitMs) },
  ];
  const { asked, answered, waiting, declined, expired, cancelled, typicalWaitMs } = figures;
  const typical = typicalWaitMs === undefined ? undefined : durationOf(typicalWaitMs);
  return (
    <div class="charts">
      <Chart
        title="Asked, and what came of it"
        summary={`${asked} asked ${span}: ${answered} answered, ${waiting} waiting, ${declined} declined, ${expired} expired, ${cancelled} cancelled.`}
        columns={columns}
        series={outcomes}
        scale={countScale}
        format={counted}
        total={(series) => counted(sumOf(series))}
      />
      <Chart
        title="Wait until answered"
        summary={typical ? `Typically ${typical} ${span}.` : `Nothing was answered ${span}.`}
        columns={columns}
        series={waits}
        scale={durationScale}
        format={shortDuration}
        total={() => typical ?? 'none'}
      />
    </div>
  );
}

const shortDuration = (ms: number): string => (ms === 0 ? '0' : durationOf(ms).replace(/ 0 (min|s)$/, ''));

const byHour = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const byDay = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const byBoth = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

function labelOf(at: string, hours: number): string {
  const date = new Date(at);
  if (hours <= 24) return byHour.format(date);
  return (hours <= 24 * 7 ? byBoth : byDay).format(date);
}
