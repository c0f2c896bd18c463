/**
 * Reads every list and every count in one way: along an index, in steps that each examine a bounded number of rows. If
 * the index does not answer a filter, a step checks it row by row. If too many rows do not match, or the records are
 * large, the page is short and its cursor says where to continue (L20).
 */
import type { CountedInteractions } from '@holdpoint/protocol';
import type { Listing } from '../store.ts';
import { fromCursor, readPlace, toCursor, writePlace } from './cursor.ts';
import { anyLength, bytesOf, fitting, longestText, pageBytes, sized } from './page-bytes.ts';
import type { Query, ReadsOf, Row, SqlValue } from './select.ts';

/** Rows that one step examines: about 3 ms if each row must be fetched, and 0.3 ms if the index is enough. */
export const defaultStepRows = 2_000;
/** A page examines 100,000 rows at most; a count, which cannot be continued, a million. */
const stepsOfPage = 50;
const stepsOfCount = 500;

/**
 * Finds pending interactions by assignee. SQLite runs a cross join in the order in which it is written. PostgreSQL
 * would also start with all interactions of the org if it knew that both org ids are equal; `|| ''` hides that.
 */
export const assignedInteractions = `(
  SELECT a.org_id, a.responder_id, a.id, i.thread_id, i.run_id, i.status, i.kind, i.record
  FROM assigned a CROSS JOIN interactions i WHERE i.org_id = a.org_id || '' AND i.id = a.id) AS waiting` as const;

type Columns = Record<string, string | undefined>;

/** The rows that a list or a count is about. */
export interface Which {
  table:
    | 'threads'
    | 'messages'
    | 'interactions'
    | typeof assignedInteractions
    | 'grants'
    | 'api_keys'
    | 'deliveries'
    | 'runs';
  /** Leading columns of an index, followed by the key. Every examined row matches them. */
  where: Columns & { org_id: string };
  /** One more such condition, as SQL. */
  condition?: string | undefined;
  /** Columns that are checked row by row. A list with any of them examines a bounded number of rows. */
  rest?: Columns;
  /** The index for `where`. SQLite, which has no statistics, may otherwise choose another index. */
  index?: string;
  /** A column of the index before the key. The rows of each value are read as one part, and the parts are merged. */
  partsBy?: {
    column: string;
    values: readonly string[];
    /** A record is in several parts if it has several of the values. It is listed and counted once. */
    mayOverlap?: boolean;
  };
}

interface ListQuery<T> extends Which {
  by: 'position' | 'id';
  isDescending: boolean;
  cursor: string | undefined;
  /** Number of rows to skip. */
  offset?: number | undefined;
  limit: number;
  /** Completes a record of an earlier version. */
  current?(stored: T): T;
}

/**
 * Keeps the planner from using an index of this column, whose rows would not be the bounded ones. An operator instead
 * of the function would tell PostgreSQL that the column is not null, and that would allow a partial index.
 */
export const byRow = (column: string): string => `nullif(${column}, '')`;

export interface ListOptions {
  readsOf: ReadsOf;
  stepRows?: number | undefined;
  /** SQL that makes the planner use an index, if the database has such a hint. */
  hint?(index: string): string;
  /** SQL for a property of a record, as text; null if the record does not have it. */
  property(record: string, name: string): string;
}

export function listing(options: ListOptions) {
  const { stepRows = defaultStepRows } = options;
  const readStep = stepping(options);
  const readRecords = recordSteps(readStep);

  return async <T>(query: ListQuery<T>): Promise<Listing<T>> => {
    const { limit, by, cursor, offset = 0, current = (stored) => stored } = query;
    const position = () => (cursor === undefined ? undefined : fromCursor(cursor));
    const place = by === 'id' ? readPlace(cursor) : { key: position(), skip: 0 };
    let after: Key = place.key;
    let skip = place.skip + offset;
    const found: Row[] = [];
    const pageUpTo = (next?: string): Listing<T> => ({
      items: found.map(({ record }) => current(JSON.parse(String(record)))),
      ...(next !== undefined && { next }),
    });
    for (let steps = 0; steps < stepsOfPage; steps++) {
      if (skip > 0) {
        const most = Math.min(skip, stepRows);
        const { rows, upTo } = await readStep(query, after, { limit: most });
        skip -= rows.length;
        after = rows.length === most ? keyOf(rows.at(-1)) : upTo;
      } else {
        const left = { rows: limit - found.length, bytes: pageBytes - bytesOf(found), isFirst: found.length === 0 };
        const { rows, upTo, end } = await readRecords(query, after, left);
        found.push(...rows);
        if (end !== undefined) return pageUpTo(cursorAt(by, end));
        after = upTo;
      }
      if (after === undefined) return pageUpTo();
    }
    return pageUpTo(by === 'id' ? writePlace({ key: String(after), skip }) : cursorAt(by, after));
  };
}

const cursorAt = (by: Part['by'], key: unknown): string => (by === 'position' ? toCursor(Number(key)) : String(key));

/** Counts along the index of the list, up to the limit. */
export function counting(options: ListOptions) {
  const findBounds = bounding(options);
  return async (which: Which, limit: number): Promise<CountedInteractions> => {
    let count = 0;
    let steps = 0;
    for (const part of withoutOverlap(partsOf({ ...which, by: 'id', isDescending: false }), which)) {
      let after: Key;
      do {
        if (steps++ === stepsOfCount) return { count, isPartial: true };
        const [upTo] = await findBounds([part], after);
        const { conditions, values } = within(part, after, upTo);
        const matching = `SELECT 1 FROM ${tableOf(which, options)} WHERE ${conditions} LIMIT ?`;
        const sql = `SELECT count(*) AS count FROM (${matching}) AS matching`;
        const [row] = await options.readsOf(which.where.org_id).one(sql, ...values, limit - count);
        count += Number(row?.count);
        if (count >= limit) return { count, isPartial: true };
        after = upTo;
      } while (after !== undefined);
    }
    return { count };
  };
}

type Key = string | number | undefined;
type Part = Which &
  Pick<ListQuery<never>, 'by' | 'isDescending'> & {
    /** Leaves out the records of these assignees, because another part has them. */
    butNotOf?: readonly string[];
  };

interface Step {
  rows: Row[];
  /** The last examined key, if more rows are left. */
  upTo: Key;
}

interface ReadOf {
  limit: number;
  /** Reads the record too, if it is not longer. */
  longest?: number;
  /** The last key to examine. It must not be further than a step. */
  upTo?: Key;
}

/**
 * Reads the next records that fit in the rest of the page. If the page has no record yet, it takes one of any size. `end` is
 * the key at which the page ends, if there are more.
 */
function recordSteps(readStep: ReturnType<typeof stepping>) {
  return async (query: Part, after: Key, left: { rows: number; bytes: number; isFirst: boolean }) => {
    // One row more than wanted shows that there is a next page.
    const limit = left.rows + 1;
    const longest = longestText(left.bytes, limit * partsOf(query).length);
    const { rows: seen, upTo } = await readStep(query, after, { limit, longest });
    const rows = fitting(seen.slice(0, left.rows), left.bytes, left.isFirst ? 1 : 0);
    const last = keyOf(rows.at(-1));
    const end = rows.length < seen.length ? (last ?? after) : undefined;
    if (rows.every(({ record }) => record !== null)) return { rows, upTo, end };
    const whole = await readStep(query, after, { limit: rows.length, longest: anyLength, upTo: last });
    return { rows: whole.rows, upTo, end };
  };
}

/** Reads the next rows after a key, merged from all parts. */
function stepping(options: ListOptions) {
  const findBounds = bounding(options);
  return async (query: Part, after: Key, { limit, longest, upTo: known }: ReadOf): Promise<Step> => {
    const { by, isDescending } = query;
    const parts = partsOf(query);
    const inOrder = (a: string | number, b: string | number) => (a < b === isDescending ? 1 : -1);
    const upTo = known ?? (await findBounds(parts, after)).toSorted(inOrder)[0];
    const [more, sizes] = longest === undefined ? ['', []] : [`, ${sized('record')}`, [longest]];
    const queries = parts.map((part): Query => {
      const { conditions, values } = within(part, after, upTo);
      const sql = `SELECT ${by} AS key${more} FROM ${tableOf(query, options)} WHERE ${conditions}
        ORDER BY ${by} ${isDescending ? 'DESC' : 'ASC'} LIMIT ?`;
      return { sql, values: [...sizes, ...values, limit] };
    });
    const rows = (await options.readsOf(query.where.org_id).all(queries)).flat();
    if (parts.length > 1) rows.sort((a, b) => inOrder(String(a.key), String(b.key)));
    const once = query.partsBy?.mayOverlap ? rows.filter(({ key }, index) => key !== rows[index - 1]?.key) : rows;
    return { rows: once.slice(0, limit), upTo };
  };
}

/**
 * Finds the key that is `stepRows` rows further along the index, for each part that examines rows and has as many left.
 */
function bounding(options: ListOptions) {
  const { readsOf, stepRows = defaultStepRows } = options;
  return async (parts: readonly Part[], after: Key): Promise<NonNullable<Key>[]> => {
    const queries = parts.flatMap(({ rest = {}, butNotOf: _, ...part }): Query[] => {
      if (given(rest).length === 0) return [];
      const { conditions, values } = within(part, after, undefined);
      const table = part.table === assignedInteractions ? 'assigned' : tableOf(part, options);
      const sql = `SELECT ${part.by} AS key FROM ${table} WHERE ${conditions}
        ORDER BY ${part.by} ${part.isDescending ? 'DESC' : 'ASC'} LIMIT 1 OFFSET ?`;
      return [{ sql, values: [...values, stepRows - 1] }];
    });
    const [first] = parts;
    const found = first && queries.length > 0 ? await readsOf(first.where.org_id).all(queries) : [];
    return found.flatMap(([row]) => keyOf(row) ?? []);
  };
}

const tableOf = ({ table, index }: Which, { hint }: ListOptions): string =>
  index === undefined || !hint ? table : `${table} ${hint(index)}`;

const keyOf = (row: Row | undefined): Key => row?.key as Key;

/** Values that sort before and after every id. */
const ends = ['', 'g'] as const;

/** A query that examines rows always has both ends, so that the planner needs the order of the index. */
function within(part: Part, after: Key, upTo: Key): { conditions: string; values: SqlValue[] } {
  const { by, isDescending, where, rest = {}, condition, butNotOf = [] } = part;
  const columns = [...given(where), ...given(rest)];
  const [first, last] = isDescending ? ends.toReversed() : ends;
  const isExamined = given(rest).length > 0;
  const from = after ?? (isExamined ? first : undefined);
  const to = upTo ?? (isExamined ? last : undefined);
  const conditions = columns.map(([column]) => `${column} = ?`);
  const values: SqlValue[] = columns.map(([, value]) => value);
  if (condition !== undefined) conditions.push(condition);
  if (butNotOf.length > 0) {
    // As a value, and one look-up for each assignee, so that PostgreSQL neither joins nor passes over their other rows.
    const isOfOthers = butNotOf.map(
      () => `EXISTS (SELECT 1 FROM assigned AS other
        WHERE other.org_id = waiting.org_id AND other.responder_id = ? AND other.id = waiting.id)`,
    );
    conditions.push(`CASE WHEN ${isOfOthers.join(' OR ')} THEN 1 ELSE 0 END = 0`);
    values.push(...butNotOf);
  }
  if (from !== undefined) {
    conditions.push(`${by} ${isDescending ? '<' : '>'} ?`);
    values.push(from);
  }
  if (to !== undefined) {
    conditions.push(`${by} ${isDescending ? '>=' : '<='} ?`);
    values.push(to);
  }
  return { conditions: conditions.join(' AND '), values };
}

const given = (columns: Columns): [string, string][] =>
  Object.entries(columns).filter((entry): entry is [string, string] => entry[1] !== undefined);

/**
 * Splits a list into one list for each value of a column that its index has before the key, to be merged. This saves a
 * second index, which every write would pay for.
 */
function partsOf(query: Part): Part[] {
  const { partsBy } = query;
  if (!partsBy) return [query];
  return partsBy.values.map((value) => ({ ...query, where: { ...query.where, [partsBy.column]: value } }));
}

/**
 * Leaves the records of earlier parts out of each part. A count stops at its limit, so it meets fewer of these than the limit.
 */
const withoutOverlap = (parts: Part[], { partsBy }: Which): Part[] =>
  partsBy?.mayOverlap ? parts.map((part, index) => ({ ...part, butNotOf: partsBy.values.slice(0, index) })) : parts;
