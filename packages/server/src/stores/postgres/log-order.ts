/**
 * The order of the log. The position of an event is the number of its transaction and its place there, so assigning it takes
 * no lock. Transactions end in another order than they begin. A reader that continues after the newest visible event would
 * skip the events of a transaction that commits late. So readers stop at the horizon: the first position that a running
 * transaction could write.
 */
import { refuseCursor } from '../sql/cursor.ts';
import type { Connection } from './connection.ts';

/** Number of the last bits of a position, which are the place in the transaction. No batch fills them. */
export const placeBits = 16n;

/**
 * Only transactions of nodes count. They hold the lock of a writer on the table of events and an advisory lock, as every
 * batch does (batch-writer.ts) before it has a number. So an open transaction of another program delays no event, even if it
 * has changed one. The query takes the snapshot before it reads the locks. A transaction that is not among them has therefore
 * ended, or its number is not in the snapshot. The next statement, which reads, sees every transaction that has ended.
 */
const horizon = {
  name: 'horizon',
  text: `
    WITH transaction AS MATERIALIZED (
      SELECT array_agg(transactionid::text) FILTER (WHERE locktype = 'transactionid' AND mode = 'ExclusiveLock') AS running,
        bool_or(locktype = 'advisory') AS is_of_node,
        bool_or(locktype = 'relation' AND mode = 'RowExclusiveLock' AND relation = 'events'::regclass
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) AS is_writing
      FROM pg_locks GROUP BY virtualtransaction
    )
    SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS next,
      ARRAY(SELECT unnest(running) FROM transaction WHERE is_of_node AND is_writing) AS running`,
};

export interface Horizon {
  /** The events before this position are complete and never change. */
  position: bigint;
  /** All events that are committed now are before this position, also those after the horizon. */
  end: bigint;
  /** A transaction is writing now, so more events will come. */
  isWriting: boolean;
}

export async function findHorizon(connection: Connection, base: bigint): Promise<Horizon> {
  const [row = {}] = await connection.query(horizon);
  const next = BigInt(String(row.next));
  const running = (row.running as string[]).map((short) => atFullLength(BigInt(short), next));
  const first = running.reduce((least, number) => (number < least ? number : least), next);
  const positionOf = (transaction: bigint) => (transaction + base) << placeBits;
  return { position: positionOf(first), end: positionOf(next), isWriting: running.length > 0 };
}

/** The list of locks has only the last 32 bits of a number. Returns the nearest number to `next` with these bits. */
export function atFullLength(short: bigint, next: bigint): bigint {
  return next + BigInt.asIntN(32, short - next);
}

/**
 * Returns the number to add to transaction numbers. It is 0, unless the data was restored into a database server that has
 * counted fewer transactions than its old one. Call it while you hold the start lock.
 */
export async function settleBase(connection: Connection): Promise<bigint> {
  const [row] = await connection.query({
    text: `SELECT (SELECT value FROM meta WHERE key = 'log-base') AS base,
      (SELECT max(position + 0) FROM events) AS newest, pg_snapshot_xmax(pg_current_snapshot())::text AS next`,
  });
  const base = BigInt(String(row?.base ?? 0));
  const newest = BigInt(String(row?.newest ?? 0)) >> placeBits;
  const next = BigInt(String(row?.next));
  if (newest < next + base) return base;
  const raised = newest + 1n - next;
  await connection.query({
    text: `INSERT INTO meta (key, value) VALUES ('log-base', $1) ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    values: [raised.toString()],
  });
  return raised;
}

const largest = 2n ** 63n - 1n;

export const toCursor = (position: bigint): string => position.toString(16).padStart(16, '0');

export function fromCursor(cursor: string): bigint {
  const position = /^[0-9a-f]{16}$/.test(cursor) ? BigInt(`0x${cursor}`) : largest + 1n;
  return position <= largest ? position : refuseCursor(cursor);
}
