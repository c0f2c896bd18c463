import type { Thread } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import { agent, at, now } from './asking.fixture.ts';
import { updateThread } from './thread.ts';

const made: Thread = { id: 't', version: 3, createdBy: agent, createdAt: at(0), updatedAt: at(1) };
const full: Thread = { ...made, title: 'Old', metadata: { a: 1, b: [2] }, archivedAt: at(2) };
const update = (before: Thread, patch: Parameters<typeof updateThread>[1]) =>
  updateThread(before, patch, { by: agent, now });
const next = (change: Partial<Thread>): Thread => ({ ...made, version: 4, updatedAt: at(now), ...change });

test.each<[string, Thread, object, Partial<Thread>, object]>([
  ['a title', made, { title: 'New' }, { title: 'New' }, { title: null }],
  ['another title', full, { title: 'New' }, { ...full, title: 'New' }, { title: 'Old' }],
  ['metadata', made, { metadata: {} }, { metadata: {} }, { metadata: null }],
  ['other metadata', full, { metadata: { a: 1 } }, { ...full, metadata: { a: 1 } }, { metadata: full.metadata }],
  ['archiving', made, { isArchived: true }, { archivedAt: at(now) }, { archivedAt: null }],
  [
    'all at once, and only what changes',
    full,
    { title: 'Old', metadata: null, isArchived: false },
    { title: 'Old' },
    { metadata: full.metadata, archivedAt: full.archivedAt },
  ],
])('[T1][T2] %s is set, and the event has the earlier value', (_what, before, patch, after, was) => {
  const thread = next({ ...after, version: 4, updatedAt: at(now) });
  expect(update(before, patch)).toEqual({
    thread,
    event: { type: 'thread.updated', at: at(now), actor: agent, data: { thread, was } },
  });
});

test('[T2] a removed property is absent, not null', () => {
  const updated = update(full, { title: null, metadata: null, isArchived: false });
  expect(updated).toMatchObject({ event: { data: { was: { title: 'Old' } } } });
  const { thread } = updated as { thread: Thread };
  expect(Object.keys(thread).toSorted()).toEqual(['createdAt', 'createdBy', 'id', 'updatedAt', 'version']);
});

test('[T3] a value that is set already changes nothing, and archiving again keeps the time', () => {
  for (const patch of [{}, { title: null, metadata: null, isArchived: false }, { expectedVersion: 3 }])
    expect(update(made, patch)).toBeUndefined();
  for (const patch of [{}, { title: 'Old', metadata: { b: [2], a: 1 }, isArchived: true }])
    expect(update(full, patch)).toBeUndefined();
  expect(update(full, { title: 'New', isArchived: true })).toMatchObject({ thread: { archivedAt: full.archivedAt } });
});

test('[T2] any change of another version is refused', () => {
  const current = { id: 't', version: 3 };
  for (const patch of [{ title: 'New' }, {}])
    for (const expectedVersion of [2, 4])
      expect(update(made, { ...patch, expectedVersion })).toMatchObject({ code: 'version-conflict', current });
  expect(update(made, { title: 'New', expectedVersion: 3 })).toMatchObject({ thread: { version: 4 } });
});
