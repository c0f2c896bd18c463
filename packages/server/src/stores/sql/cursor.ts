/** Writes positions as cursors that sort as text. Sixteen digits hold every safe integer of JavaScript. */
import { fail } from '@holdpoint/protocol';

export const toCursor = (position: number): string => String(position).padStart(16, '0');

export function fromCursor(cursor: string): number {
  if (!/^\d{16}$/.test(cursor) || !Number.isSafeInteger(Number(cursor))) refuseCursor(cursor);
  return Number(cursor);
}

export const refuseCursor = (cursor: string): never =>
  fail('invalid-cursor', `"${cursor.slice(0, 40)}" is not a cursor of this server.`);

/** Position at which a list in the order of ids continues: after `key`, and after `skip` more rows that match. */
export interface Place {
  key: string | undefined;
  skip: number;
}

const placeFormat = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:~([1-9]\d{0,4}))?$/;

/** Most cursors are an id. If a page ended before its offset was passed, the cursor adds the number of rows left to skip. */
export function readPlace(cursor: string | undefined): Place {
  if (cursor === undefined) return { key: undefined, skip: 0 };
  const [, key, skip = 0] = placeFormat.exec(cursor) ?? refuseCursor(cursor);
  return { key, skip: Number(skip) };
}

export const writePlace = ({ key, skip }: { key: string; skip: number }): string => (skip > 0 ? `${key}~${skip}` : key);
