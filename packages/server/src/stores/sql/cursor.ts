/** Positions as cursors that sort as text: sixteen digits hold every integer JavaScript counts exactly. */
import { fail } from '@holdpoint/protocol';

export const toCursor = (position: number): string => String(position).padStart(16, '0');

export function fromCursor(cursor: string): number {
  if (!/^\d{16}$/.test(cursor) || !Number.isSafeInteger(Number(cursor))) refuseCursor(cursor);
  return Number(cursor);
}

export const refuseCursor = (cursor: string): never =>
  fail('invalid-cursor', `"${cursor.slice(0, 40)}" is not a cursor of this server.`);

/** Lists in the order of ids have an id for a cursor. */
export function idCursor(cursor: string): string {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(cursor) ? cursor : refuseCursor(cursor);
}
