import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type CoalescedJob, CoalescedRunner } from './coalesced-runner.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Counts its runs. With `isHeld`, each lasts until the test ends it. */
function setUp({ isHeld = false, ...job }: Partial<CoalescedJob> & { isHeld?: boolean } = {}) {
  let runs = 0;
  const errors: unknown[] = [];
  const ends: (() => void)[] = [];
  const runner = new CoalescedRunner({
    onError: (error) => errors.push(error),
    ...job,
    async run() {
      runs++;
      if (isHeld) await new Promise<void>((resolve) => ends.push(resolve));
      return job.run?.();
    },
  });
  const end = async () => {
    ends.shift()?.();
    await vi.advanceTimersByTimeAsync(1);
  };
  return { runner, errors, runs: () => runs, end };
}

test('all triggers of a turn of the event loop cause one run', async () => {
  const { runner, runs } = setUp();
  for (let n = 0; n < 9; n++) runner.trigger();
  expect(runner.isIdle).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(runs()).toBe(1);
  expect(runner.isIdle).toBe(true);
});

test('many triggers during a run cause one more run, after it', async () => {
  const { runner, runs, end } = setUp({ isHeld: true });
  runner.trigger();
  await vi.advanceTimersByTimeAsync(1);
  for (let n = 0; n < 9; n++) runner.trigger();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(runs()).toBe(1);
  await end();
  expect(runs()).toBe(2);
  await end();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(runs()).toBe(2);
});

test('a run says when the next is due, and a trigger brings it forward', async () => {
  const { runner, runs } = setUp({ run: async () => 100 });
  runner.trigger();
  await vi.advanceTimersByTimeAsync(99);
  expect(runs()).toBe(1);
  await vi.advanceTimersByTimeAsync(2);
  expect(runs()).toBe(2);
  runner.trigger();
  await vi.advanceTimersByTimeAsync(1);
  expect(runs()).toBe(3);
  await vi.advanceTimersByTimeAsync(98);
  expect(runs()).toBe(3);
});

test('a failed run is repeated after a pause that no trigger cuts short', async () => {
  let isAway = true;
  const { runner, runs, errors } = setUp({
    run: async () => {
      if (isAway) throw new Error('away');
      return undefined;
    },
    retryMs: 50,
  });
  runner.trigger();
  await vi.advanceTimersByTimeAsync(1);
  runner.trigger();
  await vi.advanceTimersByTimeAsync(40);
  expect(runs()).toBe(1);
  isAway = false;
  await vi.advanceTimersByTimeAsync(20);
  expect(runs()).toBe(2);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(runs()).toBe(2);
  expect(errors).toEqual([new Error('away')]);
});

test('runs keep their distance, and a trigger in between is not lost', async () => {
  const { runner, runs } = setUp({ everyMs: 50 });
  runner.trigger();
  await vi.advanceTimersByTimeAsync(1);
  runner.trigger();
  await vi.advanceTimersByTimeAsync(40);
  expect(runs()).toBe(1);
  await vi.advanceTimersByTimeAsync(20);
  expect(runs()).toBe(2);
});

test('[H7] stopping waits for the current run and starts no other', async () => {
  const { runner, runs, end } = setUp({ isHeld: true, run: async () => 10 });
  runner.trigger();
  await vi.advanceTimersByTimeAsync(1);
  runner.trigger();
  let hasStopped = false;
  const stopping = runner.stop().then(() => (hasStopped = true));
  await vi.advanceTimersByTimeAsync(1);
  expect(hasStopped).toBe(false);
  await end();
  await stopping;
  runner.trigger();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(runs()).toBe(1);
});

test('[H7] finishing runs once more for a trigger that still waits', async () => {
  const { runner, runs } = setUp({ everyMs: 60_000 });
  runner.trigger();
  await vi.advanceTimersByTimeAsync(1);
  await Promise.all([runner.finish(), vi.advanceTimersByTimeAsync(1)]);
  expect(runs()).toBe(1);
  const { runner: waiting, runs: runsOfWaiting } = setUp({ everyMs: 60_000 });
  waiting.trigger();
  await vi.advanceTimersByTimeAsync(1);
  waiting.trigger();
  await waiting.finish();
  waiting.trigger();
  await vi.advanceTimersByTimeAsync(1);
  expect(runsOfWaiting()).toBe(2);
});
