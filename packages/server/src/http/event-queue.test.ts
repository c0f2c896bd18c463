import { expect, test } from 'vitest';
import { EventQueue } from './event-queue.ts';

test('what comes before and while somebody reads is handed out in its order, also after the end', async () => {
  const queue = new EventQueue<number>();
  queue.push(1);
  const read: number[] = [];
  const reading = (async () => {
    for await (const item of queue) read.push(item);
  })();
  await expect.poll(() => read).toEqual([1]);
  queue.push(2);
  await expect.poll(() => read).toEqual([1, 2]);
  queue.push(3);
  queue.end();
  await reading;
  expect(read).toEqual([1, 2, 3]);
});

test('a reader that is too far behind is given what there is, and then no more', async () => {
  const queue = new EventQueue<number>();
  for (let item = 0; item < 10_005; item++) queue.push(item);
  let read = 0;
  for await (const _ of queue) read++;
  expect(read).toBe(10_000);
});
