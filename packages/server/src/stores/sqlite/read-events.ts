/** Reads of the log: by thread and sequence, or across an org from a cursor. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { LogEvent } from '@holdpoint/protocol';
import type { Store } from '../store.ts';
import { fromCursor, refuseCursor, toCursor } from './cursor.ts';

export function eventReads(db: DatabaseSync): Pick<Store, 'readLog' | 'readEvents' | 'headCursor'> {
  const log = db.prepare('SELECT * FROM events WHERE org_id = ? AND thread_id = ? AND seq > ? ORDER BY seq LIMIT ?');
  const head = db.prepare('SELECT max(position) AS position FROM events');
  const headPosition = () => Number(head.get()?.position ?? 0);
  const prepared = new Map<string, ReturnType<DatabaseSync['prepare']>>();

  return {
    readLog: async ({ orgId, threadId, after, limit }) => log.all(orgId, threadId, after, limit).map(toEvent),
    headCursor: async () => toCursor(headPosition()),
    readEvents: async ({ orgId, after, limit, threadId, interactionId, types }) => {
      const conditions = ['org_id = ?', 'position > ?'];
      const values: SQLInputValue[] = [orgId, fromCursor(after)];
      if (threadId !== undefined) {
        conditions.push('thread_id = ?');
        values.push(threadId);
      }
      if (interactionId !== undefined) {
        conditions.push('interaction_id = ?');
        values.push(interactionId);
      }
      if (types) {
        conditions.push(`type IN (${types.map(() => '?').join(', ')})`);
        values.push(...types);
      }
      const index = threadId === undefined ? 'events_of_org' : 'events_of_thread';
      const sql = `SELECT * FROM events INDEXED BY ${index} WHERE ${conditions.join(' AND ')} ORDER BY position LIMIT ?`;
      const statement = prepared.get(sql) ?? db.prepare(sql);
      prepared.set(sql, statement);
      const rows = statement.all(...values, limit);
      // Nothing comes after a cursor from beyond the end, so only an empty page can hide one.
      if (rows.length === 0 && fromCursor(after) > headPosition()) refuseCursor(after);
      return rows.map(toEvent);
    },
  };
}

function toEvent(row: Record<string, unknown>): LogEvent {
  return {
    cursor: toCursor(Number(row.position)),
    threadId: String(row.thread_id),
    seq: Number(row.seq),
    type: row.type as LogEvent['type'],
    at: String(row.at),
    actor: JSON.parse(String(row.actor)) as LogEvent['actor'],
    ...(row.interaction_id === null ? {} : { interactionId: String(row.interaction_id) }),
    data: JSON.parse(String(row.data)) as LogEvent['data'],
  };
}
