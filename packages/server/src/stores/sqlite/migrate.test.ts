/** How a file gets its schema: what an older one holds is carried over. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { commitAll } from '../contract/opened-store.ts';
import { idOf, interactionOf, nextVersion, orgId } from '../contract/records.fixture.ts';
import { migrationsOf } from '../sql/migrations.ts';
import { databaseFile } from './open-database.ts';
import { openSqliteStore } from './sqlite-store.ts';

/** A folder as the first version left it. */
function folderOfFirstVersion(fill: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-store-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const db = new DatabaseSync(join(folder, databaseFile));
  const [first] = migrationsOf('sqlite');
  db.exec(`${readFileSync(first as URL, 'utf8')}; PRAGMA user_version = 1; ${fill}`);
  db.close();
  return folder;
}

test('[S1][D4] deadlines that are pending when the schema changes are due afterwards, at their time', async () => {
  const record = interactionOf(idOf(1), 't1');
  const row = (org: string, id: string, status: string, deadlineAt: number | null) =>
    `('${org}', '${id}', 't1', 'input', '${status}', 1, ${deadlineAt}, '${JSON.stringify({ ...record, id, status })}')`;
  const folder = folderOfFirstVersion(`
    INSERT INTO threads (org_id, id, record) VALUES ('${orgId}', 't1', '{}');
    INSERT INTO interactions (org_id, id, thread_id, kind, status, version, deadline_at, record) VALUES
      ${row(orgId, idOf(1), 'pending', 2_000)}, ${row('other', idOf(2), 'pending', 1_000)},
      ${row(orgId, idOf(3), 'answered', 500)}, ${row(orgId, idOf(4), 'pending', null)}`);
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
