/**
 * Measures what each planner setting of the PostgreSQL store is worth: `node benchmarks/planner-settings.ts [rows]`. Every
 * variant keeps some of them, with plans that were made while the tables were empty, with new plans, and after
 * ANALYZE. The results are in docs/decisions/0014-pg-pipelined.md.
 */
import {
  idempotencyRecordOf,
  idOf,
  interactionOf,
  newInteraction,
  newThread,
  nextVersion,
  orgId,
} from '../packages/server/src/stores/contract/records.fixture.ts';
import { writeBatch } from '../packages/server/src/stores/postgres/batch-writer.ts';
import { timerClaims } from '../packages/server/src/stores/postgres/claim-timers.ts';
import { Connection } from '../packages/server/src/stores/postgres/connection.ts';
import { settleBase, toCursor } from '../packages/server/src/stores/postgres/log-order.ts';
import { openPostgresStore } from '../packages/server/src/stores/postgres/postgres-store.ts';
import { logReads, property, readTogether, selectOver } from '../packages/server/src/stores/postgres/reads.ts';
import { encodeChange } from '../packages/server/src/stores/sql/encode-change.ts';
import { fairReads } from '../packages/server/src/stores/sql/fair-reads.ts';
import { recordReads } from '../packages/server/src/stores/sql/read-records.ts';
import { readerOf } from '../packages/server/src/stores/sql/select.ts';
import { createDatabase } from '../packages/server/test/postgres/databases.ts';
import { startPostgres } from '../packages/server/test/postgres/start-postgres.ts';

const rows = Number(process.argv[2] ?? 50_000);
const batchSize = 32;
const rounds = 31;
const settings = ['enable_seqscan', 'enable_bitmapscan', 'enable_hashjoin', 'enable_mergejoin', 'plan_cache_mode'];
const settingOf = (name: string) => (name === 'plan_cache_mode' ? 'force_generic_plan' : 'off');
const scans = ['enable_seqscan', 'enable_bitmapscan'];
const variants: Record<string, readonly string[]> = {
  none: [],
  'only enable_seqscan': ['enable_seqscan'],
  'only the scans': scans,
  'the scans and plan_cache_mode': [...scans, 'plan_cache_mode'],
  all: settings,
};

/** One session. It keeps its plans, because it does not ask for new ones by itself as the store does. */
class PinnedConnection extends Connection {
  #client: ReturnType<Connection['open']> | undefined;

  override open(): ReturnType<Connection['open']> {
    this.#client ??= super.open();
    return this.#client;
  }
}

async function measure(server: string, kept: readonly string[]): Promise<Record<string, number>[]> {
  await using database = await createDatabase(server);
  const store = await openPostgresStore({ url: database.url });
  await store.commit(newThread('t1'));
  await store.close();
  const connection = new PinnedConnection({
    url: database.url,
    onOpen: (client) =>
      void client.query(
        [
          'SELECT 1',
          ...settings.map((name) => (kept.includes(name) ? `SET ${name} = ${settingOf(name)}` : `RESET ${name}`)),
        ].join('; '),
      ),
  });
  const calls = await callsOver(connection);
  for (const call of Object.values(calls)) for (let n = 0; n < 6; n++) await call();
  const run = (text: string) => connection.query({ text });
  await grow(run);
  const results = [await timesOf(calls)];
  await run('DISCARD PLANS');
  results.push(await timesOf(calls));
  await run('ANALYZE');
  results.push(await timesOf(calls));
  await connection.close();
  return results;
}

/** The statements of the busiest verbs, as the store sends them. */
async function callsOver(connection: Connection): Promise<Record<string, () => Promise<unknown>>> {
  const base = await settleBase(connection);
  const select = selectOver([connection]);
  const readsOf = fairReads([readerOf(select)]);
  const records = recordReads(select, { readsOf, property });
  const log = logReads({ select, readsOf, findHorizon: async () => 2n ** 62n });
  const eventsOf = { orgId, interactionId: idOf(1_000_000_000), after: toCursor(0n), limit: 50 };
  const timers = timerClaims(select);
  const find = readTogether([connection]);
  let next = 1_000_000_000;
  let created: ReturnType<typeof interactionOf>[] = [];
  const times = (one: (n: number) => unknown) => Array.from({ length: batchSize }, (_, n) => one(n));
  const write = (changes: unknown[]) => writeBatch(connection, changes as never, { base });
  return {
    create: () => {
      created = times(() => interactionOf(idOf(next++), 't1')) as typeof created;
      return write(
        created.map((record) =>
          encodeChange({
            ...newInteraction(record),
            idempotency: idempotencyRecordOf(record.id),
            timers: [{ kind: 'interaction', id: record.id, dueAt: 1e15 }],
          }),
        ),
      );
    },
    answer: () => write(created.map((record) => encodeChange(nextVersion(record, { status: 'answered' })))),
    get: async () => find(created.map(({ id }) => ({ orgId, id }))),
    list: () => records.listInteractions({ orgId, status: 'pending', limit: 50 }),
    events: () => log.readEvents(eventsOf),
    claim: () => timers.claimDue({ kind: 'interaction', now: 1, limit: 50, forMs: 1 }),
  };
}

async function grow(run: (text: string) => Promise<unknown>): Promise<void> {
  await run(`INSERT INTO interactions (org_id, id, thread_id, kind, status, version, record)
    SELECT org_id, gen_random_uuid()::text, 't' || n % 500, kind, CASE WHEN n % 10 = 0 THEN 'pending' ELSE 'answered' END, 2,
      record FROM (SELECT * FROM interactions LIMIT 1) AS one, generate_series(1, ${rows}) AS n`);
  await run(`INSERT INTO events (org_id, thread_id, seq, position, type, at, actor, interaction_id, data)
    SELECT org_id, 't' || n % 500, 1000000 + n, n, type, at, actor, interaction_id, data
    FROM (SELECT * FROM events LIMIT 1) AS one, generate_series(1, ${rows}) AS n`);
  await run(`INSERT INTO timers (org_id, kind, id, due_at)
    SELECT '${orgId}', 'interaction', gen_random_uuid()::text, 1e15 + n FROM generate_series(1, ${rows}) AS n`);
  await run(`INSERT INTO idempotency SELECT org_id, gen_random_uuid()::text, fingerprint, resource_type, resource_id
    FROM (SELECT * FROM idempotency LIMIT 1) AS one, generate_series(1, ${rows}) AS n`);
}

/** Milliseconds of each call: the lower quartile, which other processes disturb least. */
async function timesOf(calls: Record<string, () => Promise<unknown>>): Promise<Record<string, number>> {
  const quartiles: Record<string, number> = {};
  for (const [name, call] of Object.entries(calls)) {
    const taken: number[] = [];
    for (let round = 0; round < rounds; round++) {
      // Each answer needs questions that are still pending.
      if (name === 'answer') await calls.create?.();
      const began = performance.now();
      await call();
      taken.push(performance.now() - began);
    }
    quartiles[name] = Number((taken.toSorted((a, b) => a - b)[rounds >> 2] ?? 0).toFixed(2));
  }
  return quartiles;
}

const server = await startPostgres({ fsync: false });
try {
  const table: Record<string, string> = {};
  for (const [name, kept] of Object.entries(variants)) {
    const [stale = {}, fresh = {}, analyzed = {}] = await measure(server.url, kept);
    for (const call of Object.keys(stale)) table[call] = `${stale[call]} / ${fresh[call]} / ${analyzed[call]}`;
    process.stdout.write(`| ${name} | ${Object.values(table).join(' | ')} |\n`);
  }
  process.stdout.write(
    `Milliseconds: empty-table plans / new plans / after ANALYZE; ${Object.keys(table).join(', ')}\n`,
  );
} finally {
  await server.discard();
}
