/** Writes batches over one connection, each in one transaction and one round trip, and settles each change of a batch. */
import type { QueryResult } from 'pg';
import type { EncodedChange } from '../sql/encode-change.ts';
import { readIdempotency } from '../sql/read-idempotency.ts';
import type { Committed } from '../store.ts';
import { batchStatement } from './batch-statement.ts';
import { lockNames } from './change-locks.ts';
import { type Connection, sendAtOnce } from './connection.ts';
import { away, isLockTimeout, isRefusal, lostOnTheWay } from './database-error.ts';
import { textArray } from './text-array.ts';

export type Written = { ok: true; places: { seq: number; position: bigint }[] } | Extract<Committed, { ok: false }>;

export interface PendingWrite {
  change: EncodedChange;
  /** Start of the wait, by `performance.now()`. */
  since: number;
  resolve(written: Written): void;
  reject(error: unknown): void;
}

export interface BatchWriterOptions<Write extends PendingWrite> {
  connection: Connection;
  /** Base of the positions in the log (log-order.ts). */
  base: bigint;
  onWritten(): void;
  /** Called when the database failed and no single change can be the cause. */
  onFailed(): void;
  /** Called when the batch waited too long for a lock of another session. Nothing of the batch was written. */
  onLocked(batch: Write[], error: LockTimeout): void | Promise<void>;
}

export class BatchWriter<Write extends PendingWrite> {
  readonly #options: BatchWriterOptions<Write>;

  constructor(options: BatchWriterOptions<Write>) {
    this.#options = options;
  }

  /** `lockMs` limits the wait for each lock. It defaults to the limit of the connection. */
  async write(batch: Write[], lockMs?: number, isRetry = false): Promise<void> {
    const { connection, base, onWritten, onFailed, onLocked } = this.#options;
    try {
      const changes = batch.map(({ change }) => change);
      const written = await writeBatch(connection, changes, { base, lockMs });
      for (const [index, { resolve }] of batch.entries()) resolve(written[index] as Written);
      onWritten();
    } catch (error) {
      connection.mayBeStale(error);
      if (error instanceof LockTimeout) await onLocked(batch, error);
      else if (!isRefusal(error) || !mayBeOneChange(error.code)) {
        onFailed();
        for (const { reject } of batch) reject(refused(error));
      } else if (batch.length > 1) {
        // One change that cannot be written must not fail the rest of its batch. Halving finds it in few transactions.
        for (const half of halves(batch)) await this.write(half, lockMs);
      } else if (!isRetry) await this.write(batch, lockMs, true);
      else batch[0]?.reject(refused(error));
    }
  }
}

export function halves<T>(batch: readonly T[]): [T[], T[]] {
  const half = Math.ceil(batch.length / 2);
  return [batch.slice(0, half), batch.slice(half)];
}

/**
 * Reports whether one change may be the cause: a duplicate key, a value too large, no locks left, a deadlock. Other
 * changes may then be written, or a retry may succeed.
 */
const mayBeOneChange = (code = ''): boolean => /^(22|23|40|54|53200)/.test(code);

const refused = (error: unknown) => (isRefusal(error) ? away(error) : error);

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
  /** True for a lock that the batch takes by name (change-locks.ts), false for the lock of a row, a key or a table. */
  readonly isByName: boolean;

  constructor(isByName: boolean, cause: unknown) {
    super('another session of the database holds a lock', { cause });
    this.isByName = isByName;
  }
}

type Step = PromiseSettledResult<QueryResult>;

/** If the database refused the batch, rejects with the error of the database. Then nothing of the batch was written. */
export async function writeBatch(
  connection: Connection,
  batch: readonly EncodedChange[],
  { base, lockMs }: { base: bigint; lockMs?: number | undefined },
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
  const [begun, locked, written, committed] = (await Promise.allSettled(sent)) as [Step, Step, Step, Step];
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
    // A repeat is reported as one, even if the change also conflicts.
    const repeat = mine.find(({ reason }) => reason === 'repeated');
    if (repeat) return { ok: false, reason: 'repeated', earlier: readIdempotency(idempotency?.key ?? '', repeat) };
    if (mine.length > 0)
      return { ok: false, reason: mine.some(({ reason }) => reason === 'conflict') ? 'conflict' : 'no-thread' };
    const from = next;
    next += log?.events.length ?? 0;
    return { ok: true, places: places.slice(from, next) };
  });
}
