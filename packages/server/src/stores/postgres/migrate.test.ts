/** How a database gets its schema: once, whole, and never by a node that does not know it. */
import { readFileSync } from 'node:fs';
import { expect, inject, test, vi } from 'vitest';
import { createDatabase } from '../../../test/postgres/databases.ts';
import { storesOfATest } from '../../../test/postgres/stores-of-a-test.ts';
import { commitAll } from '../contract/opened-store.ts';
import { onlyOfJavaScript, outcomesBefore } from '../contract/outcomes-before.fixture.ts';
import { idOf, interactionOf, newThread, nextThread, orgId, threadOf } from '../contract/records.fixture.ts';
import { threadsOfSecondVersion } from '../contract/second-version.fixture.ts';
import { migrationsOf } from '../sql/migrations.ts';
import { startLock } from './migrate.ts';

const stores = storesOfATest(() => createDatabase(inject('postgres').server));

const known = migrationsOf('postgres').length;

async function versions(): Promise<number[]> {
  const { rows } = await (await stores.session()).query('SELECT version FROM schema_version ORDER BY version');
  return rows.map(({ version }) => version);
}

test('[N5] ten nodes that start at once on an empty database all start, and migrate it once', async () => {
  const opened = await Promise.all(Array.from({ length: 10 }, () => stores.open()));
  expect(await versions()).toEqual(Array.from({ length: known }, (_, index) => index + 1));
  for (const [n, store] of opened.entries()) await commitAll(store, newThread(`t${n}`));
  for (const store of opened) expect(await store.getThread({ orgId, id: 't9' })).toEqual(threadOf('t9'));
});

test('[N5] a node that starts while another migrates waits for it', async () => {
  const other = await stores.session();
  await other.query(`SELECT pg_advisory_lock(${startLock})`);
  const opening = stores.open();
  await vi.waitFor(async () => {
    const { rows } = await other.query(
      `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND objid = ${startLock}
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    expect(rows).toHaveLength(1);
  }, 10_000);
  expect((await other.query(`SELECT to_regclass('schema_version') AS found`)).rows).toEqual([{ found: null }]);
  await other.query(`SELECT pg_advisory_unlock(${startLock})`);
  await (await opening).checkReady();
});

test('[N5] a node that is older than the schema refuses to start, and leaves it alone', async () => {
  await (await stores.open()).close();
  const session = await stores.session();
  await session.query('INSERT INTO schema_version VALUES ($1)', [known + 1]);
  const newer = `written by a newer version of Holdpoint (schema ${known + 1}, this one knows ${known})`;
  await expect(stores.open()).rejects.toThrow(newer);
  await expect(stores.open()).rejects.toThrow(newer);
  expect(await versions()).toHaveLength(known + 1);
  const left = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'holdpoint'`;
  await vi.waitFor(async () => expect((await session.query(left)).rows).toEqual([]), 10_000);
});

test('[N5][S2] a migration that fails leaves nothing behind, and is done when its cause is gone', async () => {
  const session = await stores.session();
  await session.query('CREATE TABLE idempotency (theirs int)');
  await expect(stores.open()).rejects.toThrow('"idempotency" already exists');
  expect(await versions()).toEqual([]);
  expect((await session.query(`SELECT to_regclass('meta') AS found`)).rows).toEqual([{ found: null }]);
  await session.query('DROP TABLE idempotency');
  await (await stores.open()).checkReady();
  expect(await versions()).toHaveLength(known);
});

/** A database as an earlier version left it. */
async function databaseOfVersion(version: number) {
  const session = await stores.session();
  for (const file of migrationsOf('postgres').slice(0, version)) await session.query(readFileSync(file, 'utf8'));
  await session.query('CREATE TABLE schema_version (version integer PRIMARY KEY)');
  await session.query('INSERT INTO schema_version SELECT generate_series(1, $1::int)', [version]);
  return session;
}

test('[N5][D4] deadlines that are pending when the schema changes are due afterwards, at their time', async () => {
  const session = await databaseOfVersion(1);
  await session.query(`INSERT INTO deadlines VALUES ('acme', 'later', 2000), ('other', 'now', 1000)`);
  const store = await stores.open();
  expect(await versions()).toEqual(Array.from({ length: known }, (_, index) => index + 1));
  const kind = 'interaction';
  expect(await store.nextDueAt({ kind })).toBe(1_000);
  expect(await store.claimDue({ kind, now: 5_000, limit: 9, forMs: 1 })).toEqual([
    { kind, orgId: 'other', id: 'now', until: 5_001 },
    { kind, orgId: 'acme', id: 'later', until: 5_001 },
  ]);
  expect((await session.query(`SELECT to_regclass('deadlines') AS found`)).rows).toEqual([{ found: null }]);
});

test('[S1][T1] threads that were there before threads had versions are at their first, and can be changed', async () => {
  const session = await databaseOfVersion(2);
  const threads = threadsOfSecondVersion();
  for (const { id, record } of threads)
    await session.query('INSERT INTO threads (org_id, id, record) VALUES ($1, $2, $3)', [orgId, id, record]);
  const store = await stores.open();
  for (const { id, now } of threads) {
    const read = await store.getThread({ orgId, id });
    expect(JSON.stringify(read)).toBe(JSON.stringify(now));
    await commitAll(store, nextThread(now));
    expect(await store.getThread({ orgId, id })).toMatchObject({ version: 2 });
  }
});

test('[S1][C3] questions that were closed before outcomes were kept count by their status', async () => {
  const session = await databaseOfVersion(6);
  const before = outcomesBefore();
  for (const { id, status, record } of before)
    await session.query(
      `INSERT INTO interactions (org_id, id, thread_id, kind, status, version, record) VALUES ($1, $2, 't1', 'input', $3, 1, $4)`,
      [orgId, id, status, record],
    );
  const store = await stores.open();
  const read = await store.listOutcomes({ orgId, from: '', before: 'g', limit: 99 });
  expect(read).toEqual(before.map(({ outcome }) => outcome).toReversed());
});

test('[S1][N5] whom a question named before is found, and one that the database cannot read stops no start', async () => {
  const session = await databaseOfVersion(5);
  const titles = ['Well?', 'two halves: \ud83d\ude00', ...onlyOfJavaScript()];
  for (const [n, title] of titles.entries()) {
    const record = interactionOf(idOf(n), 't1', { title, responder: { type: 'human', assignees: ['ann', 'bob'] } });
    await session.query(
      `INSERT INTO interactions (org_id, id, thread_id, kind, status, version, record) VALUES ($1, $2, 't1', 'input', 'pending', 1, $3)`,
      [orgId, record.id, JSON.stringify(record)],
    );
  }
  const store = await stores.open();
  const { items } = await store.listInteractions({ orgId, assignee: 'bob', limit: 99 });
  expect(items.map(({ title }) => title)).toEqual(titles.slice(0, 2));
  expect(await store.getInteraction({ orgId, id: idOf(3) })).toMatchObject({ title: titles[3] });
});
