import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Throttle } from './throttle.ts';

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
  const throttle = new Throttle(everyMs, () => {
    runs++;
    return new Promise((resolve) => ends.push(resolve));
  });
  const end = async () => {
    ends.shift()?.();
    await vi.advanceTimersByTimeAsync(0);
  };
  return { throttle, runs: () => runs, end };
}

test('[L3] the first ask is served at once', () => {
  const { throttle, runs } = setUp(60_000);
  throttle.ask();
  expect(runs()).toBe(1);
});

test('[L3] many asks during a run are one more run, after it', async () => {
  const { throttle, runs, end } = setUp(0);
  for (let n = 0; n < 9; n++) throttle.ask();
  expect(runs()).toBe(1);
  await end();
  expect(runs()).toBe(2);
  await end();
  expect(runs()).toBe(2);
});

test('[L3] runs keep their distance, and an ask in between is not lost', async () => {
  const { throttle, runs, end } = setUp(50);
  throttle.ask();
  await end();
  throttle.ask();
  expect(runs()).toBe(1);
  await vi.advanceTimersByTimeAsync(49);
  expect(runs()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(runs()).toBe(2);
});

test('[H7] finishing serves an ask that waits for its time, and none that comes later', async () => {
  const { throttle, runs, end } = setUp(60_000);
  throttle.ask();
  throttle.ask();
  const finished = throttle.finish();
  await end();
  expect(runs()).toBe(2);
  await end();
  await finished;
  throttle.ask();
  expect(runs()).toBe(2);
});
