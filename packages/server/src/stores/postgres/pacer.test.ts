import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Pacer } from './pacer.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Counts its runs; each lasts until the test lets it end. */
function setUp(everyMs: number) {
  let runs = 0;
  const ends: (() => void)[] = [];
  const pacer = new Pacer(everyMs, () => {
    runs++;
    return new Promise((resolve) => ends.push(resolve));
  });
  const end = async () => {
    ends.shift()?.();
    await vi.advanceTimersByTimeAsync(0);
  };
  return { pacer, runs: () => runs, end };
}

test('[L3] the first ask is served at once', () => {
  const { pacer, runs } = setUp(60_000);
  pacer.ask();
  expect(runs()).toBe(1);
});

test('[L3] many asks during a run are one more run, after it', async () => {
  const { pacer, runs, end } = setUp(0);
  for (let n = 0; n < 9; n++) pacer.ask();
  expect(runs()).toBe(1);
  await end();
  expect(runs()).toBe(2);
  await end();
  expect(runs()).toBe(2);
});

test('[L3] runs keep their distance, and an ask in between is not lost', async () => {
  const { pacer, runs, end } = setUp(50);
  pacer.ask();
  await end();
  pacer.ask();
  expect(runs()).toBe(1);
  await vi.advanceTimersByTimeAsync(49);
  expect(runs()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(runs()).toBe(2);
});

test('[H7] finishing serves an ask that waits for its time, and none that comes later', async () => {
  const { pacer, runs, end } = setUp(60_000);
  pacer.ask();
  pacer.ask();
  const finished = pacer.finish();
  await end();
  expect(runs()).toBe(2);
  await end();
  await finished;
  pacer.ask();
  expect(runs()).toBe(2);
});
