/** Every statement must go by an index: a table that grows may not make it slower. */
import type { Client, QueryConfig } from 'pg';
import { describe, expect, test } from 'vitest';
import { storesOfATest } from '../../../test/postgres/stores-of-a-test.ts';
import { everyFilter, everyRunFilter } from '../contract/every-filter.fixture.ts';
import { beginning } from '../contract/opened-store.ts';
import {
  apiKeyOf,
  at,
  coverage,
  deliveryOf,
  entryOf,
  eventOf,
  grantOf,
  idempotencyRecordOf,
  idOf,
  interactionOf,
  messageOf,
  newInteraction,
  newRun,
  newThread,
  nextRun,
  nextThread,
  nextVersion,
  orgId,
  runOf,
  threadOf,
} from '../contract/records.fixture.ts';
import { encodeChange } from '../sql/encode-change.ts';
import { fairReads } from '../sql/fair-reads.ts';
import { recordReads } from '../sql/read-records.ts';
import { readerOf } from '../sql/select.ts';
import type { Change, TimerKind } from '../store.ts';
import { batchStatement } from './batch-statement.ts';
import { timerClaims } from './claim-timers.ts';
import { Connection } from './connection.ts';
import { findHorizon, settleBase } from './log-order.ts';
import { LogTail } from './log-tail.ts';
import { logReads, property, readTogether, selectOver } from './reads.ts';

const stores = storesOfATest();

const kind: TimerKind = 'interaction';

/** A connection that remembers every statement that was sent over it. */
class RecordingConnection extends Connection {
  readonly statements = new Set<string>();

  override query(query: QueryConfig) {
    this.statements.add(query.text);
    return super.query(query);
  }
}

async function statementsOfEveryRead(): Promise<string[]> {
  const connection = new RecordingConnection({ url: stores.url });
  const select = selectOver([connection]);
  const readsOf = fairReads([readerOf(select)]);
  const records = recordReads(select, { readsOf, property });
  const horizon = async () => (await findHorizon(connection, 0n)).position;
  const events = logReads({ select, readsOf, findHorizon: horizon });
  const { claimDue, moveClaims, nextDueAt } = timerClaims(select);
  const one = { orgId, id: 'i' };
  await Promise.all([records.getThread(one), readTogether([connection])([one]), records.getMessage(one)]);
  await Promise.all([records.getGrant(one), records.getApiKey(one), records.getOrg(one)]);
  await records.getSecrets({ orgId, interactionId: 'i' });
  await records.findApiKey({ hash: 'h' });
  await records.findIdempotency({ orgId, key: 'k' });
  await records.findGrants({ orgId, key: 'k', covers: coverage, threadId: 't', runId: 'r', now: 0, limit: 9 });
  for (const which of [{ kind }, { kind, orgId }] as { kind: TimerKind; orgId?: string }[])
    await Promise.all([claimDue({ ...which, now: 0, limit: 9, forMs: 1 }), nextDueAt(which)]);
  await moveClaims({ claims: [{ ...one, kind, until: 0 }], until: 1 });
  await records.getDocument({ ...one, type: 'reader' });
  await records.findDocument({ orgId, type: 'reader', alias: 'a' });
  await records.getDelivery({ ...one, webhookId: 'w' });
  await records.getRun(one);
  await records.readJournal({ orgId, runId: 'r', after: 0, limit: 9 });
  const firstPage = { orgId, limit: 9 };
  await records.listThreads(firstPage);
  await records.listThreads({ ...firstPage, cursor: beginning });
  for (const page of [firstPage, { ...firstPage, cursor: idOf(1) }]) {
    await records.listGrants(page);
    await records.listGrants({ ...page, key: 'k' });
    await records.listApiKeys(page);
    await records.listDocuments({ ...page, type: 'reader' });
    for (const order of ['oldest', 'newest'] as const)
      for (const status of [{}, { status: 'pending' }, { status: 'delivered' }] as const)
        await records.listDeliveries({ ...page, ...status, webhookId: 'w', order });
    for (const order of ['oldest', 'newest'] as const)
      for (const filter of everyRunFilter()) await records.listRuns({ ...page, ...filter, order });
    for (const filter of everyFilter())
      for (const more of [{}, { offset: 2 }]) await records.listInteractions({ ...page, ...filter, ...more });
    for (const order of ['oldest', 'newest'] as const) await records.listMessages({ ...page, threadId: 't', order });
  }
  for (const filter of everyFilter()) await records.countInteractions({ ...filter, orgId, limit: 9 });
  await records.listOutcomes({ orgId, from: 'a', before: 'b', limit: 9 });
  await events.readLog({ orgId, threadId: 't', after: 0, limit: 9 });
  await events.headCursor();
  for (const threadId of [{}, { threadId: 't' }])
    for (const interactionId of [{}, { interactionId: 'i' }])
      for (const types of [{}, { types: ['thread.created', 'message.created'] as const }])
        await events.readEvents({ ...threadId, ...interactionId, ...types, orgId, after: beginning, limit: 9 });
  await settleBase(connection);
  const tail = new LogTail(connection, 0n, await events.headCursor());
  tail.look();
  await tail.close();
  await connection.close();
  return [...connection.statements];
}

const interaction = interactionOf(idOf(1), 't1');
const run = runOf(idOf(1), 't1');

/** One change for each part a batch may have. */
const changes: Change[] = [
  { orgId, idempotency: idempotencyRecordOf('k') },
  { orgId, newOrg: { id: 'o', createdAt: at } },
  { orgId, newApiKey: apiKeyOf(idOf(1)) },
  { orgId, changedApiKey: { ...apiKeyOf(idOf(2)), expected: apiKeyOf(idOf(2)).record } },
  newThread('t1'),
  nextThread(threadOf('t1')),
  { orgId, newMessage: messageOf(idOf(1), 't1') },
  { orgId, changedMessage: messageOf(idOf(2), 't1') },
  newInteraction(interaction),
  nextVersion(interaction),
  newRun(run),
  { ...nextRun(run), newEntries: [entryOf(1)] },
  { orgId, documents: [{ type: 'reader', id: 'r', record: { cursor: '' }, expected: null }] },
  { orgId, timers: [{ kind, id: 'i', dueAt: 0 }] },
  { orgId, newDeliveries: [deliveryOf(idOf(1))] },
  { orgId, newGrant: grantOf(idOf(1)) },
  { orgId, closedGrant: grantOf(idOf(2)) },
  { orgId, newSecrets: { interactionId: idOf(1), values: {} } },
  { orgId, takenSecrets: { interactionId: idOf(2) } },
  { orgId, log: { threadId: 't1', events: [eventOf('message.created')] } },
];

/** Alone, two by two, and all together. */
function statementsOfEveryBatch(): string[] {
  const pairs = changes.flatMap((one, index) => changes.slice(index).map((two) => [one, two]));
  const batches = [...pairs, changes].map((batch) => batchStatement(batch.map(encodeChange), 0n).text);
  return [...new Set(batches)];
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Filter?: string;
  'Join Filter'?: string;
  'Total Cost': number;
  Plans?: PlanNode[];
}

/** The plan that every session of a store makes, whatever the values are. */
async function planOf(session: Client, sql: string): Promise<PlanNode> {
  const values = new Set(sql.match(/\$\d+/g) ?? []).size;
  await session.query(`PREPARE statement AS ${sql}`);
  try {
    const nulls = values > 0 ? `(${Array(values).fill('NULL').join()})` : '';
    const { rows } = await session.query(`EXPLAIN (FORMAT JSON) EXECUTE statement${nulls}`);
    return rows[0]['QUERY PLAN'][0].Plan;
  } finally {
    await session.query('DEALLOCATE statement');
  }
}

/** Columns that may be checked row by row, because few queries have them or few rows are left. */
const filterable = [
  ...['expires_at', 'interaction_id', 'type', 'position', 'version', 'is_open', 'vals'],
  ...['due_at', 'claim', 'until'],
];
/** An alias is that of one document. */
const filterableOfAnAlias = ['id'];
/** The whole key leads to one row. */
const filterableOfOneRow: Record<string, string[]> = {
  deliveries_pkey: ['status', 'd', 'from_status'],
  interactions_pkey: ['thread_id', 'run_id', 'status', 'kind'],
};

interface Schema {
  tables: ReadonlySet<string>;
  /** The columns of each, in order. */
  indexes: ReadonlyMap<string, string[]>;
}

async function schemaOf(session: Client): Promise<Schema> {
  const { rows: tables } = await session.query(`SELECT tablename FROM pg_tables WHERE schemaname = 'public'`);
  const { rows: indexes } = await session.query(
    `SELECT relname, substring(pg_get_indexdef(indexrelid, place, true) from '[a-z_]+') AS name
     FROM pg_index JOIN pg_class ON oid = indexrelid, generate_series(1, indnkeyatts) AS place
     WHERE relnamespace = 'public'::regnamespace ORDER BY place`,
  );
  return {
    tables: new Set(tables.map(({ tablename }) => tablename)),
    indexes: new Map(
      [...Map.groupBy(indexes, ({ relname }) => relname)].map(([index, columns]) => [
        index,
        columns.map(({ name }) => name),
      ]),
    ),
  };
}

/** Returns the faults of a plan, each with its table. */
function faultsOf(node: PlanNode, { tables, indexes }: Schema, above: readonly string[] = []): string[] {
  const { 'Node Type': type, 'Relation Name': table = '', 'Index Cond': condition, Filter: filter = '' } = node;
  const faults: string[] = [];
  if (tables.has(table) && type !== 'ModifyTable') {
    if (!/^Index( Only)? Scan$/.test(type)) faults.push(`${type} on ${table}`);
    else if (condition === undefined && (above[0] !== 'Limit' || filter)) faults.push(`whole index of ${table}`);
    else if (above.some((each) => /Sort$/.test(each))) faults.push(`sorts ${table}`);
    const index = node['Index Name'] ?? '';
    const isGiven = (indexes.get(index) ?? []).map((column) => new RegExp(`\\b${column}\\b`).test(condition ?? ''));
    if (isGiven.lastIndexOf(true) > isGiven.indexOf(false) && isGiven.includes(false)) faults.push(`skips in ${index}`);
    // A step checks the rows of a bounded range, so its query has both ends.
    const isBounded = /\bid >=? /.test(condition ?? '') && /\bid <=? /.test(condition ?? '');
    const others = isBounded ? filter.replaceAll(/NULLIF\(\w+, ''::text\)/g, '') : filter;
    const columns = others.replaceAll(/'[^']*'|::\w+(\[\])?/g, '').match(/\b[a-z]+(_[a-z]+)*\b(?!\()/g) ?? [];
    const more = condition?.includes('alias')
      ? filterableOfAnAlias
      : isGiven.includes(false)
        ? []
        : (filterableOfOneRow[index] ?? []);
    const unbounded = columns.filter((column) => ![...filterable, ...more].includes(column));
    if (unbounded.length > 0) faults.push(`filters ${table} by ${unbounded.join()}`);
  }
  // A plan type that the session has switched off costs this much if there is no other.
  if (node['Total Cost'] > 1e9 && above.length === 0) faults.push('a way that is switched off');
  return [...faults, ...(node.Plans ?? []).flatMap((inner) => faultsOf(inner, { tables, indexes }, [type, ...above]))];
}

const fill = `
  INSERT INTO threads (org_id, id, record) SELECT 'org ' || n % 3, 't' || n, '{}' FROM generate_series(1, 3000) n;
  INSERT INTO orgs SELECT 'org ' || n, '' FROM generate_series(1, 3000) n;
  INSERT INTO api_keys SELECT 'h' || n, 'org ' || n % 3, 'k' || n, '{}' FROM generate_series(1, 3000) n;
  INSERT INTO messages SELECT 'org ' || n % 3, 'm' || n, 't' || n % 99, '{}' FROM generate_series(1, 3000) n;
  INSERT INTO interactions SELECT 'org ' || n % 3, 'i' || n, 't' || n % 99, CASE WHEN n % 2 = 0 THEN 'r' || n % 9 END,
    'form', CASE WHEN n % 50 = 0 THEN 'pending' ELSE 'answered' END, 1, '{}' FROM generate_series(1, 3000) n;
  INSERT INTO assigned SELECT 'org ' || n % 3, 'a' || n % 9, 'i' || n FROM generate_series(1, 3000) n;
  INSERT INTO runs SELECT 'org ' || n % 3, 'r' || n, 't' || n % 99, 'a' || n % 9,
    CASE WHEN n < 99 THEN 'waiting' ELSE 'completed' END, 1, '{}' FROM generate_series(1, 3000) n;
  INSERT INTO journal SELECT 'org ' || n % 3, 'r' || n % 9, n, '{}' FROM generate_series(1, 3000) n;
  INSERT INTO timers SELECT 'org ' || n % 3, 'interaction', 'i' || n, n FROM generate_series(1, 3000) n;
  INSERT INTO documents SELECT 'org ' || n % 3, 'reader', 'd' || n, 'r' || n, CASE WHEN n % 2 = 0 THEN 'a' || n END, '{}'
    FROM generate_series(1, 3000) n;
  INSERT INTO deliveries SELECT 'org ' || n % 3, 'w' || n % 9, 'd' || n,
    CASE WHEN n % 50 = 0 THEN 'pending' ELSE 'delivered' END, '{}' FROM generate_series(1, 3000) n;
  INSERT INTO events SELECT 'org ' || n % 3, 't' || n % 99, n, n, 'message.created', '', '{}', 'i' || n, '{}'
    FROM generate_series(1, 9000) n;
  INSERT INTO grants SELECT 'org ' || n % 3, 'g' || n, 'k' || n % 9, 'org', NULL, n % 2, '{}'
    FROM generate_series(1, 3000) n;
  INSERT INTO secrets SELECT 'org ' || n % 3, 'i' || n, '{}' FROM generate_series(1, 3000) n;
  INSERT INTO idempotency SELECT 'org ' || n % 3, 'k' || n, '', '', '' FROM generate_series(1, 3000) n;
  INSERT INTO meta SELECT 'k' || n, '' FROM generate_series(1, 3000) n`;

describe.each([
  ['empty', 'SELECT'],
  ['filled, and known to be empty', `ANALYZE; ${fill}`],
  ['filled, and known to be', `${fill}; ANALYZE`],
])('on tables that are %s', (_how, prepare) => {
  /** A session set up as those of a store are. */
  async function begin() {
    const connection = new Connection({ url: stores.url });
    const session = await connection.open();
    await session.query(prepare);
    return { connection, session, schema: await schemaOf(session) };
  }

  async function faults(statements: string[]): Promise<{ sql: string; faults: string[] }[]> {
    const { connection, session, schema } = await begin();
    const found: { sql: string; faults: string[] }[] = [];
    for (const sql of statements) {
      const wrong = faultsOf(await planOf(session, sql), schema);
      if (wrong.length > 0) found.push({ sql, faults: wrong });
    }
    await connection.close();
    return found;
  }

  test('[L3] no read reads a whole table, or sorts what an index could have ordered', async () => {
    const statements = await statementsOfEveryRead();
    // Fewer would mean that the lists above no longer reach the reads.
    expect(statements.length).toBeGreaterThan(60);
    expect(await faults(statements)).toEqual([]);
  });

  test('[L3] no batch of changes reads a whole table', async () => {
    const statements = statementsOfEveryBatch();
    expect(statements.length).toBeGreaterThan(80);
    expect(await faults(statements)).toEqual([]);
  });

  test('[L3] the plans of a scan, of a sort, and of a key that is too short or has a gap are recognized', async () => {
    const slow = [
      'SELECT * FROM events WHERE actor = $1',
      'SELECT * FROM events WHERE org_id = $1 AND thread_id = $2 ORDER BY at LIMIT 9',
      'SELECT * FROM interactions WHERE org_id = $1 AND record = $2',
      'SELECT * FROM deliveries WHERE org_id = $1 AND id = $2',
    ];
    expect((await faults(slow)).map(({ sql }) => sql)).toEqual(slow);
  });
});

test('[L3] the changes above have every part of a batch', () => {
  const { text } = batchStatement(changes.map(encodeChange), 0n);
  const parts = [...text.matchAll(/(\w+) AS \(SELECT \* FROM unnest/g)].map(([, name]) => name);
  expect(parts.toSorted()).toEqual(
    [
      ...[
        'assignee',
        'changed_api_key',
        'changed_interaction',
        'changed_message',
        'changed_run',
        'changed_thread',
        'closed_grant',
        'delivery',
        'document',
        'entry',
        'event',
        'log',
        'new_api_key',
      ],
      ...[
        'idempotency_record',
        'new_grant',
        'new_interaction',
        'new_message',
        'new_org',
        'new_run',
        'new_secrets',
        'new_thread',
        'taken_secrets',
        'timer',
      ],
    ].toSorted(),
  );
});
