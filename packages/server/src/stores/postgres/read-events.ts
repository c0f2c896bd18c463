/** Reads of the log: by thread and sequence, or across an org from a cursor up to the horizon. */
import { refuseCursor } from '../sql/cursor.ts';
import type { Select, SqlValue } from '../sql/select.ts';
import { toEvent } from '../sql/to-event.ts';
import type { Store } from '../store.ts';
import { fromCursor, toCursor } from './cursor.ts';

/**
 * The place of a cursor in a thread. Positions rise with the sequence, so it is found in some twenty looks; an index of
 * positions by thread would save them, and cost every commit a page.
 */
const lastSeqUpTo = `
  WITH RECURSIVE search (low, high) AS (
    SELECT 0, coalesce(max(seq), 0) FROM events WHERE org_id = ? AND thread_id = ?
    UNION ALL
    SELECT CASE WHEN isBefore THEN middle ELSE low END, CASE WHEN isBefore THEN high ELSE middle - 1 END
    FROM search, LATERAL (SELECT (low + high + 1) / 2 AS middle) AS half, LATERAL (
      SELECT position <= ? AS isBefore FROM events WHERE org_id = ? AND thread_id = ? AND seq = middle
    ) AS looked WHERE low < high
  ) SELECT max(low) AS seq FROM search`;

export function eventReads(
  select: Select,
  findHorizon: () => Promise<bigint>,
): Pick<Store, 'readLog' | 'readEvents' | 'headCursor'> {
  const headBefore = async (horizon: bigint): Promise<bigint> => {
    const [row] = await select(
      'SELECT max(position + 0) AS head FROM events WHERE position + 0 < ?',
      horizon.toString(),
    );
    return BigInt(String(row?.head ?? 0));
  };

  return {
    readLog: async ({ orgId, threadId, after, limit }) => {
      const sql = 'SELECT * FROM events WHERE org_id = ? AND thread_id = ? AND seq > ?::bigint ORDER BY seq LIMIT ?';
      return (await select(sql, orgId, threadId, after, limit)).map(withCursor);
    },
    headCursor: async () => toCursor(await headBefore(await findHorizon())),
    readEvents: async ({ orgId, after, limit, threadId, interactionId, types }) => {
      const position = fromCursor(after);
      const horizon = await findHorizon();
      const conditions: string[] = [];
      const values: SqlValue[] = [];
      const where = (condition: string, ...bound: SqlValue[]) => {
        conditions.push(condition);
        values.push(...bound);
      };
      where('org_id = ? AND position < ?', orgId, horizon.toString());
      if (threadId === undefined) where('position > ?', position.toString());
      else where('thread_id = ? AND seq > ?', threadId, await seqUpTo(orgId, threadId, position));
      if (interactionId !== undefined) where('interaction_id = ?', interactionId);
      if (types) where(`type IN (${types.map(() => '?').join(', ')})`, ...types);
      const order = threadId === undefined ? 'position' : 'seq';
      const sql = `SELECT * FROM events WHERE ${conditions.join(' AND ')} ORDER BY ${order} LIMIT ?`;
      const rows = await select(sql, ...values, limit);
      // Nothing comes after a cursor from beyond the end, so only an empty page can hide one.
      if (rows.length === 0 && position > (await headBefore(horizon))) refuseCursor(after);
      return rows.map(withCursor);
    },
  };

  async function seqUpTo(orgId: string, threadId: string, position: bigint): Promise<number> {
    const [row] = await select(lastSeqUpTo, orgId, threadId, position.toString(), orgId, threadId);
    return Number(row?.seq);
  }
}

const withCursor = (row: Record<string, unknown>) => toEvent(row, toCursor(BigInt(String(row.position))));
