/** The calls `sleep`, `now` and `random`. While a run sleeps, only a timer of the server knows it. */
import type { CallKind } from '../engine/call.ts';

/** The year 10000, which RFC 3339 cannot write. */
const endOfTime = 253_402_300_800_000;

export const sleep = (time: number | Date, now: () => number): CallKind<void> => ({
  type: 'sleep',
  name: '',
  async play(call) {
    const noted = call.notes.at(-1) as { until: string } | undefined;
    const until = noted ? Date.parse(noted.until) : endOf(time, now());
    if (!noted) call.note({ until: new Date(until).toISOString() });
    while (until > now()) await call.waitUntil(until);
    return { data: undefined, value: undefined, at: until };
  },
  recall: () => undefined,
});

function endOf(time: number | Date, now: number): number {
  const until = Math.ceil(typeof time === 'number' ? now + Math.max(0, time) : time.getTime());
  if (until >= 0 && until < endOfTime) return until;
  throw new RangeError(`A sleep takes milliseconds or a time before the year 10000, not ${String(time)}.`);
}

/** Reads a clock or draws a number. Gives the same value at every replay. */
export const noted = (type: 'now' | 'random', read: () => number): CallKind<number> => ({
  type,
  name: '',
  async play() {
    const value = read();
    return { data: { value }, value };
  },
  recall: (data) => (data as { value: number }).value,
});
