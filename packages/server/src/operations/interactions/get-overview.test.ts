import { limits } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import type { Caller } from '../../domain/caller.ts';
import { firstIdAt } from '../../domain/state.ts';
import type { Context } from '../context.ts';
import { getOverview } from './interactions.ts';

const caller: Caller = { kind: 'key', orgId: 'o', keyId: 'k', role: 'agent' };
const now = Date.parse('2030-01-01T12:00:00.000Z');

/** A store with this number of questions, each a millisecond after the one before. */
function storeOf(count: number) {
  const reads: number[] = [];
  const ids = Array.from({ length: count }, (_, n) => `${firstIdAt(now - n)}-7000-8000-000000000000`);
  const context = {
    clock: { now: () => now },
    store: {
      countInteractions: async () => ({ count: 0 }),
      listInteractions: async () => ({ items: [] }),
      listOutcomes: async ({ before, limit }: { before: string; limit: number }) => {
        const first = ids.findIndex((id) => id < before);
        const found = first < 0 ? [] : ids.slice(first, first + limit);
        reads.push(found.length);
        return found.map((id) => ({ id, status: 'pending', isDeclined: false }));
      },
    },
  } as unknown as Context;
  return { context, reads };
}

test('[C4] no more than 10,000 are summed up', () => {
  expect(limits.overviewInteractions).toBe(10_000);
});

test.each([
  [0, 0, false],
  [1, 1, false],
  [499, 499, false],
  [500, 500, false],
  [501, 501, false],
  [limits.overviewInteractions - 1, limits.overviewInteractions - 1, false],
  [limits.overviewInteractions, limits.overviewInteractions, false],
  [limits.overviewInteractions + 1, limits.overviewInteractions, true],
  [limits.overviewInteractions * 2, limits.overviewInteractions, true],
])('[C4] from %d questions %d are summed up', async (stored, summed, isPartial) => {
  const { context, reads } = storeOf(stored);
  const overview = await getOverview(context, caller, { hours: 24 });
  expect(overview.isPartial).toBe(isPartial);
  expect(overview.buckets.reduce((sum, { created }) => sum + created, 0)).toBe(summed);
  // It reads at most one interaction too many, in steps so small that other orgs get their turn in between.
  expect(reads.reduce((sum, read) => sum + read, 0)).toBeLessThanOrEqual(limits.overviewInteractions + 1);
  expect(Math.max(...reads)).toBeLessThanOrEqual(500);
});
