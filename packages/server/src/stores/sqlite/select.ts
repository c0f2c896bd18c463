import type { DatabaseSync } from 'node:sqlite';
import type { Row, SqlValue } from '../sql/select.ts';

/** Reads on a connection of their own: they never wait for the writer. Every query is prepared once. */
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

export const hint = (index: string): string => `INDEXED BY ${index}`;

export const property = (record: string, name: string): string => `${record} ->> '${name}'`;
