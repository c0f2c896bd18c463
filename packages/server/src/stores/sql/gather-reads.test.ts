import { expect, test } from 'vitest';
import { type Found, gatheredReads } from './gather-reads.ts';

const orgId = 'acme';
const record = JSON.stringify({ id: 'a', title: 'Go on?' });

test('[S1] look-ups of one turn are read together, and an unreadable record fails no other', async () => {
  const calls: string[][] = [];
  const store = gatheredReads((wanted): Found[] => {
    calls.push(wanted.map(({ id }) => id));
    return [record, new Error('the page is damaged'), undefined, record];
  });
  const looked = ['a', 'b', 'c'].map((id) => store.getInteraction({ orgId, id }));
  const text = store.getInteractionText({ orgId, id: 'a' });
  expect(calls).toEqual([]);
  expect(await looked[0]).toEqual({ id: 'a', title: 'Go on?' });
  await expect(looked[1]).rejects.toThrow('the page is damaged');
  expect(await looked[2]).toBeUndefined();
  expect(await text).toBe(record);
  expect(calls).toEqual([['a', 'b', 'c', 'a']]);
});

test('[S1] thousands that look at once are read a part at a time, and each gets its own', async () => {
  const sizes: number[] = [];
  const store = gatheredReads((wanted) => {
    sizes.push(wanted.length);
    return wanted.map(({ id }) => id);
  });
  const ids = Array.from({ length: 1_000 }, (_, index) => `i${index}`);
  expect(await Promise.all(ids.map((id) => store.getInteractionText({ orgId, id })))).toEqual(ids);
  expect(sizes).toEqual([256, 256, 256, 232]);
});

test('[S1] if nothing can be read, every look-up rejects with the reason, and the next turn tries again', async () => {
  let isAway = true;
  const store = gatheredReads(async () => {
    if (isAway) throw new Error('the database is unavailable');
    return [record];
  });
  const looked = ['a', 'b'].map((id) => store.getInteractionText({ orgId, id }));
  for (const look of looked) await expect(look).rejects.toThrow('the database is unavailable');
  isAway = false;
  expect(await store.getInteractionText({ orgId, id: 'a' })).toBe(record);
});

test('[S1] look-ups during a read are read together after it', async () => {
  const calls: string[][] = [];
  const reads: (() => void)[] = [];
  const store = gatheredReads((wanted) => {
    calls.push(wanted.map(({ id }) => id));
    return new Promise((resolve) => reads.push(() => resolve(wanted.map(() => record))));
  });
  const look = (id: string) => store.getInteractionText({ orgId, id });
  const first = look('a');
  await expect.poll(() => calls).toEqual([['a']]);
  const meanwhile = [look('b'), look('c')];
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(calls).toEqual([['a']]);
  reads[0]?.();
  expect(await first).toBe(record);
  await expect.poll(() => calls).toEqual([['a'], ['b', 'c']]);
  reads[1]?.();
  expect(await Promise.all(meanwhile)).toEqual([record, record]);
});
