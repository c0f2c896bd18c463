/** A time as people say it, and the exact one for who points at it. */
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
  for (const [unit, size] of units) if (Math.abs(ms) >= size) return relative.format(Math.trunc(ms / size), unit);
  return ms > 0 ? 'in a moment' : 'just now';
}

/** How long something took, or is waiting. */
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

/** To the minute, and without the year. */
export const briefTime = (at: string): string => brief.format(new Date(at));

export const exactTime = (at: string): string => exact.format(new Date(at));

/** One clock for all of them. */
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
