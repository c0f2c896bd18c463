/** Idempotency keys for pages, workers and Node alike. */
declare const crypto: { getRandomValues(bytes: Uint8Array): Uint8Array };

/**
 * Makes a key that nobody else has. Does not use `crypto.randomUUID`: it is undefined in a page that came over plain
 * http from another machine, so nobody could answer there.
 */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
