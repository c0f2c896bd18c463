import { StatusSchema } from '@holdpoint/protocol';
import type { Listing } from '../store.ts';
import { fromCursor, idCursor, toCursor } from './cursor.ts';
import type { Row, Select, SqlValue } from './select.ts';

/** Pending interactions, found by whom they name. A cross join is one that SQLite does in the order in which it is written. */
export const assignedInteractions = `(
  SELECT a.org_id, a.responder_id, a.id, i.thread_id, i.run_id, i.status, i.kind, i.record
  FROM assigned a CROSS JOIN interactions i WHERE i.org_id = a.org_id AND i.id = a.id) AS waiting` as const;

/** What a list or a count is of: equal to the given columns. */
interface Which {
  table:
    | 'threads'
    | 'messages'
    | 'interactions'
    | typeof assignedInteractions
    | 'grants'
    | 'api_keys'
    | 'deliveries'
    | 'runs';
  where: Record<string, string | undefined>;
  /** One more, as it stands in the query. */
  condition?: string;
}

interface ListQuery extends Which {
  by: 'position' | 'id';
  isDescending: boolean;
  cursor: string | undefined;
  /** So many are passed by. */
  offset?: number | undefined;
  limit: number;
}

/** One query for every list: equal to the given columns, after the cursor, in key order, one row more to see if there is a next page. */
export function listing(select: Select) {
  return async <T>(asked: ListQuery): Promise<Listing<T>> => {
    const query = asked.offset ? await passBy(asked, asked.offset) : asked;
    if (!query) return { items: [] };
    const { limit } = query;
    const rows = await merged(query, (part) => page(part, { more: ', record', limit: limit + 1 }));
    const items = rows.slice(0, limit).map((row) => JSON.parse(String(row.record)) as T);
    const last = rows[limit - 1];
    return rows.length <= limit || !last ? { items } : { items, next: cursorAt(query, last) };
  };

  /** The list after the last one that is passed by. The keys alone tell which that is: no record is read. */
  async function passBy(query: ListQuery, offset: number): Promise<ListQuery | undefined> {
    const [only, ...others] = pages(query);
    const [last] =
      only && others.length === 0
        ? await page(only, { limit: 1, skip: offset - 1 })
        : (await merged(query, (part) => page(part, { limit: offset }))).slice(offset - 1);
    return last && { ...query, cursor: cursorAt(query, last) };
  }

  async function merged(query: ListQuery, read: (part: ListQuery) => Row[] | Promise<Row[]>): Promise<Row[]> {
    const parts = pages(query);
    const rows = (await Promise.all(parts.map(read))).flat();
    if (parts.length > 1) rows.sort((a, b) => (String(a.key) < String(b.key) === query.isDescending ? 1 : -1));
    return rows;
  }

  function page(query: ListQuery, { more = '', limit, skip = 0 }: PageOf): Row[] | Promise<Row[]> {
    const { table, by, isDescending, cursor } = query;
    const { conditions, values } = conditionsOf(query);
    if (cursor !== undefined) {
      conditions.push(`${by} ${isDescending ? '<' : '>'} ?`);
      values.push(by === 'position' ? fromCursor(cursor) : idCursor(cursor));
    }
    const sql = `SELECT ${by} AS key${more} FROM ${table} WHERE ${conditions.join(' AND ')}
      ORDER BY ${by} ${isDescending ? 'DESC' : 'ASC'} LIMIT ?${skip ? ' OFFSET ?' : ''}`;
    return select(sql, ...values, limit, ...(skip ? [skip] : []));
  }
}

interface PageOf {
  /** Columns beside the key. */
  more?: string;
  limit: number;
  skip?: number;
}

const cursorAt = ({ by }: ListQuery, { key }: Row): string => (by === 'position' ? toCursor(Number(key)) : String(key));

/** Counts along the index that a list is read by, and no further than the limit. */
export function counting(select: Select) {
  return async (which: Which, limit: number): Promise<number> => {
    const { conditions, values } = conditionsOf(which);
    const matching = `SELECT 1 FROM ${which.table} WHERE ${conditions.join(' AND ')} LIMIT ?`;
    const [row] = await select(`SELECT count(*) AS count FROM (${matching}) AS matching`, ...values, limit);
    return Number(row?.count);
  };
}

function conditionsOf({ where, condition }: Which): { conditions: string[]; values: SqlValue[] } {
  const given = Object.entries(where).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return {
    conditions: [...given.map(([column]) => `${column} = ?`), ...(condition === undefined ? [] : [condition])],
    values: given.map(([, value]) => value),
  };
}

/**
 * The index by thread begins with the status, because what is pending in a thread is asked for most. All of a thread is
 * a page of each status, merged: no second index to write.
 */
function pages(query: ListQuery): ListQuery[] {
  const { thread_id, run_id, status } = query.where;
  const isByThread = query.table === 'interactions' && thread_id !== undefined && run_id === undefined;
  if (!isByThread || status !== undefined) return [query];
  return StatusSchema.enum.map((each) => ({ ...query, where: { ...query.where, status: each } }));
}
