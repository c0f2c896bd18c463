/** Another session holds a lock: only the changes that need it wait, and they end in a commit or in a clear error. */
import type { Client } from 'pg';
import { expect, test, vi } from 'vitest';
import { storesOfATest } from '../../../test/postgres/stores-of-a-test.ts';
import { beginning, commitAll, readEvents } from '../contract/opened-store.ts';
import {
  eventOf,
  idempotencyRecordOf,
  idOf,
  interactionOf,
  newInteraction,
  newThread,
  nextVersion,
  orgId,
} from '../contract/records.fixture.ts';
import { encodeChange } from '../sql/encode-change.ts';
import type { Change, EventHead, Store } from '../store.ts';
import { lockNames } from './change-locks.ts';

const stores = storesOfATest();

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));
const say = (threadId: string): Change => ({ orgId, log: { threadId, events: [eventOf('message.created')] } });
const count = 20;
const records = times(count, (n) => interactionOf(idOf(n), `t${n}`));
const [locked, ...free] = records as [(typeof records)[0], ...typeof records];

/** Opens a store with a question in each thread, and a session that has locked the row of one question. */
async function open(options: { giveUpMs?: number } = {}) {
  const [store, session] = [await stores.open(options), await stores.session()];
  const heads: EventHead[] = [];
  store.onCommitted((seen) => heads.push(...seen));
  await Promise.all(records.map(({ threadId }) => commitAll(store, newThread(threadId))));
  await Promise.all(records.map((record) => commitAll(store, newInteraction(record))));
  await lockRow(session);
  return { store, session, heads };
}

async function lockRow(session: Client): Promise<void> {
  await session.query('BEGIN');
  const { rows } = await session.query('SELECT id FROM interactions WHERE id = $1 FOR UPDATE', [locked.id]);
  expect(rows).toHaveLength(1);
}

const versionOf = async (store: Store, id: string) => (await store.getInteraction({ orgId, id }))?.version;
const untilBlocked = (store: Store, writes: number) =>
  vi.waitFor(() => expect(store.blockedWrites()).toBe(writes), 60_000);

test('[N10] while a row is locked, the other changes of its batch and later ones commit and are delivered', async () => {
  const { store, session, heads } = await open();
  const blocked = store.commit(nextVersion(locked));
  const others = await Promise.all(free.map((record) => store.commit(nextVersion(record))));
  expect(others.every(({ ok }) => ok)).toBe(true);
  await untilBlocked(store, 1);
  // This also holds in the thread of the locked question.
  const later = await Promise.all(records.map(({ threadId }) => store.commit(say(threadId))));
  expect(later.every(({ ok }) => ok)).toBe(true);
  await vi.waitFor(() => expect(heads).toHaveLength(4 * count - 1), 60_000);
  expect(await readEvents(store, { orgId, after: beginning, limit: 1_000 })).toHaveLength(4 * count - 1);
  await untilBlocked(store, 1);
  expect(await versionOf(store, locked.id)).toBe(1);

  await session.query('ROLLBACK');
  expect(await blocked).toMatchObject({ ok: true, events: [{ interactionId: locked.id, seq: 4 }] });
  expect(await versionOf(store, locked.id)).toBe(2);
  await untilBlocked(store, 0);
});

test('[N10] changes that need the same locked row wait together, and one of them is saved', async () => {
  const { store, session } = await open();
  const first = store.commit(nextVersion(locked));
  await untilBlocked(store, 1);
  const more = times(5, () => store.commit(nextVersion(locked)));
  await untilBlocked(store, 6);
  await session.query('COMMIT');
  const committed = await Promise.all([first, ...more]);
  expect(committed.filter(({ ok }) => ok)).toHaveLength(1);
  expect(committed.filter(({ ok }) => !ok)).toEqual(times(5, () => ({ ok: false, reason: 'conflict' })));
});

test('[N11] a change that is blocked for too long fails with the reason, and nothing of it is saved', async () => {
  const { store, session } = await open({ giveUpMs: 300 });
  const refused = store.commit({ ...nextVersion(locked), idempotency: idempotencyRecordOf('key', locked.id) });
  await expect(refused).rejects.toMatchObject({
    code: 'storage-unavailable',
    message: expect.stringContaining(`Nothing was changed: interaction ${locked.id} is locked by another session`),
    fault: { retryAfterMs: expect.any(Number) },
  });
  await untilBlocked(store, 0);
  await session.query('ROLLBACK');
  expect(await versionOf(store, locked.id)).toBe(1);
  expect(await store.findIdempotency({ orgId, key: 'key' })).toBeUndefined();
  expect((await store.readLog({ orgId, threadId: locked.threadId, after: 0, limit: 10 })).items).toHaveLength(2);
  await commitAll(store, nextVersion(locked));
});

test('[N10] a lock on a thread or on an idempotency key blocks the changes that need it and no others', async () => {
  const { store, session } = await open();
  await session.query('ROLLBACK');
  await session.query('BEGIN');
  await session.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', lockNames(encodeChange(say('t1'))));
  await session.query(`INSERT INTO idempotency VALUES ($1, 'taken', '', '', '')`, [orgId]);
  const blocked = [store.commit(say('t1')), store.commit({ ...say('t2'), idempotency: idempotencyRecordOf('taken') })];
  await untilBlocked(store, 2);
  await commitAll(store, say('t2'), { ...say('t3'), idempotency: idempotencyRecordOf('free') });
  await untilBlocked(store, 2);
  await session.query('ROLLBACK');
  expect((await Promise.all(blocked)).every(({ ok }) => ok)).toBe(true);
});

test('[N10][H7] closing gives up on blocked changes at once, and nothing of them is saved', async () => {
  const { store, session } = await open({ giveUpMs: 600_000 });
  const refused = expect(store.commit(nextVersion(locked))).rejects.toMatchObject({ code: 'storage-unavailable' });
  await untilBlocked(store, 1);
  await store.close();
  await refused;
  await session.query('ROLLBACK');
  expect(await versionOf(await stores.open(), locked.id)).toBe(1);
});

test('[N12] a store is not ready while any of its tables is locked, and ready again after', async () => {
  const { store, session } = await open();
  await session.query('ROLLBACK');
  const tables = `SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'schema_version'
    AND tablename NOT LIKE 'blob%'`;
  const { rows } = await session.query(tables);
  expect(rows.length).toBeGreaterThan(10);
  for (const { tablename } of rows) {
    await session.query(`BEGIN; LOCK TABLE ${tablename} IN SHARE MODE`);
    await expect(store.checkReady(), tablename).rejects.toMatchObject({
      code: 'storage-unavailable',
      message: expect.stringContaining('locked a table'),
    });
    await session.query('ROLLBACK');
    await store.checkReady();
  }
});

test('[N12] a store whose writes failed is not ready until a write succeeds', async () => {
  const { store, session } = await open();
  await session.query(`ROLLBACK;
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = 'disk_full'; END $$;
    CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON meta EXECUTE FUNCTION refuse();
    CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON events EXECUTE FUNCTION refuse();`);
  await expect(store.commit(say('t1'))).rejects.toMatchObject({ code: 'storage-unavailable' });
  await expect(store.checkReady()).rejects.toMatchObject({ code: 'storage-unavailable' });
  await session.query('DROP FUNCTION refuse() CASCADE');
  await store.checkReady();
  await commitAll(store, say('t1'));
});

test('[N10] a locked table blocks every change; all are saved once it is free', async () => {
  const { store, session } = await open();
  await session.query('ROLLBACK; BEGIN; LOCK TABLE events IN SHARE MODE');
  const blocked = records.map(({ threadId }) => store.commit(say(threadId)));
  await untilBlocked(store, count);
  await session.query('ROLLBACK');
  expect((await Promise.all(blocked)).every(({ ok }) => ok)).toBe(true);
  await untilBlocked(store, 0);
});
