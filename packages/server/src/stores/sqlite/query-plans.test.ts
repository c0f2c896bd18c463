/** Every read must go by an index: a table that grows may not make it slower. */
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { everyFilter, everyRunFilter } from '../contract/every-filter.fixture.ts';
import { coverage } from '../contract/records.fixture.ts';
import { fairReads } from '../sql/fair-reads.ts';
import { recordReads } from '../sql/read-records.ts';
import { readerOf } from '../sql/select.ts';
import { changeApplier } from './apply-change.ts';
import { claimWriter, timerClaims } from './claim-timers.ts';
import { migrate } from './open-database.ts';
import { hint, logReads, property, readTogether } from './reads.ts';
import { selectFrom } from './select-from.ts';

/** A database that remembers every statement it was asked to prepare. */
class RecordingDatabase extends DatabaseSync {
  readonly statements = new Set<string>();

  override prepare(sql: string) {
    this.statements.add(sql);
    return super.prepare(sql);
  }
}

async function statementsOfEveryRead(): Promise<{ db: DatabaseSync; statements: string[] }> {
  const db = new RecordingDatabase(':memory:');
  migrate(db);
  db.statements.clear();
  changeApplier(db);
  const select = selectFrom(db);
  const readsOf = fairReads([readerOf(select)]);
  const records = recordReads(select, { readsOf, hint, property });
  claimWriter(db);
  timerClaims(db, async () => []);
  const events = logReads(db, { readsOf });
  const orgId = 'acme';
  const idCursor = { cursor: '01900000-0000-7000-8000-000000000000' };
  const firstPage = { orgId, limit: 9 };
  const one = { orgId, id: 'i' };
  readTogether(db)([one]);
  await Promise.all([records.getThread(one), records.getMessage(one)]);
  await Promise.all([records.getGrant(one), records.getApiKey(one), records.getOrg(one)]);
  await records.getSecrets({ orgId, interactionId: 'i' });
  await records.findApiKey({ hash: 'h' });
  await records.findIdempotency({ orgId, key: 'k' });
  await records.findGrants({ orgId, key: 'k', covers: coverage, threadId: 't', runId: 'r', now: 0, limit: 9 });
  await records.getDocument({ ...one, type: 'reader' });
  await records.findDocument({ orgId, type: 'reader', alias: 'a' });
  await records.getDelivery({ ...one, webhookId: 'w' });
  await records.getRun(one);
  await records.readJournal({ orgId, runId: 'r', after: 0, limit: 9 });
  await records.listThreads(firstPage);
  await records.listThreads({ ...firstPage, cursor: '0'.padStart(16, '0') });
  for (const page of [firstPage, { ...firstPage, ...idCursor }]) {
    await records.listGrants(page);
    await records.listGrants({ ...page, key: 'k' });
    await records.listApiKeys(page);
    await records.listDocuments({ ...page, type: 'reader' });
    for (const order of ['oldest', 'newest'] as const)
      for (const status of [{}, { status: 'pending' }] as const)
        await records.listDeliveries({ ...page, ...status, webhookId: 'w', order });
    for (const order of ['oldest', 'newest'] as const) await records.listMessages({ ...page, threadId: 't', order });
    for (const order of ['oldest', 'newest'] as const)
      for (const filter of everyRunFilter()) await records.listRuns({ ...page, ...filter, order });
    for (const filter of everyFilter()) {
      await records.listInteractions({ ...page, ...filter });
      await records.listInteractions({ ...page, ...filter, offset: 2 });
    }
  }
  for (const filter of everyFilter()) await records.countInteractions({ ...filter, orgId, limit: 9 });
  await records.listOutcomes({ orgId, from: 'a', before: 'b', limit: 9 });
  for (const threadId of [{}, { threadId: 't' }])
    for (const interactionId of [{}, { interactionId: 'i' }])
      for (const types of [{}, { types: ['thread.created', 'message.created'] as const }])
        await events.readEvents({
          ...threadId,
          ...interactionId,
          ...types,
          orgId,
          after: '0'.padStart(16, '0'),
          limit: 9,
        });
  return { db, statements: [...db.statements] };
}

function planOf(db: DatabaseSync, sql: string): string[] {
  return db
    .prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .all()
    .map(({ detail }) => String(detail));
}

test('[L3] no statement reads a whole table, or sorts what an index could have ordered', async () => {
  const { db, statements } = await statementsOfEveryRead();
  // Fewer would mean that the lists above no longer reach the reads.
  expect(statements.length).toBeGreaterThan(100);
  const slow = statements.flatMap((sql) => {
    const plan = planOf(db, sql).filter((step) => /^SCAN(?! (matching|search)$)|TEMP B-TREE/.test(step));
    return plan.length > 0 ? [{ sql, plan }] : [];
  });
  expect(slow).toEqual([]);
});

test('[C1][C2][L20] counting and skipping reads no record unless more than an index is asked for; a kind is in the index', async () => {
  const { db, statements } = await statementsOfEveryRead();
  const keysOnly = statements.filter((sql) => /^SELECT (count|id AS key FROM interactions)\b/.test(sql));
  expect(keysOnly.length).toBeGreaterThan(20);
  const bare = keysOnly.filter((sql) => !/nullif/.test(sql));
  expect(bare.filter((sql) => /kind = /.test(sql)).length).toBeGreaterThan(2);
  for (const sql of bare)
    expect(planOf(db, sql), sql).toContainEqual(expect.stringMatching(/^SEARCH (interactions|i) USING COVERING INDEX/));
});

/** Returns the index that a plan reads, without its columns and its number of rows. */
const indexOf = (plan: string[]): string | undefined =>
  plan
    .map((step) => step.match(/^SEARCH \w+ USING (?:COVERING )?(INDEX \w+|PRIMARY KEY)/)?.[1])
    .find((index) => index !== undefined);

test('[L20] rows that are checked one by one are read by the index that their number was bounded by', async () => {
  const { db, statements } = await statementsOfEveryRead();
  const bounds = statements.filter((sql) => /LIMIT 1 OFFSET \?$/.test(sql));
  expect(bounds.length).toBeGreaterThan(20);
  const checked = statements.filter((sql) => /kind = \?|nullif|type IN|interaction_id = /.test(sql));
  const pages = checked.filter((sql) => /^SELECT (id AS key|count|position)/.test(sql));
  expect(pages.length).toBeGreaterThan(100);
  for (const sql of pages) {
    const [, table = '', conditions = ''] = sql.match(/FROM (assigned|\w+)[^?]*? WHERE (org_id .*)/s) ?? [];
    // In both queries the leading columns of the index come first.
    const [led = ''] = conditions.split(/ AND (?:nullif|kind = |id [<>]|interaction_id|type IN|position|seq)/);
    const bound = bounds.find((each) => new RegExp(`FROM ${table}\\b`).test(each) && each.includes(`WHERE ${led} AND`));
    expect(bound, sql).toBeDefined();
    expect(indexOf(planOf(db, sql)), sql).toBe(indexOf(planOf(db, bound ?? '')));
    expect(indexOf(planOf(db, sql)), sql).toBeDefined();
  }
});

test('[L3] the plan of a scan is recognized', async () => {
  const { db } = await statementsOfEveryRead();
  expect(planOf(db, 'SELECT * FROM events WHERE actor = ?')).toEqual(['SCAN events']);
});
