/** Bytes and texts, without anything that a runtime may lack. */
export const bytesOf = (...parts: (string | ArrayBuffer | Uint8Array<ArrayBuffer>)[]): Promise<ArrayBuffer> =>
  new Blob(parts).arrayBuffer();

/** Returns WebCrypto. Throws in a page that came over plain http from another machine, because it has none. */
export function webCrypto(): typeof crypto.subtle {
  const { subtle } = crypto as Partial<typeof crypto>;
  if (subtle) return subtle;
  throw new Error('Nothing can be verified in this page: crypto.subtle needs https or localhost.');
}

export const toHex = (bytes: ArrayBuffer | Uint8Array<ArrayBuffer>): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
