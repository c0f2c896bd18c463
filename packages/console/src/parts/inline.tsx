/** Small pieces of a line: times, status badges, kinds of request, and text that users or agents wrote. */

import { visibleParts } from '@holdpoint/protocol';
import { useEffect, useState } from 'preact/hooks';

const units: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

export function agoOf(at: string, now = Date.now()): string {
  const ms = Date.parse(at) - now;
  // The time that is left rounds up, as in the widget, and an age rounds down.
  for (const [unit, size] of units) if (Math.abs(ms) >= size) return relative.format(Math.ceil(ms / size), unit);
  return ms > 0 ? 'in a moment' : 'just now';
}

export function durationOf(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 600) return `${Math.floor(seconds / 60)} min${seconds % 60 ? ` ${seconds % 60} s` : ''}`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  const hours = Math.floor(seconds / 3_600);
  if (hours < 48) return `${hours} h ${Math.floor((seconds % 3_600) / 60)} min`;
  return `${Math.floor(hours / 24)} days`;
}

const brief = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});

/** To the minute, without the year. */
export const briefTime = (at: string): string => brief.format(new Date(at));

export const exactTime = (at: string): string => exact.format(new Date(at));

/** One timer updates all times on the page. */
const ticking = new Set<() => void>();
let clock: ReturnType<typeof setInterval> | undefined;

function everyHalfMinute(listener: () => void): () => void {
  ticking.add(listener);
  clock ??= setInterval(() => {
    for (const each of ticking) each();
  }, 30_000);
  return () => {
    ticking.delete(listener);
    if (ticking.size > 0) return;
    clearInterval(clock);
    clock = undefined;
  };
}

export function Time({ at }: { at: string }) {
  const [, redraw] = useState(0);
  useEffect(() => everyHalfMinute(() => redraw((count) => count + 1)), []);
  return (
    <time dateTime={at} title={exactTime(at)}>
      {agoOf(at)}
    </time>
  );
}

const timeOfDay = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });

/** The time of day of a moment within a day, otherwise with its date. */
export const Clock = ({ at, now = Date.now() }: { at: string; now?: number }) => (
  <time dateTime={at} title={exactTime(at)}>
    {Math.abs(Date.parse(at) - now) < 43_200_000 ? timeOfDay.format(new Date(at)) : briefTime(at)}
  </time>
);

/** The color of a badge never carries meaning that its text does not. */
export type Tone = 'plain' | 'good' | 'bad' | 'warn' | 'info';

export function Badge({ tone = 'plain', children }: { tone?: Tone; children: string }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

/** Shows text by others in its own direction, with hidden characters made visible. */
export const VisibleText = ({ text }: { text: string }) => (
  <bdi>
    {visibleParts(text).map((part, index) =>
      index % 2 === 0 ? (
        part
      ) : (
        <mark key={index} dir="ltr">
          {part}
        </mark>
      ),
    )}
  </bdi>
);

/** The kinds of request, as users see them. */
export const kindWords = { approval: 'Approval', choice: 'Choice', form: 'Form', input: 'Input' } as const;
