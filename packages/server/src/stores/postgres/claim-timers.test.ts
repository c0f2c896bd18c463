/** Several stores on one database claim timers: no timer is claimed twice, and no store waits for another. */
import { expect, test } from 'vitest';
import { storesOfATest } from '../../../test/postgres/stores-of-a-test.ts';
import { commitAll } from '../contract/opened-store.ts';
import { at, idOf, orgId } from '../contract/records.fixture.ts';
import type { Store } from '../store.ts';

const stores = storesOfATest();

const kind = 'interaction';
const due = Date.parse(at);
const forMs = 5_000;

/** Three stores, and so many timers that come due one millisecond after the other. */
async function openWithDue(count: number): Promise<{ nodes: [Store, Store, Store]; ids: string[] }> {
  const nodes: [Store, Store, Store] = [await stores.open(), await stores.open(), await stores.open()];
  const ids = Array.from({ length: count }, (_, n) => idOf(n));
  await commitAll(nodes[0], { orgId, timers: ids.map((id, n) => ({ kind, id, dueAt: due + n })) });
  return { nodes, ids };
}

const claim = async (store: Store, now: number, limit: number): Promise<string[]> =>
  (await store.claimDue({ kind, now, limit, forMs })).map(({ id }) => id);

test('[N3] three that take on timers at once share them: each gets as many as it asks for, and no two the same', async () => {
  const { nodes, ids } = await openWithDue(600);
  const claimed = await Promise.all(nodes.map((store) => claim(store, due + 600, 200)));
  expect(claimed.map(({ length }) => length)).toEqual([200, 200, 200]);
  expect(claimed.flat().sort()).toEqual(ids);
  // Each has its own in the order in which they came due.
  for (const mine of claimed) expect(mine).toEqual(mine.toSorted());
});

test('[N3] many small claims at once take on everything once', async () => {
  const { nodes, ids } = await openWithDue(300);
  const claimed: string[] = [];
  const claimAll = async (store: Store) => {
    while (claimed.length <= ids.length) {
      const mine = await claim(store, due + 300, 7);
      if (mine.length === 0) return;
      claimed.push(...mine);
    }
  };
  await Promise.all([...nodes, ...nodes].map(claimAll));
  expect(claimed.sort()).toEqual(ids);
});

test('[N3] another node gets the timers of a dead node when its claims end, not before', async () => {
  const {
    nodes: [dead, other, third],
    ids,
  } = await openWithDue(9);
  const now = due + 9;
  expect(await claim(dead, now, 9)).toEqual(ids);
  await dead.close();
  expect(await claim(other, now, 9)).toEqual([]);
  expect(await claim(third, now + forMs - 1, 9)).toEqual([]);
  expect(await other.nextDueAt({ kind })).toBe(now + forMs);
  expect((await claim(other, now + forMs, 9)).sort()).toEqual(ids);
  expect(await claim(third, now + forMs, 9)).toEqual([]);
});

test('[N3] a timer that another transaction holds is passed by, not waited for', async () => {
  const { nodes, ids } = await openWithDue(3);
  const holder = await stores.session();
  await holder.query('BEGIN');
  await holder.query('SELECT 1 FROM timers WHERE org_id = $1 AND id = $2 FOR UPDATE', [orgId, ids[0]]);
  expect(await claim(nodes[0], due + 3, 1)).toEqual([ids[1]]);
  expect(await claim(nodes[1], due + 3, 9)).toEqual([ids[2]]);
  await holder.query('ROLLBACK');
  expect(await claim(nodes[2], due + 3, 9)).toEqual([ids[0]]);
});
