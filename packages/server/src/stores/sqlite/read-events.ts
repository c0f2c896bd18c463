/** Reads of the log: by thread and sequence, or across an org from a cursor. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { LogEvent } from '@holdpoint/protocol';
import { fromCursor, refuseCursor, toCursor } from '../sql/cursor.ts';
import { toEvent } from '../sql/to-event.ts';
import type { Store } from '../store.ts';

export function eventReads(db: DatabaseSync): Pick<Store, 'readLog' | 'readEvents' | 'headCursor'> {
  const log = db.prepare('SELECT * FROM events WHERE org_id = ? AND thread_id = ? AND seq > ? ORDER BY seq LIMIT ?');
  const lastSeq = db.prepare('SELECT max(seq) AS seq FROM events WHERE org_id = ? AND thread_id = ?');
  const positionOf = db.prepare('SELECT position FROM events WHERE org_id = ? AND thread_id = ? AND seq = ?');
  const head = db.prepare('SELECT max(position) AS position FROM events');
  const headPosition = () => Number(head.get()?.position ?? 0);
  const prepared = new Map<string, ReturnType<DatabaseSync['prepare']>>();

  return {
    readLog: async ({ orgId, threadId, after, limit }) => log.all(orgId, threadId, after, limit).map(withCursor),
    headCursor: async () => toCursor(headPosition()),
    readEvents: async ({ orgId, after, limit, threadId, interactionId, types }) => {
      const position = fromCursor(after);
      const conditions = ['org_id = ?'];
      const values: SQLInputValue[] = [orgId];
      const where = (condition: string, ...bound: SQLInputValue[]) => {
        conditions.push(condition);
        values.push(...bound);
      };
      if (threadId === undefined) where('position > ?', position);
      else where('thread_id = ? AND seq > ?', threadId, lastSeqUpTo(orgId, threadId, position));
      if (interactionId !== undefined) where('interaction_id = ?', interactionId);
      if (types) where(`type IN (${types.map(() => '?').join(', ')})`, ...types);
      const [index, order] = threadId === undefined ? ['events_of_org', 'position'] : ['events_by_seq', 'seq'];
      const sql = `SELECT * FROM events INDEXED BY ${index} WHERE ${conditions.join(' AND ')} ORDER BY ${order} LIMIT ?`;
      const statement = prepared.get(sql) ?? db.prepare(sql);
      prepared.set(sql, statement);
      const rows = statement.all(...values, limit);
      // Nothing comes after a cursor from beyond the end, so only an empty page can hide one.
      if (rows.length === 0 && position > headPosition()) refuseCursor(after);
      return rows.map(withCursor);
    },
  };

  /**
   * Positions rise with the sequence, so the place of a cursor in a thread is found in some twenty looks. An index of
   * positions by thread would save them, and cost every commit a page.
   */
  function lastSeqUpTo(orgId: string, threadId: string, position: number): number {
    let [low, high] = [0, Number(lastSeq.get(orgId, threadId)?.seq ?? 0)];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (Number(positionOf.get(orgId, threadId, middle)?.position) <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

const withCursor = (row: Record<string, unknown>): LogEvent => toEvent(row, toCursor(Number(row.position)));
