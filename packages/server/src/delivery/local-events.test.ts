import { expect, test } from 'vitest';
import { EventQueue } from './local-events.ts';

test('items that arrive before and during a read are returned in order, also after the end', async () => {
  const queue = new EventQueue<number>();
  queue.push(1, 1);
  const read: number[] = [];
  const reading = (async () => {
    for await (const item of queue) read.push(item);
  })();
  await expect.poll(() => read).toEqual([1]);
  queue.push(2, 1);
  await expect.poll(() => read).toEqual([1, 2]);
  queue.push(3, 1);
  queue.end();
  await reading;
  expect(read).toEqual([1, 2, 3]);
});

test('a reader that is too far behind gets the waiting items, and then the end', async () => {
  const queue = new EventQueue<number>();
  for (let item = 0; item < 10_005; item++) queue.push(item, 1);
  let read = 0;
  for await (const _ of queue) read++;
  expect(read).toBe(10_000);
});

test('a reader that is behind by too many bytes gets the waiting items, and then the end', async () => {
  const queue = new EventQueue<number>();
  for (let item = 0; item < 20; item++) queue.push(item, 1_000_000);
  const read: number[] = [];
  for await (const item of queue) read.push(item);
  expect(read).toHaveLength(16);
});

test('nothing follows a dropped item, also when there is room again', async () => {
  const queue = new EventQueue<number>();
  for (let item = 0; item < 20; item++) queue.push(item, 1_000_000);
  const read: number[] = [];
  for await (const item of queue) {
    read.push(item);
    if (item < 5) queue.push(100 + item, 1);
  }
  expect(read.at(-1)).toBe(15);
});

test('the writer waits for the reader, until the reader is gone', async () => {
  const queue = new EventQueue<number>();
  for (let item = 0; item < 1_001; item++) queue.push(item, 1);
  let hasRoom = false;
  const waiting = queue.room().then(() => {
    hasRoom = true;
  });
  await new Promise(setImmediate);
  expect(hasRoom).toBe(false);
  await queue[Symbol.asyncIterator]().next();
  await waiting;
  queue.push(1_001, 1);
  const gone = queue.room();
  queue.end();
  await expect(gone).rejects.toThrow('the reader is gone');
});
