import { expect, test } from 'vitest';
import { FairQueue } from './fair-queue.ts';

const newQueue = () => new FairQueue<string>({ share: 0.25, burstMs: 10 });

const takeAll = (queue: FairQueue<string>): string[] => {
  const taken: string[] = [];
  while (queue.waitMs(0) === 0) taken.push(queue.take(0) ?? 'nothing');
  return taken;
};

test('[L21] an org with many reads lets every other org read after one of its own', () => {
  const queue = newQueue();
  for (let n = 1; n <= 4; n++) queue.add('loud', `loud ${n}`);
  queue.add('a', 'a 1');
  queue.add('b', 'b 1');
  queue.add('a', 'a 2');
  expect(takeAll(queue)).toEqual(['loud 1', 'a 1', 'b 1', 'loud 2', 'a 2', 'loud 3', 'loud 4']);
});

test('[L21] a new org has the next turn after the current item', () => {
  const queue = newQueue();
  for (let n = 1; n <= 3; n++) queue.add('loud', `loud ${n}`);
  expect(queue.take(0)).toBe('loud 1');
  queue.add('quiet', 'quiet 1');
  expect(queue.take(0)).toBe('loud 2');
  expect(queue.take(0)).toBe('quiet 1');
  queue.add('quiet', 'quiet 2');
  expect(takeAll(queue)).toEqual(['loud 3', 'quiet 2']);
  expect(queue.take(0)).toBeUndefined();
  expect(queue.waitMs(0)).toBe(Number.POSITIVE_INFINITY);
});

test('[L21] an org that used up its share rests, and another org does not', () => {
  const queue = newQueue();
  queue.spend('busy', 10, 0);
  queue.spend('busy', 3, 0);
  queue.add('busy', 'busy 1');
  expect(queue.take(0)).toBeUndefined();
  expect(queue.waitMs(0)).toBe(12);
  queue.add('calm', 'calm 1');
  expect(queue.waitMs(0)).toBe(0);
  expect(queue.take(0)).toBe('calm 1');
  expect(queue.take(11)).toBeUndefined();
  expect(queue.take(12)).toBe('busy 1');
});

test('[L21] the items of a busy org are spread over the time, even if many wait', () => {
  const queue = newQueue();
  const stepMs = 2;
  for (let n = 0; n < 1_000; n++) queue.add('busy', 'step');
  let longestRun = 0;
  let run = 0;
  let worked = 0;
  for (let now = 0; now < 2_000; ) {
    const isTaken = queue.take(now) !== undefined;
    run = isTaken ? run + 1 : 0;
    // The burst at the beginning is free.
    if (now > 100) longestRun = Math.max(longestRun, run);
    if (isTaken) {
      now += stepMs;
      worked += stepMs;
      queue.spend('busy', stepMs, now);
    } else now += queue.waitMs(now);
  }
  expect(longestRun).toBe(1);
  expect(worked / 2_000).toBeCloseTo(0.25, 1);
});
