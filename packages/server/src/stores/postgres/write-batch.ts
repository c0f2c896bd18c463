/** Sends a batch of changes in one round trip and one transaction, and reads what became of each. */
import type { QueryResult } from 'pg';
import type { EncodedChange } from '../sql/encode-change.ts';
import { readIdempotency } from '../sql/encode-change.ts';
import type { IdempotencyRecord } from '../store.ts';
import { batchStatement } from './batch-statement.ts';
import { type Connection, sendAtOnce } from './connection.ts';
import { away, isLockTimeout, isRefusal, lostOnTheWay } from './database-error.ts';
import { lockNames } from './lock-names.ts';
import { textArray } from './text-array.ts';

export type Written =
  | { ok: true; places: { seq: number; position: bigint }[] }
  | { ok: false; reason: 'conflict' | 'no-thread' }
  | { ok: false; reason: 'repeated'; earlier: IdempotencyRecord };

/** In one order, so that two batches never wait for each other. */
export const lockAll = {
  name: 'lock',
  text: `SELECT pg_advisory_xact_lock(key) FROM
    (SELECT DISTINCT hashtextextended(name, 0) AS key FROM unnest($1::text[]) AS t(name) ORDER BY key) AS keys`,
};

/** The database may have another default, but the statement must see all commits from before it got its locks. */
const begin = 'BEGIN ISOLATION LEVEL READ COMMITTED';

/** Another session held a lock for longer than the batch waits. Nothing of the batch was written. */
export class LockTimeout extends Error {
  /** True for a lock that the batch takes by name (lock-names.ts), false for the lock of a row, a key or a table. */
  readonly isByName: boolean;

  constructor(isByName: boolean, cause: unknown) {
    super('another session of the database holds a lock', { cause });
    this.isByName = isByName;
  }
}

export interface BatchOptions {
  /** Base of the positions in the log (log-order.ts). */
  base: bigint;
  /** Longest wait for each lock. Defaults to that of the connection. */
  lockMs?: number | undefined;
}

type Step = PromiseSettledResult<QueryResult>;
type Steps = [begun: Step, locked: Step, written: Step, committed: Step];

/** Rejects with the database's own error where it refused the batch: then nothing of it was written. */
export async function writeBatch(
  connection: Connection,
  batch: readonly EncodedChange[],
  { base, lockMs }: BatchOptions,
): Promise<Written[]> {
  const names = textArray([...new Set(batch.flatMap(lockNames))]);
  const statement = batchStatement(batch, base);
  const client = await connection.open().catch((error) => {
    throw away(error);
  });
  const sent = sendAtOnce(client, () => [
    client.query(lockMs === undefined ? begin : `${begin}; SET LOCAL lock_timeout = ${lockMs}`),
    client.query({ ...lockAll, values: [names] }),
    client.query(statement),
    client.query('COMMIT'),
  ]);
  const [begun, locked, written, committed] = (await Promise.allSettled(sent)) as Steps;
  for (const step of [begun, locked, written, committed])
    if (step.status === 'rejected' && isRefusal(step.reason))
      throw isLockTimeout(step.reason) ? new LockTimeout(step === locked, step.reason) : step.reason;
  if (committed.status === 'rejected') throw lostOnTheWay(committed.reason);
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
