/**
 * An error of a thread. Imports nothing, like all that a thread loads: with the protocol each thread would load
 * 600 modules, and its start from the sources would take four times the processor time.
 */

/** SQLITE_CORRUPT and SQLITE_NOTADB, with or without the extended code above the first eight bits. */
const damageCodes = [11, 26];

export const isDamage = (error: unknown): boolean =>
  damageCodes.includes(Number((error as { errcode?: number } | undefined)?.errcode) & 0xff);

/** An error, as a thread sends it to the main thread. */
export const failureOf = (error: unknown) => ({
  error: error instanceof Error ? error.message : String(error),
  isDamage: isDamage(error),
});

export type Failure = ReturnType<typeof failureOf>;
