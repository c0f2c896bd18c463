import { StatusSchema } from '@holdpoint/protocol';
import type { Listing } from '../store.ts';
import { fromCursor, idCursor, toCursor } from './cursor.ts';
import type { Row, Select, SqlValue } from './select.ts';

interface ListQuery {
  table: 'threads' | 'interactions' | 'grants' | 'api_keys' | 'deliveries';
  where: Record<string, string | undefined>;
  /** One more, as it stands in the query. */
  condition?: string;
  by: 'position' | 'id';
  isDescending: boolean;
  cursor: string | undefined;
  limit: number;
}

/** One query for every list: equal to the given columns, after the cursor, in key order, one row more to see if there is a next page. */
export function listing(select: Select) {
  return async <T>(query: ListQuery): Promise<Listing<T>> => {
    const { by, isDescending, limit } = query;
    const parts = pages(query);
    const rows = (await Promise.all(parts.map(page))).flat();
    if (parts.length > 1) rows.sort((a, b) => (String(a.key) < String(b.key) === isDescending ? 1 : -1));
    const items = rows.slice(0, limit).map((row) => JSON.parse(String(row.record)) as T);
    const last = rows[limit - 1];
    if (rows.length <= limit || !last) return { items };
    return { items, next: by === 'position' ? toCursor(Number(last.key)) : String(last.key) };
  };

  function page({ table, where, condition, by, isDescending, cursor, limit }: ListQuery): Row[] | Promise<Row[]> {
    const given = Object.entries(where).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const conditions = given.map(([column]) => `${column} = ?`);
    const values: SqlValue[] = given.map(([, value]) => value);
    if (condition !== undefined) conditions.push(condition);
    if (cursor !== undefined) {
      conditions.push(`${by} ${isDescending ? '<' : '>'} ?`);
      values.push(by === 'position' ? fromCursor(cursor) : idCursor(cursor));
    }
    const sql = `SELECT ${by} AS key, record FROM ${table} WHERE ${conditions.join(' AND ')}
      ORDER BY ${by} ${isDescending ? 'DESC' : 'ASC'} LIMIT ?`;
    return select(sql, ...values, limit + 1);
  }
}

/**
 * The index by thread begins with the status, because what is pending in a thread is asked for most. All of a thread is
 * a page of each status, merged: no second index to write.
 */
function pages(query: ListQuery): ListQuery[] {
  const { thread_id, run_id, status } = query.where;
  if (thread_id === undefined || run_id !== undefined || status !== undefined) return [query];
  return StatusSchema.enum.map((each) => ({ ...query, where: { ...query.where, status: each } }));
}
