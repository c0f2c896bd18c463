import type { QueryConfig } from 'pg';
import type { SqlValue } from '../sql/select.ts';
import type { Connection } from './connection.ts';
import { readError } from './database-error.ts';

export type SelectOver = (sql: string, ...values: (SqlValue | Buffer)[]) => Promise<Record<string, unknown>[]>;

/** Reads over several connections in turn. Every query is prepared once on each. */
export function selectOver(connections: readonly Connection[]): SelectOver {
  const prepared = new Map<string, QueryConfig>();
  let turn = 0;
  return async (sql, ...values) => {
    if (values.some(hasNul)) return [];
    const connection = connections[turn++ % connections.length] as Connection;
    let query = prepared.get(sql);
    if (!query) {
      query = { name: `read ${prepared.size}`, text: numbered(sql) };
      prepared.set(sql, query);
    }
    try {
      return await connection.query({ ...query, values });
    } catch (error) {
      throw readError(error);
    }
  };
}

/**
 * Reads one property without reading the texts beside it: PostgreSQL refuses JSON with an escaped NUL or half a surrogate pair.
 * With `\t` for `\u` the record is still JSON, and has the same properties.
 */
export const property = (record: string, name: string): string =>
  `replace(${record}, '\\u', '\\t')::json ->> '${name}'`;

/** PostgreSQL counts its parameters. No query of ours has a question mark in a text. */
function numbered(sql: string): string {
  let count = 0;
  return sql.replace(/\?/g, () => `$${++count}`);
}

/** PostgreSQL keeps no NUL in a text, and refuses to compare with one. */
export const hasNul = (value: SqlValue | Buffer): boolean => typeof value === 'string' && value.includes('\0');
