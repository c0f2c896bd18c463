import { eventReads } from '../sql/read-events.ts';
import type { ReadsOf } from '../sql/select.ts';
import type { Store } from '../store.ts';
import { fromCursor, toCursor } from './cursor.ts';
import type { SelectOver } from './select.ts';

interface LogOptions {
  select: SelectOver;
  readsOf: ReadsOf;
  stepRows?: number | undefined;
  findHorizon(): Promise<bigint>;
}

/** Readers stop at the horizon, because no transaction can add an event before it any more. */
export function logReads({
  select,
  readsOf,
  stepRows,
  findHorizon,
}: LogOptions): Pick<Store, 'readLog' | 'readEvents' | 'headCursor'> {
  return eventReads({
    ...{ readsOf, findHorizon },
    ...(stepRows === undefined ? {} : { stepRows }),
    cursors: { from: fromCursor, to: toCursor },
    findHead: async (horizon) => {
      const newest = 'SELECT max(position + 0) AS head FROM events WHERE position + 0 < ?';
      const [row] = await select(newest, String(horizon));
      return BigInt(String(row?.head ?? 0));
    },
  });
}
