import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Pacer } from './pacer.ts';

/** Counts its runs; each lasts until the test lets it end. */
function setUp(everyMs: number) {
  const startedAt: number[] = [];
  const ends: (() => void)[] = [];
  const pacer = new Pacer(everyMs, () => {
    startedAt.push(performance.now());
    return new Promise((resolve) => ends.push(resolve));
  });
  const end = async () => {
    ends.shift()?.();
    await sleep(0);
  };
  return { pacer, startedAt, end };
}

test('[L3] the first ask is served at once', () => {
  const { pacer, startedAt } = setUp(60_000);
  pacer.ask();
  expect(startedAt).toHaveLength(1);
});

test('[L3] many asks during a run are one more run, after it', async () => {
  const { pacer, startedAt, end } = setUp(0);
  for (let n = 0; n < 9; n++) pacer.ask();
  expect(startedAt).toHaveLength(1);
  await end();
  expect(startedAt).toHaveLength(2);
  await end();
  expect(startedAt).toHaveLength(2);
});

test('[L3] runs keep their distance, and an ask in between is not lost', async () => {
  const { pacer, startedAt, end } = setUp(50);
  pacer.ask();
  await end();
  pacer.ask();
  expect(startedAt).toHaveLength(1);
  await expect.poll(() => startedAt.length).toBe(2);
  const [first = 0, second = 0] = startedAt;
  // Timers may fire a fraction of a millisecond early.
  expect(second - first).toBeGreaterThanOrEqual(49);
});

test('[H7] finishing serves an ask that waits for its time, and none that comes later', async () => {
  const { pacer, startedAt, end } = setUp(60_000);
  pacer.ask();
  pacer.ask();
  const finished = pacer.finish();
  await end();
  expect(startedAt).toHaveLength(2);
  await end();
  await finished;
  pacer.ask();
  expect(startedAt).toHaveLength(2);
});
