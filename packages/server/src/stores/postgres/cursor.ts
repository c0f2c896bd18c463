/** Positions of events as cursors that sort as text: sixteen hexadecimal digits hold the whole of a bigint. */
import { refuseCursor } from '../sql/cursor.ts';

const largest = 2n ** 63n - 1n;

export const toCursor = (position: bigint): string => position.toString(16).padStart(16, '0');

export function fromCursor(cursor: string): bigint {
  const position = /^[0-9a-f]{16}$/.test(cursor) ? BigInt(`0x${cursor}`) : largest + 1n;
  return position <= largest ? position : refuseCursor(cursor);
}
