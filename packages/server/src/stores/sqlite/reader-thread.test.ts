/** Lists run in their own thread: the main thread, which answers all calls, never waits for one. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test, vi } from 'vitest';
import { WorkShare } from '../../domain/fair-queue.ts';
import { beginning, commitAll } from '../contract/opened-store.ts';
import { idOf, interactionOf, newInteraction, newThread, orgId } from '../contract/records.fixture.ts';
import type { Store } from '../store.ts';
import { databaseFile } from './open-database.ts';
import { ReaderThread } from './reader-thread.ts';
import { openSqliteStore } from './sqlite-store.ts';

async function setUp() {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-reader-'));
  const workers: Worker[] = [];
  const remember = (worker: Worker) => workers.push(worker);
  process.on('worker', remember);
  const store = await openSqliteStore({ folder });
  onTestFinished(async () => {
    process.off('worker', remember);
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  await commitAll(store, newThread('t1'), newInteraction(interactionOf(idOf(1), 't1')));
  return { store, folder, workers };
}

/** Everything that reads more than one record. */
const lists: ((store: Store) => Promise<unknown>)[] = [
  (store) => store.listThreads({ orgId, limit: 9 }),
  (store) => store.listInteractions({ orgId, limit: 9 }),
  (store) => store.countInteractions({ orgId, limit: 9 }),
  (store) => store.listOutcomes({ orgId, from: '', before: 'g', limit: 9 }),
  (store) => store.listMessages({ orgId, threadId: 't1', order: 'oldest', limit: 9 }),
  (store) => store.listRuns({ orgId, order: 'oldest', limit: 9 }),
  (store) => store.readJournal({ orgId, runId: 'r', after: 0, limit: 9 }),
  (store) => store.listGrants({ orgId, limit: 9 }),
  (store) => store.listDocuments({ orgId, type: 'webhook', limit: 9 }),
  (store) => store.listDeliveries({ orgId, webhookId: 'w', order: 'oldest', limit: 9 }),
  (store) => store.listApiKeys({ orgId, limit: 9 }),
  (store) => store.readLog({ orgId, threadId: 't1', after: 0, limit: 9 }),
  (store) => store.readEvents({ orgId, after: beginning, limit: 9 }),
];

test('[L22] a long query does not block the event loop', async () => {
  const { folder } = await setUp();
  const reader = new ReaderThread({ path: join(folder, databaseFile) });
  const numbers = 'WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < ?)';
  const sql = `${numbers} SELECT max(x) AS last FROM n`;
  const reading = reader.read([{ sql, values: [1_000_000] }]);
  let turns = 0;
  let isOver = false;
  void reading.then(() => (isOver = true));
  for (; !isOver; turns++) await new Promise((resolve) => setImmediate(resolve));
  expect(await reading).toEqual([[{ last: 1_000_000 }]]);
  expect(turns).toBeGreaterThan(10);
  await reader.close();
});

test('[L22] every list is read by the reader thread, which starts with the first one', async () => {
  // A list that rests first (L21) would be sent to the next thread instead of the one that is ended.
  using _restless = vi.spyOn(WorkShare.prototype, 'restMs').mockReturnValue(0);
  const { store, workers } = await setUp();
  expect(await store.getInteraction({ orgId, id: idOf(1) })).toBeDefined();
  const [writer, ...others] = workers;
  expect(writer).toBeDefined();
  expect(others).toEqual([]);
  for (const list of lists) {
    const found = await list(store);
    // A query sent in the turn in which its thread ends is never read; the next query starts another thread.
    const ended = workers.at(-1)?.terminate();
    await expect(list(store)).rejects.toMatchObject({ code: 'storage-unavailable' });
    await ended;
    expect(await store.getInteraction({ orgId, id: idOf(1) })).toBeDefined();
    expect(await list(store)).toEqual(found);
  }
  expect(workers).toHaveLength(2 + lists.length);
});

test('[L22][N1] the reader thread sees all changes that were acknowledged before its query', async () => {
  const { store } = await setUp();
  for (let n = 2; n < 40; n++) {
    await commitAll(store, newInteraction(interactionOf(idOf(n), 't1')));
    expect(await store.countInteractions({ orgId, limit: 100 })).toEqual({ count: n });
  }
});

test('[L22] closing waits for the queries under way and refuses those that come later', async () => {
  const { folder } = await setUp();
  const reader = new ReaderThread({ path: join(folder, databaseFile) });
  const underWay = [1, 2, 3].map((n) => reader.read([{ sql: 'SELECT ? AS n', values: [n] }]));
  const closed = reader.close();
  expect(await Promise.all(underWay)).toEqual([[[{ n: 1 }]], [[{ n: 2 }]], [[{ n: 3 }]]]);
  await expect(reader.read([])).rejects.toMatchObject({ code: 'storage-unavailable' });
  await closed;
});
