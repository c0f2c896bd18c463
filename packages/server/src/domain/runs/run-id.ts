/** Runs of a thread are in the order of their ids, whatever the clocks of the nodes that began them say. */

/** A new UUIDv7 that is greater than the last: as it is where its time says so, else as of a millisecond later than that. */
export function idAfter(last: string | undefined, id: string): string {
  if (last === undefined || id > last) return id;
  const ms = Number.parseInt(last.slice(0, 8) + last.slice(9, 13), 16) + 1;
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}${id.slice(13)}`;
}
