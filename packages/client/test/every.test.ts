/** The pages of a list and of what is read by its numbers, one after the other. */
import { expect, test } from 'vitest';
import { Holdpoint, type HoldpointService } from '../src/index.ts';

test('[CL8] a list goes on by its cursor, a log and a journal by their numbers', async () => {
  const asked: object[] = [];
  const pages = (next: string) => async (input: object) => {
    asked.push(input);
    return asked.length === 1 ? { data: [1, 2], next } : { data: [3] };
  };
  const verbs = { listGrants: pages('abc'), readLog: pages('7'), readJournal: pages('7') };
  const hp = new Holdpoint({ service: verbs as unknown as HoldpointService, events: async function* () {} });
  const all = async (list: AsyncIterable<unknown>) => {
    asked.length = 0;
    const items: unknown[] = [];
    for await (const item of list) items.push(item);
    return { items, asked: [...asked] };
  };
  const items = [1, 2, 3];
  expect(await all(hp.every('listGrants'))).toEqual({ items, asked: [{}, { cursor: 'abc' }] });
  const log = await all(hp.every('readLog', { threadId: 't' }));
  expect(log).toEqual({ items, asked: [{ threadId: 't' }, { threadId: 't', after: 7 }] });
  const journal = await all(hp.every('readJournal', { runId: 'r', limit: 2 }));
  expect(journal.asked).toEqual([
    { runId: 'r', limit: 2 },
    { runId: 'r', limit: 2, after: 7 },
  ]);
});

test('[L20][CL8] a list goes on over short and empty pages', async () => {
  const asked: object[] = [];
  const pages = [{ data: [], next: 'a' }, { data: [1], next: 'b' }, { data: [], next: 'c' }, { data: [2] }];
  const listInteractions = async (input: object) => {
    asked.push(input);
    return pages[asked.length - 1];
  };
  const service = { listInteractions } as unknown as HoldpointService;
  const hp = new Holdpoint({ service, events: async function* () {} });
  const items: unknown[] = [];
  for await (const item of hp.every('listInteractions', { kind: 'choice' })) items.push(item);
  expect(items).toEqual([1, 2]);
  expect(asked).toEqual(
    [{}, { cursor: 'a' }, { cursor: 'b' }, { cursor: 'c' }].map((from) => ({ kind: 'choice', ...from })),
  );
});
