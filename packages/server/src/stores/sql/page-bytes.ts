/**
 * Bounds a page in bytes. The first query returns the size of each text, and the text itself only if it is small. If the
 * page has a larger one, a second query reads all rows that fit. Pages of small records need only the first query.
 */
import type { Row, SqlValue } from './select.ts';

/**
 * A page ends before the record that would exceed this size. The main thread parses and sends a page at once: 200
 * records of 800 KB kept `/healthz` waiting for 2.9 s.
 */
export const pageBytes = 4 * 1_048_576;

/** Selects the size of a text, and the text if it is not longer than a value. Neither database reads a text for its size. */
export const sized = (column: string): string =>
  `octet_length(${column}) AS bytes, CASE WHEN octet_length(${column}) <= ? THEN ${column} END AS ${column}`;

/** Returns the longest text that the first query may return: this number of rows of that length fill the page. */
export const longestText = (bytes: number, rows: number): number => Math.floor(bytes / rows);

/** The largest integer of PostgreSQL, for the second query. */
export const anyLength = 2 ** 31 - 1;

export const bytesOf = (rows: readonly Row[]): number => rows.reduce((sum, { bytes }) => sum + Number(bytes), 0);

/** Returns the first rows that fit in this number of bytes, and at least `atLeast` rows. */
export function fitting(rows: readonly Row[], bytes: number, atLeast: number): Row[] {
  let left = bytes;
  const end = rows.findIndex((row, index) => {
    left -= Number(row.bytes);
    return left < 0 && index >= atLeast;
  });
  return rows.slice(0, end < 0 ? rows.length : end);
}

interface PageQuery {
  select(sql: string, ...values: SqlValue[]): Promise<Row[]>;
  /** The column with the text, and all others. */
  text: string;
  columns: string;
  /** The query from FROM to its order. */
  from: string;
  values: readonly SqlValue[];
  limit: number;
}

/** Reads a page of rows that never change. `isFull` says that there may be more. */
export async function readFitting(query: PageQuery): Promise<{ rows: Row[]; isFull: boolean }> {
  const { select, text, columns, from, values, limit } = query;
  const sql = `SELECT ${columns}, ${sized(text)} ${from} LIMIT ?`;
  const found = await select(sql, longestText(pageBytes, limit), ...values, limit);
  const rows = fitting(found, pageBytes, 1);
  const isFull = found.length === limit || rows.length < found.length;
  if (rows.every((row) => row[text] !== null)) return { rows, isFull };
  return { rows: await select(sql, anyLength, ...values, rows.length), isFull };
}
