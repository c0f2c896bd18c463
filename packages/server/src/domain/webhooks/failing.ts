/** An endpoint that has taken nothing for long. */
const longMs = 3 * 24 * 3_600_000;

/** Since when it has taken nothing, after one more attempt; undefined: the last one was taken. */
export function failingSince(since: number | undefined, { isTaken, at }: { isTaken: boolean; at: number }) {
  return isTaken ? undefined : (since ?? at);
}

export const isFailingForLong = (since: number | undefined, now: number): boolean =>
  since !== undefined && now - since >= longMs;
