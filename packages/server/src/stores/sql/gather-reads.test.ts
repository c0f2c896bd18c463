import { expect, test } from 'vitest';
import { type Found, gatheredReads } from './gather-reads.ts';

const orgId = 'acme';
const record = JSON.stringify({ id: 'a', title: 'Go on?' });

test('[S1] what is looked up in one turn is read at once, and one that cannot be read fails nobody else', async () => {
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

test('[S1] where nothing can be read everybody hears why, and the next turn tries again', async () => {
  let isAway = true;
  const store = gatheredReads(async () => {
    if (isAway) throw new Error('the database is away');
    return [record];
  });
  const looked = ['a', 'b'].map((id) => store.getInteractionText({ orgId, id }));
  for (const look of looked) await expect(look).rejects.toThrow('the database is away');
  isAway = false;
  expect(await store.getInteractionText({ orgId, id: 'a' })).toBe(record);
});
