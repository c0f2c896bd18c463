import { defined, type LogEvent } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import { logOfATest } from '../../test/log-of-a-test.ts';
import { orgId } from '../stores/contract/records.fixture.ts';
import type { EventHead } from '../stores/store.ts';
import { type HandlePage, LogReader, type LogReaderOptions, pageSize } from './log-reader.ts';

const id = 'reader';

/** A log, and readers of it that have looked where they begin. */
async function setUp() {
  const log = await logOfATest(id);
  const { store } = log;
  const open = async (filter?: LogReaderOptions['filter']) => {
    const reader = new LogReader({ orgId, id, store, ...defined({ filter }) });
    expect(await reader.read(unasked)).toEqual({ hasMore: true, isMoved: true });
    return reader;
  };
  const taken: number[][] = [];
  const note = (events: readonly LogEvent[]) => taken.push(events.map(({ seq }) => seq));
  const save: HandlePage = async (events, moved) => {
    note(events);
    return (await store.commit({ orgId, documents: [moved] })).ok ? 'saved' : 'overtaken';
  };
  const pass: HandlePage = async (events) => {
    note(events);
    return 'passed';
  };
  const move = async (cursor: string) => {
    const { revision: expected } = await log.savedReader();
    await store.commit({ orgId, documents: [{ type: 'reader', id, record: { cursor }, expected }] });
  };
  return { ...log, open, taken, save, pass, move };
}

const unasked: HandlePage = () => expect.unreachable('there was nothing to take');
const headsOf = (count: number, type: EventHead['type'] = 'message.created'): EventHead[] =>
  Array.from({ length: count }, (_, seq) => ({ cursor: String(seq), orgId, threadId: 't', seq, type }));

const idle = { hasMore: false, isMoved: false };

test('[WH1][DI10] a page whose taking was overtaken or failed is given again', async () => {
  const { open, say, taken, save } = await setUp();
  const reader = await open();
  await say(3);
  expect(await reader.read(async () => 'overtaken')).toEqual({ hasMore: true, isMoved: false });
  await expect(reader.read(() => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await reader.read(save)).toEqual(idle);
  expect(taken).toEqual([[1, 2, 3]]);
  expect(await reader.read(unasked)).toEqual(idle);
});

test('[WH1][DI10] the cursor is saved with the handled page, and the next reader begins after it', async () => {
  const { store, open, say, taken, save, savedCursor } = await setUp();
  const reader = await open();
  await say(2);
  await reader.read(save);
  expect(await savedCursor()).toBe(await store.headCursor());
  await say(1);
  expect(reader.notice(headsOf(1))).toBe(true);
  expect(await reader.read(save)).toEqual(idle);
  await (await open()).read(save);
  expect(taken).toEqual([[1, 2], [3], []]);
});

test('[WH1][DI10] skipped events cost no write, and the cursor is saved at the stop', async () => {
  const { store, open, say, taken, pass, savedCursor } = await setUp();
  const before = await savedCursor();
  const reader = await open();
  await say(2);
  await reader.read(pass);
  expect(await savedCursor()).toBe(before);
  await reader.stop();
  expect(await savedCursor()).toBe(await store.headCursor());
  expect(taken).toEqual([[1, 2]]);
});

test('[N6] a moved cursor is reported, followed, and not moved back', async () => {
  const { store, open, say, taken, save, pass, move, savedCursor } = await setUp();
  const begin = await savedCursor();
  const reader = await open();
  await say(2);
  await reader.read(save);
  await move(begin);
  expect(reader.notice(headsOf(1))).toBe(true);
  expect(await reader.read(unasked)).toEqual({ hasMore: true, isMoved: true });
  expect(await reader.read(pass)).toEqual(idle);
  expect(taken).toEqual([
    [1, 2],
    [1, 2],
  ]);
  await say(1);
  const head = await store.headCursor();
  await move(head);
  await reader.stop();
  expect(await savedCursor()).toBe(head);
});

test('[WH1][DI10] it reads after a wanted event, or after 5,000 others', async () => {
  const { open, say, taken, pass } = await setUp();
  const reader = await open({ types: ['message.created'] });
  await reader.read(pass);
  await say(1, 'thread.created');
  for (const round of [1, 2]) {
    expect(reader.notice(headsOf(4_999, 'thread.created'))).toBe(false);
    expect(await reader.read(unasked)).toEqual(idle);
    expect(reader.notice(headsOf(1, 'thread.created'))).toBe(true);
    await reader.read(pass);
    expect(taken).toHaveLength(1 + round);
  }
  expect(reader.notice(headsOf(1))).toBe(true);
});

test('[WH1][DI10] after a full page there may be more, after a shorter one there is not', async () => {
  const { open, say, taken, save } = await setUp();
  const reader = await open();
  await say(pageSize + 1);
  expect(await reader.read(save)).toEqual({ hasMore: true, isMoved: false });
  expect(await reader.read(save)).toEqual(idle);
  expect(taken.map((page) => page.length)).toEqual([pageSize, 1]);
});

test('[WH1] an empty page is not passed by if the filter changes while it is read', async () => {
  const { open, say, taken, save } = await setUp();
  const reader = await open({ types: ['thread.created'] });
  await say(1);
  const change: HandlePage = async (events) => {
    expect(events).toEqual([]);
    reader.setFilter({ types: ['message.created'] });
    return 'overtaken';
  };
  expect(await reader.read(change)).toEqual({ hasMore: true, isMoved: false });
  await reader.read(save);
  expect(taken).toEqual([[1]]);
});
