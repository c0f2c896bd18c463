/**
 * Fills a database with many interactions. The database copies two records that the server's own code
 * made. Sending a million records takes three times as long.
 */
import { operatorOrg } from '../packages/server/src/operations/access/orgs.ts';
import { Connection } from '../packages/server/src/stores/postgres/connection.ts';
import { openPostgresStore } from '../packages/server/src/stores/postgres/postgres-store.ts';
import { textArray } from '../packages/server/src/stores/postgres/text-array.ts';
import { encodeChange } from '../packages/server/src/stores/sql/encode-change.ts';
import { answerSample, askSample } from './sample.ts';
import { type Planned, planSeed, type SeedPlan, type StoredIds, sampledIds } from './seed-plan.ts';

export async function seedPostgres(url: string, stored: number): Promise<StoredIds> {
  const plan = planSeed(stored);
  const store = await openPostgresStore({ url });
  await Promise.all(plan.threads.map((thread) => store.commit(thread)));
  await store.close();
  // A crash may lose data here: an unfinished store is made again.
  const connection = new Connection({
    url,
    isPatient: true,
    onOpen: (client) => client.query('RESET ALL; SET synchronous_commit = off'),
  });
  try {
    return await fill(connection, plan, stored);
  } finally {
    await connection.close();
  }
}

async function fill(connection: Connection, { threadIds, batches }: SeedPlan, stored: number): Promise<StoredIds> {
  const seqs = new Map<string, number>();
  const ids: string[] = [];
  const pending: string[] = [];
  for (const batch of batches()) {
    await connection.query({ name: 'seed', text: insertBatch, values: valuesOf(batch, seqs) });
    ids.push(...batch.map(({ id }) => id));
    pending.push(...batch.filter(({ answeredAt }) => answeredAt === undefined).map(({ id }) => id));
  }
  // The database does this by itself later, which would disturb the measurement.
  await connection.query({ text: 'VACUUM (ANALYZE)' });
  // Only some users have the right to do this. Without it the first rounds are slower.
  await connection.query({ text: 'CHECKPOINT' }).catch(() => {});
  const count = sampledIds(stored);
  return {
    threadIds: anyOf(threadIds, count.threads),
    interactionIds: anyOf(ids, count.interactions),
    pendingIds: anyOf(pending, count.pending),
  };
}

/** The values in the two records that differ for each interaction. */
const blank = { id: '{id}', threadId: '{thread}', askedAt: Date.UTC(2000, 0, 1), answeredAt: Date.UTC(2000, 0, 2) };
const iso = (at: number) => new Date(at).toISOString();

const filled = (text: string) =>
  [
    [blank.id, 'id'],
    [blank.threadId, 'thread_id'],
    [iso(blank.askedAt), 'asked_at'],
    [iso(blank.answeredAt), 'answered_at'],
  ].reduce((inner, [from, column]) => `replace(${inner}, '${from}', planned.${column})`, text);

/** Positions as log-order.ts has them: the transaction's number, and the place in it. */
const insertBatch = `
  WITH planned AS (
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bool[], $6::int[])
      WITH ORDINALITY AS t(id, thread_id, asked_at, answered_at, is_answered, seq, place)
  ), seeded AS (
    INSERT INTO interactions (org_id, id, thread_id, kind, status, version, record)
    SELECT '${operatorOrg}', planned.id, thread_id, kind, status, version, ${filled('record')}
    FROM planned JOIN json_to_recordset($7)
      AS model(is_answered bool, kind text, status text, version int, record text) USING (is_answered)
    ORDER BY place
  )
  INSERT INTO events (org_id, thread_id, seq, position, type, at, actor, interaction_id, data)
  SELECT '${operatorOrg}', thread_id, seq + nth,
    (pg_current_xact_id()::text::bigint << 16) + row_number() OVER (ORDER BY place, nth),
    type, ${filled('at')}, actor, planned.id, ${filled('data')}
  FROM planned JOIN json_to_recordset($8)
    AS model(is_answered bool, nth int, type text, at text, actor text, data text) USING (is_answered)
  ORDER BY place, nth`;

const models = [false, true].map((isAnswered) => {
  const asked = askSample({ ...blank, now: blank.askedAt });
  const answered = answerSample(asked.interaction, blank.answeredAt);
  const { interaction: record } = isAnswered ? answered : asked;
  const events = isAnswered ? [...asked.events, ...answered.events] : asked.events;
  const log = { threadId: blank.threadId, events };
  const encoded = encodeChange({ orgId: operatorOrg, interaction: { record, expectedVersion: 0 }, log });
  return {
    interaction: { ...encoded.interaction, is_answered: isAnswered },
    events: (encoded.log?.events ?? []).map((event, nth) => ({ ...event, is_answered: isAnswered, nth })),
  };
});
const interactionModels = JSON.stringify(models.map(({ interaction }) => interaction));
const eventModels = JSON.stringify(models.flatMap(({ events }) => events));
const eventCount = (isAnswered: boolean): number => models[isAnswered ? 1 : 0]?.events.length ?? 0;

/** `seqs` has the last number given in each thread; the first is that of the thread's own event. */
function valuesOf(batch: readonly Planned[], seqs: Map<string, number>): unknown[] {
  const isAnswered = batch.map(({ answeredAt }) => answeredAt !== undefined);
  return [
    textArray(batch.map(({ id }) => id)),
    textArray(batch.map(({ threadId }) => threadId)),
    textArray(batch.map(({ askedAt }) => iso(askedAt))),
    textArray(batch.map(({ answeredAt = 0 }) => iso(answeredAt))),
    isAnswered,
    batch.map(({ threadId }, index) => {
      const last = seqs.get(threadId) ?? 1;
      seqs.set(threadId, last + eventCount(isAnswered[index] ?? false));
      return last + 1;
    }),
    interactionModels,
    eventModels,
  ];
}

/** Ids spread over the whole store. */
function anyOf(ids: readonly string[], count: number): string[] {
  const chosen = new Set<string>();
  const wanted = Math.min(count, ids.length);
  while (chosen.size < wanted) chosen.add(ids[Math.floor(Math.random() * ids.length)] ?? '');
  return [...chosen];
}
