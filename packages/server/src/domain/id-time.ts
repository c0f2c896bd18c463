/** The time in an id. Ids are UUIDv7, which begin with the milliseconds of their creation. */

/** Returns the first part of the smallest id of a time. It is smaller than that id. */
export function firstIdAt(time: number): string {
  const ms = Math.min(Math.max(Math.floor(time), 0), 2 ** 48 - 1);
  const digits = ms.toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}`;
}

export const timeOf = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

/**
 * Returns an id that is greater than the last: the given one, or one of a millisecond after the last. Runs of a thread are
 * in the order of their ids, whatever the clocks of the nodes that began them say.
 */
export const idAfter = (last: string | undefined, id: string): string =>
  last === undefined || id > last ? id : `${firstIdAt(timeOf(last) + 1)}${id.slice(13)}`;
