import { expect, onTestFinished, test, vi } from 'vitest';
import { Turns } from './turns.ts';

test('[L23] one slice in each turn of the event loop, and the orgs one after the other', async () => {
  const turns = new Turns();
  const order: string[] = [];
  let turn = 0;
  const slicesIn = new Map<number, number>();
  const catchUp = async (org: string, name: string) => {
    for (let slice = 0; slice < 3; slice++) {
      await turns.next(org);
      order.push(name);
      slicesIn.set(turn, (slicesIn.get(turn) ?? 0) + 1);
    }
  };
  const all = Promise.all([catchUp('loud', 'a'), catchUp('loud', 'b'), catchUp('loud', 'c'), catchUp('quiet', 'd')]);
  let isOver = false;
  void all.then(() => (isOver = true));
  for (; !isOver; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(order).toHaveLength(12);
  expect(Math.max(...slicesIn.values())).toBe(1);
  expect(order.slice(0, 6)).toEqual(['a', 'd', 'b', 'd', 'c', 'd']);
});

test('[L21] an org that catches up all the time rests between its slices, and another org does not', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const turns = new Turns();
  let slices = 0;
  const catchUp = async () => {
    for (;;) {
      await turns.next('busy');
      vi.advanceTimersByTime(3);
      slices++;
    }
  };
  for (let stream = 0; stream < 4; stream++) void catchUp();
  const pass = async (immediates: number) => {
    for (let n = 0; n < immediates; n++) await new Promise((resolve) => setImmediate(resolve));
  };
  await pass(100);
  const afterBurst = slices;
  expect(afterBurst).toBeLessThan(15);
  await turns.next('calm');
  expect(slices).toBe(afterBurst);
  const began = performance.now();
  for (let ms = 0; ms < 1_000; ms++) {
    vi.advanceTimersByTime(1);
    await pass(4);
  }
  expect(((slices - afterBurst) * 3) / (performance.now() - began)).toBeCloseTo(0.3, 1);
});
