/** Bytes and texts, without anything that a runtime may lack. */
export const bytesOf = (...parts: (string | ArrayBuffer | Uint8Array<ArrayBuffer>)[]): Promise<ArrayBuffer> =>
  new Blob(parts).arrayBuffer();

export const toHex = (bytes: ArrayBuffer | Uint8Array<ArrayBuffer>): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** An idempotency key that nobody else has. Not by randomUUID, which pages without TLS do not have. */
export const newKey = (): string => toHex(crypto.getRandomValues(new Uint8Array(16)));
