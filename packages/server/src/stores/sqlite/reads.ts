import type { DatabaseSync } from 'node:sqlite';
import { fromCursor, toCursor } from '../sql/cursor.ts';
import type { Found, ReadTogether } from '../sql/gather-reads.ts';
import { eventReads, type LogOptions } from '../sql/read-events.ts';

export const hint = (index: string): string => `INDEXED BY ${index}`;

export const property = (record: string, name: string): string => `${record} ->> '${name}'`;

/** Reads all wanted interactions in one transaction, because each transaction locks and unlocks the file. */
export function readTogether(db: DatabaseSync): ReadTogether {
  const find = db.prepare('SELECT record FROM interactions WHERE org_id = ? AND id = ?');
  const begin = db.prepare('BEGIN');
  const end = db.prepare('ROLLBACK');
  return (wanted) => {
    begin.run();
    const found = wanted.map(({ orgId, id }): Found => {
      try {
        return find.get(orgId, id)?.record as string | undefined;
      } catch (error) {
        return error as Error;
      }
    });
    try {
      end.run();
    } catch {
      // SQLite may have ended the transaction itself because the disk failed.
    }
    return found;
  };
}

/** A single writer assigns the positions, so the log is settled up to its newest event. */
export function logReads(db: DatabaseSync, options: Pick<LogOptions, 'readsOf' | 'stepRows'>) {
  const head = db.prepare('SELECT max(position) AS position FROM events');
  return eventReads({
    ...options,
    cursors: { from: (cursor) => BigInt(fromCursor(cursor)), to: (position) => toCursor(Number(position)) },
    tables: { ofOrg: 'events INDEXED BY events_of_org', ofThread: 'events INDEXED BY events_by_seq' },
    findHead: async () => BigInt(Number(head.get()?.position ?? 0)),
  });
}
