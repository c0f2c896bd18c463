import type { QueryConfig } from 'pg';
import type { Found, ReadTogether } from '../sql/gather-reads.ts';
import { eventReads, type LogOptions } from '../sql/read-events.ts';
import type { Row, SqlValue } from '../sql/select.ts';
import type { Connection } from './connection.ts';
import { readError } from './database-error.ts';
import { fromCursor, toCursor } from './log-order.ts';
import { textArray } from './text-array.ts';

export type SelectOver = (sql: string, ...values: (SqlValue | Buffer)[]) => Promise<Row[]>;

/** Reads over several connections in turn. Each prepares every query once. */
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
 * Reads one property of a record. PostgreSQL refuses JSON with an escaped NUL or half a surrogate pair in any text. With
 * `\t` for `\u` the record is still JSON and has the same properties.
 */
export const property = (record: string, name: string): string =>
  `replace(${record}, '\\u', '\\t')::json ->> '${name}'`;

/** PostgreSQL numbers its parameters. No query of ours has a question mark in a text. */
function numbered(sql: string): string {
  let count = 0;
  return sql.replace(/\?/g, () => `$${++count}`);
}

/** PostgreSQL stores no NUL in a text, and refuses to compare with one. */
export const hasNul = (value: SqlValue | Buffer): boolean => typeof value === 'string' && value.includes('\0');

const readAll = {
  name: 'read interactions',
  text: `SELECT asked.place, record FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked(org_id, id, place)
    JOIN interactions USING (org_id, id)`,
};

/** Reads all wanted interactions in one query. */
export function readTogether(connections: readonly Connection[]): ReadTogether {
  let turn = 0;
  return async (wanted) => {
    const connection = connections[turn++ % connections.length] as Connection;
    const ids = wanted.map(({ id }) => (hasNul(id) ? '' : id));
    const values = [textArray(wanted.map(({ orgId }) => orgId)), textArray(ids)];
    const rows = await connection.query({ ...readAll, values }, true).catch((error) => {
      throw readError(error);
    });
    const records: Found[] = Array(wanted.length);
    for (const { place, record } of rows) records[Number(place) - 1] = String(record);
    return records;
  };
}

/** Readers stop at the horizon, because transactions add events only after it. */
export const logReads = ({ select, ...options }: Omit<LogOptions, 'cursors' | 'findHead'> & { select: SelectOver }) =>
  eventReads({
    ...options,
    cursors: { from: fromCursor, to: toCursor },
    findHead: async (horizon) => {
      const newest = 'SELECT max(position + 0) AS head FROM events WHERE position + 0 < ?';
      const [row] = await select(newest, String(horizon));
      return BigInt(String(row?.head ?? 0));
    },
  });
