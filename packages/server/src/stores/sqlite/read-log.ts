import type { DatabaseSync } from 'node:sqlite';
import { fromCursor, toCursor } from '../sql/cursor.ts';
import { eventReads } from '../sql/read-events.ts';
import type { ReadsOf } from '../sql/select.ts';
import type { Store } from '../store.ts';

/** A single writer assigns the positions, so the log is settled up to its newest event. */
export function logReads(
  db: DatabaseSync,
  readsOf: ReadsOf,
  stepRows?: number,
): Pick<Store, 'readLog' | 'readEvents' | 'headCursor'> {
  const head = db.prepare('SELECT max(position) AS position FROM events');
  return eventReads({
    readsOf,
    ...(stepRows === undefined ? {} : { stepRows }),
    cursors: { from: (cursor) => BigInt(fromCursor(cursor)), to: (position) => toCursor(Number(position)) },
    tables: { ofOrg: 'events INDEXED BY events_of_org', ofThread: 'events INDEXED BY events_by_seq' },
    findHead: async () => BigInt(Number(head.get()?.position ?? 0)),
  });
}
