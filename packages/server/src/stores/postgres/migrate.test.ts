/** How a database gets its schema: once, whole, and never by a node that does not know it. */
import { readFileSync } from 'node:fs';
import type { Interaction } from '@holdpoint/protocol';
import type { Client } from 'pg';
import { expect, inject, test, vi } from 'vitest';
import { createDatabase } from '../../../test/postgres/databases.ts';
import { storesOfATest } from '../../../test/postgres/stores-of-a-test.ts';
import { firstIdAt } from '../../domain/state.ts';
import { commitAll } from '../contract/opened-store.ts';
import { onlyOfJavaScript, outcomesBefore } from '../contract/outcomes-before.fixture.ts';
import { idOf, interactionOf, newThread, nextThread, orgId, threadOf } from '../contract/records.fixture.ts';
import { threadsOfSecondVersion } from '../contract/second-version.fixture.ts';
import { migrationsOf } from '../sql/migrations.ts';
import { anyPerson, type Store } from '../store.ts';
import { threadLockName } from './change-locks.ts';
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

/** Stores pending questions for Ann and Bob with these titles, as a version without the table `assigned` did. */
async function askBeforeAssigned(session: Client, org: string, titles: readonly string[]): Promise<void> {
  const records = titles.map((title, n) =>
    interactionOf(idOf(n), 't1', { title, responder: { type: 'human', assignees: ['ann', 'bob'] } }),
  );
  await session.query(
    `INSERT INTO interactions (org_id, id, thread_id, kind, status, version, record)
      SELECT $1, id, 't1', 'input', 'pending', 1, record FROM unnest($2::text[], $3::text[]) AS t(id, record)`,
    [org, records.map(({ id }) => id), records.map((record) => JSON.stringify(record))],
  );
}

const titlesBefore = ['Well?', 'two halves: \ud83d\ude00', ...onlyOfJavaScript()];
const inboxOf = async (store: Store, assignee: string, org = orgId) =>
  (await store.listInteractions({ orgId: org, assignee, limit: 999 })).items.map(({ title }) => title);

test('[S1][N8] a pending question from before the inbox is found by its assignees, whatever its text', async () => {
  const session = await databaseOfVersion(5);
  await askBeforeAssigned(session, orgId, titlesBefore);
  await askBeforeAssigned(session, 'other', titlesBefore.toReversed());
  const nodes = await Promise.all(Array.from({ length: 5 }, () => stores.open()));
  for (const store of nodes)
    for (const assignee of ['ann', 'bob']) {
      expect(await inboxOf(store, assignee)).toEqual(titlesBefore);
      expect(await inboxOf(store, assignee, 'other')).toEqual(titlesBefore.toReversed());
    }
  expect(await inboxOf(nodes[0] as Store, 'eve')).toEqual([]);
});

test('[S1][N8] a database on which the inbox already lacks questions gets them at the next start, in pages', async () => {
  const session = await databaseOfVersion(7);
  const titles = Array.from({ length: 450 }, (_, n) => titlesBefore[n % titlesBefore.length] ?? '');
  await askBeforeAssigned(session, orgId, titles);
  // The state that migration 0006 left.
  await session.query(`INSERT INTO assigned SELECT $1, unnest(ARRAY['ann', 'bob']), $2`, [orgId, idOf(0)]);
  await session.query(`UPDATE interactions SET status = 'answered' WHERE id = $1`, [idOf(2)]);
  const store = await stores.open();
  const wasSkipped = (title: string, n: number) => n === 0 || (n !== 2 && onlyOfJavaScript().includes(title));
  expect(await inboxOf(store, 'bob')).toEqual(titles.filter(wasSkipped));
  expect((await session.query(`SELECT value FROM meta WHERE key = 'repair-assigned'`)).rows).toEqual([]);
});

test('[S1][N8] a question that a running node answers during the repair is in no inbox', async () => {
  const session = await databaseOfVersion(7);
  await askBeforeAssigned(session, orgId, ['\0']);
  const answering = await stores.session();
  await answering.query('BEGIN');
  await answering.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [threadLockName(orgId, 't1')]);
  const opening = stores.open();
  await vi.waitFor(async () => {
    const waiting = `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    expect((await session.query(waiting)).rows).toHaveLength(1);
  }, 10_000);
  await answering.query(`UPDATE interactions SET status = 'answered'`);
  await answering.query('COMMIT');
  expect(await inboxOf(await opening, 'ann')).toEqual([]);
});

test('[PE196] each start within a day adds the questions for anybody that older nodes asked meanwhile', async () => {
  const store = await stores.open();
  const session = await stores.session();
  const forAnybody = async () => (await store.listInteractions({ orgId, assignees: [anyPerson], limit: 9 })).items;
  const ask = async (n: number, responder: Interaction['responder']) => {
    const asked = interactionOf(`${firstIdAt(Date.now())}-7000-8000-00000000000${n}`, 't1', { responder });
    await commitAll(store, { orgId, interaction: { record: asked, expectedVersion: 0 } });
    return asked;
  };
  await commitAll(store, newThread('t1'));
  const [one, two] = [await ask(1, { type: 'human' }), await ask(2, { type: 'any' })];
  await ask(3, { type: 'human', assignees: ['ann'] });
  await ask(4, { type: 'agent' });
  // The state that older nodes leave.
  await session.query(`DELETE FROM assigned WHERE responder_id = ''`);
  const closed = await ask(5, { type: 'human' });
  await session.query(`UPDATE interactions SET status = 'answered' WHERE id = $1`, [closed.id]);
  const repair = `SELECT value FROM meta WHERE key = 'assign-any-person'`;
  for (const started of ['now', 'a day later']) {
    if (started !== 'now')
      await session.query(`UPDATE meta SET value = value::bigint - 86400001 WHERE key = 'assign-any-person'`);
    await (await stores.open()).close();
    expect(await forAnybody()).toEqual([one, two]);
    expect((await session.query(`SELECT id FROM assigned WHERE responder_id = ''`)).rows).toHaveLength(2);
    expect((await session.query(repair)).rows).toHaveLength(started === 'now' ? 1 : 0);
  }
});
