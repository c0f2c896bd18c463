import type { FreeObject } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import type { Change, Store } from '../../stores/store.ts';
import { expireDraft } from './drafts.ts';

const month = 30 * 86_400_000;
const due = { orgId: 'one', id: 'i human ann' };

async function expire(savedAt: number | undefined): Promise<Change[]> {
  const changes: Change[] = [];
  const record = { values: {} as FreeObject, savedAt: new Date(savedAt ?? 0).toISOString() };
  const store = {
    getDocument: async () => (savedAt === undefined ? undefined : { id: due.id, revision: 'r', record }),
    commit: async (change: Change) => {
      changes.push(change);
      return { ok: true, events: [] };
    },
  } as unknown as Store;
  await expireDraft({ store, clock: { now: () => 10 * month } }, due);
  return changes;
}

const timers = [{ kind: 'draft', id: due.id, dueAt: null }];

test('[DR1] a draft is deleted a month after it was saved', async () => {
  expect(await expire(9 * month + 1)).toEqual([]);
  const dropped = { type: 'draft', id: due.id, record: null, expected: 'r' };
  expect(await expire(9 * month)).toEqual([{ orgId: 'one', documents: [dropped], timers }]);
  expect(await expire(undefined)).toEqual([{ orgId: 'one', timers }]);
});
