/** Runs the queries of a store. A file of its own, because the reader thread needs no other read. */
import type { DatabaseSync } from 'node:sqlite';
import type { Row, SqlValue } from '../sql/select.ts';

/** Reads over a connection of its own, so that no read waits for the writer. Prepares every query once. */
export function selectFrom(db: DatabaseSync): (sql: string, ...values: SqlValue[]) => Row[] {
  const prepared = new Map<string, ReturnType<DatabaseSync['prepare']>>();
  return (sql, ...values) => {
    let statement = prepared.get(sql);
    if (!statement) {
      statement = db.prepare(sql);
      prepared.set(sql, statement);
    }
    return statement.all(...values);
  };
}
