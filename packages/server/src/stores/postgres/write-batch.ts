/** Sends a batch of changes in one round trip and one transaction, and reads what became of each. */
import type { QueryResult } from 'pg';
import type { EncodedChange } from '../sql/encode-change.ts';
import { readIdempotency } from '../sql/read-idempotency.ts';
import type { IdempotencyRecord } from '../store.ts';
import { batchStatement } from './batch-statement.ts';
import { type Connection, sendAtOnce } from './connection.ts';
import { away, isRefusal, lostOnTheWay } from './database-error.ts';
import { lockNames } from './lock-names.ts';
import { textArray } from './text-array.ts';

export type Written =
  | { ok: true; places: { seq: number; position: bigint }[] }
  | { ok: false; reason: 'conflict' | 'no-thread' }
  | { ok: false; reason: 'repeated'; earlier: IdempotencyRecord };

/** In one order, so that two batches never wait for each other. */
const lockAll = {
  name: 'lock',
  text: `SELECT pg_advisory_xact_lock(key) FROM
    (SELECT DISTINCT hashtextextended(name, 0) AS key FROM unnest($1::text[]) AS t(name) ORDER BY key) AS keys`,
};

type Step = PromiseSettledResult<QueryResult>;
type Steps = [begun: Step, locked: Step, written: Step, committed: Step];

/** Rejects with the database's own error where it refused the batch: then nothing of it was written. */
export async function writeBatch(
  connection: Connection,
  batch: readonly EncodedChange[],
  base: bigint,
): Promise<Written[]> {
  const names = textArray([...new Set(batch.flatMap(lockNames))]);
  const statement = batchStatement(batch, base);
  const client = await connection.open().catch((error) => {
    throw away(error);
  });
  const sent = sendAtOnce(client, () => [
    // Whatever the default of the database is: the statement must see what was committed before it got its locks.
    client.query('BEGIN ISOLATION LEVEL READ COMMITTED'),
    client.query({ ...lockAll, values: [names] }),
    client.query(statement),
    client.query('COMMIT'),
  ]);
  const [begun, locked, written, committed] = (await Promise.allSettled(sent)) as Steps;
  for (const step of [begun, locked, written])
    if (step.status === 'rejected' && isRefusal(step.reason)) throw step.reason;
  if (committed.status === 'rejected')
    throw isRefusal(committed.reason) ? committed.reason : lostOnTheWay(committed.reason);
  if (written.status === 'rejected') throw lostOnTheWay(written.reason);
  return readResult(batch, written.value);
}

function readResult(batch: readonly EncodedChange[], { rows }: QueryResult): Written[] {
  const places = rows.filter(({ n }) => n === null).map(({ seq, position }) => ({ seq, position: BigInt(position) }));
  const refusals = rows.filter(({ n }) => n !== null);
  let next = 0;
  return batch.map(({ log, idempotency }, n): Written => {
    const mine = refusals.filter((row) => row.n === n);
    // A repeat is a repeat, whatever else is wrong with it.
    const repeat = mine.find(({ reason }) => reason === 'repeated');
    if (repeat) return { ok: false, reason: 'repeated', earlier: readIdempotency(idempotency?.key ?? '', repeat) };
    if (mine.length > 0)
      return { ok: false, reason: mine.some(({ reason }) => reason === 'conflict') ? 'conflict' : 'no-thread' };
    const from = next;
    next += log?.events.length ?? 0;
    return { ok: true, places: places.slice(from, next) };
  });
}
