/** Brings the schema and the data of an earlier version up to date. */
import type { Interaction } from '@holdpoint/protocol';
import type pg from 'pg';
import { clockSkewMs, firstIdAt } from '../../domain/state.ts';
import { migrationsAfter } from '../sql/migrations.ts';
import { lockAll } from './batch-writer.ts';
import { threadLockName } from './change-locks.ts';
import { textArray } from './text-array.ts';

/** Advisory lock of a start: of many nodes that start at once, one migrates and the others wait. It never changes. */
export const startLock = 7_400_001;

/** Call it while you hold the start lock. */
export async function migrate(client: pg.Client): Promise<void> {
  await client.query('CREATE TABLE IF NOT EXISTS schema_version (version integer PRIMARY KEY)');
  const { rows } = await client.query('SELECT coalesce(max(version), 0) AS version FROM schema_version');
  for (const { version, sql } of migrationsAfter(Number(rows[0]?.version), 'postgres'))
    await client.query(`BEGIN; ${sql}; INSERT INTO schema_version (version) VALUES (${version}); COMMIT`);
  await repairAssigned(client);
  await assignToAnyPerson(client);
}

/** Bounds the records that one statement reads and the locks that one transaction holds. */
const pageSize = 200;

/** Progress of the repair: the pending questions of earlier orgs, and of this org up to this id, are done. */
type Place = [orgId: string, id: string];

const nextOrg = 'SELECT min(org_id) AS org_id FROM interactions WHERE org_id > $1';
/** The opposite of the condition in migration 0006. It is checked for each row of the page, so a page stays bounded. */
const pageOfOrg = `SELECT id, thread_id, record LIKE '%"assignees":[%' AND record ~ '\\\\u(0000|d[89a-f])' AS is_skipped
  FROM interactions WHERE org_id = $1 AND status = 'pending' AND id > $2 ORDER BY id LIMIT ${pageSize}`;
const stillPending = `SELECT id, record FROM interactions WHERE org_id = $1 AND id = ANY ($2) AND status = 'pending'`;
const addAssigned = `INSERT INTO assigned (org_id, responder_id, id) SELECT $1, * FROM unnest($2::text[], $3::text[])
  ON CONFLICT DO NOTHING`;

/**
 * Adds the rows of `assigned` that migration 0006 skipped: PostgreSQL cannot parse those records, JavaScript can. An
 * interrupted repair continues at the point where it stopped.
 */
async function repairAssigned(client: pg.Client): Promise<void> {
  const { rows } = await client.query(`SELECT value FROM meta WHERE key = 'repair-assigned'`);
  if (rows.length === 0) return;
  let place: Place | undefined = JSON.parse(rows[0].value);
  while (place) place = await repairPage(client, place);
  await client.query(`DELETE FROM meta WHERE key = 'repair-assigned'`);
}

async function repairPage(client: pg.Client, [orgId, after]: Place): Promise<Place | undefined> {
  const { rows } = await client.query(pageOfOrg, [orgId, after]);
  const skipped = rows.filter(({ is_skipped }) => is_skipped);
  const last = rows.at(-1)?.id;
  if (last === undefined) {
    const [next] = (await client.query(nextOrg, [orgId])).rows;
    return next.org_id === null ? undefined : [next.org_id, ''];
  }
  const place: Place = [orgId, last];
  if (skipped.length === 0) return place;
  // Running nodes may answer these questions meanwhile. They lock the thread before they read (change-locks.ts), so under
  // the same locks a pending question stays pending until its rows are committed.
  await client.query('BEGIN');
  const locks = new Set(skipped.map(({ thread_id }) => threadLockName(orgId, thread_id)));
  await client.query({ ...lockAll, values: [textArray([...locks])] });
  const ids = skipped.map(({ id }) => id);
  const pending = await client.query<{ id: string; record: string }>(stillPending, [orgId, ids]);
  const assigned = pending.rows.flatMap(({ id, record }) =>
    ((JSON.parse(record) as Interaction).responder.assignees ?? []).map((responder) => ({ responder, id })),
  );
  const columns = [assigned.map(({ responder }) => responder), assigned.map(({ id }) => id)];
  await client.query(addAssigned, [orgId, ...columns.map(textArray)]);
  await client.query(`UPDATE meta SET value = $1 WHERE key = 'repair-assigned'`, [JSON.stringify(place)]);
  await client.query('COMMIT');
  return place;
}

const dayMs = 86_400_000;

/** Like migration 0010, from this id on. */
const assignMissing = `INSERT INTO assigned (org_id, responder_id, id)
  WITH RECURSIVE every_org (org_id) AS (
    SELECT min(org_id) FROM interactions
    UNION ALL
    SELECT (SELECT min(org_id) FROM interactions WHERE org_id > every_org.org_id) FROM every_org
    WHERE every_org.org_id IS NOT NULL
  )
  SELECT i.org_id, '', i.id
  FROM every_org CROSS JOIN LATERAL (
    SELECT org_id, id, record FROM interactions
    WHERE org_id = every_org.org_id AND status = 'pending' AND id >= $1 ORDER BY id
  ) AS i
  WHERE position('"responder":{"type":"human"}' IN i.record) > 0 OR position('"responder":{"type":"any"}' IN i.record) > 0
  ON CONFLICT DO NOTHING`;
const unassignClosed = `DELETE FROM assigned AS a USING interactions AS i
  WHERE a.responder_id = '' AND i.org_id = a.org_id AND i.id = a.id AND i.status <> 'pending'`;

/**
 * Does what nodes of before migration 0010 left out while they still ran: the inboxes of members lack their questions for
 * anybody, and keep those that they closed. A day after the migration none of them runs.
 */
async function assignToAnyPerson(client: pg.Client): Promise<void> {
  const { rows } = await client.query(`SELECT value FROM meta WHERE key = 'assign-any-person'`);
  if (rows.length === 0) return;
  const since = Number(rows[0].value);
  await client.query(assignMissing, [firstIdAt(since - clockSkewMs)]);
  await client.query(unassignClosed);
  if (Date.now() - since > dayMs) await client.query(`DELETE FROM meta WHERE key = 'assign-any-person'`);
}
