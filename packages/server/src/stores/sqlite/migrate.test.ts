/** How a file gets its schema: what an older one holds is carried over. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { commitAll } from '../contract/opened-store.ts';
import { onlyOfJavaScript, outcomesBefore } from '../contract/outcomes-before.fixture.ts';
import { idOf, interactionOf, nextThread, nextVersion, orgId } from '../contract/records.fixture.ts';
import { threadsOfSecondVersion } from '../contract/second-version.fixture.ts';
import { migrationsOf } from '../sql/migrations.ts';
import { databaseFile } from './open-database.ts';
import { openSqliteStore } from './sqlite-store.ts';

/** A folder as an earlier version left it. */
function folderOfVersion(version: number, fill: (db: DatabaseSync) => void): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-store-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const db = new DatabaseSync(join(folder, databaseFile));
  for (const file of migrationsOf('sqlite').slice(0, version)) db.exec(readFileSync(file, 'utf8'));
  db.exec(`PRAGMA user_version = ${version}`);
  fill(db);
  db.close();
  return folder;
}

test('[S1][D4] deadlines that are pending when the schema changes are due afterwards, at their time', async () => {
  const record = interactionOf(idOf(1), 't1');
  const row = (org: string, id: string, status: string, deadlineAt: number | null) =>
    `('${org}', '${id}', 't1', 'input', '${status}', 1, ${deadlineAt}, '${JSON.stringify({ ...record, id, status })}')`;
  const folder = folderOfVersion(1, (db) =>
    db.exec(`
    INSERT INTO threads (org_id, id, record) VALUES ('${orgId}', 't1', '{}');
    INSERT INTO interactions (org_id, id, thread_id, kind, status, version, deadline_at, record) VALUES
      ${row(orgId, idOf(1), 'pending', 2_000)}, ${row('other', idOf(2), 'pending', 1_000)},
      ${row(orgId, idOf(3), 'answered', 500)}, ${row(orgId, idOf(4), 'pending', null)}`),
  );
  const store = await openSqliteStore({ folder });
  onTestFinished(() => store.close());
  const kind = 'interaction';
  expect(await store.nextDueAt({ kind })).toBe(1_000);
  expect(await store.claimDue({ kind, now: 5_000, limit: 9, forMs: 1 })).toEqual([
    { kind, orgId: 'other', id: idOf(2), until: 5_001 },
    { kind, orgId, id: idOf(1), until: 5_001 },
  ]);
  const { items } = await store.listInteractions({ orgId, limit: 9 });
  expect(items.map(({ id, status }) => [id, status])).toEqual([
    [idOf(1), 'pending'],
    [idOf(3), 'answered'],
    [idOf(4), 'pending'],
  ]);
  await commitAll(store, { ...nextVersion(record), timers: [{ kind, id: idOf(1), dueAt: null }] });
  expect(await store.getInteraction({ orgId, id: idOf(1) })).toEqual({ ...record, version: 2 });
});

test('[S1][T1] threads that were there before threads had versions are at their first, and can be changed', async () => {
  const threads = threadsOfSecondVersion();
  const folder = folderOfVersion(2, (db) => {
    const add = db.prepare('INSERT INTO threads (org_id, id, record) VALUES (?, ?, ?)');
    for (const { id, record } of threads) add.run(orgId, id, record);
  });
  const store = await openSqliteStore({ folder });
  onTestFinished(() => store.close());
  for (const { id, now } of threads) {
    const read = await store.getThread({ orgId, id });
    expect(JSON.stringify(read)).toBe(JSON.stringify(now));
    await commitAll(store, nextThread(now));
    expect(await store.getThread({ orgId, id })).toMatchObject({ version: 2 });
  }
});

test('[S1][C3] questions that were closed before outcomes were kept count by their status', async () => {
  const before = outcomesBefore();
  const folder = folderOfVersion(6, (db) => {
    const add = db.prepare(
      `INSERT INTO interactions (org_id, id, thread_id, kind, status, version, record) VALUES (?, ?, 't1', 'input', ?, 1, ?)`,
    );
    for (const { id, status, record } of before) add.run(orgId, id, status, record);
  });
  const store = await openSqliteStore({ folder });
  onTestFinished(() => store.close());
  const read = await store.listOutcomes({ orgId, from: '', before: 'g', limit: 99 });
  expect(read).toEqual(before.map(({ outcome }) => outcome).toReversed());
});

test('[S1] a question of an earlier version is found by its assignees, with any content', async () => {
  const titles = ['Well?', ...onlyOfJavaScript()];
  const folder = folderOfVersion(5, (db) => {
    const add = db.prepare(
      `INSERT INTO interactions (org_id, id, thread_id, kind, status, version, record) VALUES (?, ?, 't1', 'input', 'pending', 1, ?)`,
    );
    for (const [n, title] of titles.entries()) {
      const record = interactionOf(idOf(n), 't1', { title, responder: { type: 'human', assignees: ['ann', 'bob'] } });
      add.run(orgId, record.id, JSON.stringify(record));
    }
  });
  const store = await openSqliteStore({ folder });
  onTestFinished(() => store.close());
  const { items } = await store.listInteractions({ orgId, assignee: 'bob', limit: 99 });
  expect(items.map(({ title }) => title)).toEqual(titles);
});

test('[S1] onOlder is called before data of an earlier version is upgraded, and never otherwise', async () => {
  const folder = folderOfVersion(6, () => {});
  const onOlder = vi.fn();
  for (const place of [folder, folder, join(folder, 'new')])
    await (await openSqliteStore({ folder: place, onOlder })).close();
  expect(onOlder).toHaveBeenCalledTimes(1);
});
