/** Bytes and WebCrypto, which every runtime has. */

/** Makes bytes with Blob, which every runtime has. */
export const bytesOf = (...parts: (string | ArrayBuffer | Uint8Array<ArrayBuffer>)[]): Promise<ArrayBuffer> =>
  new Blob(parts).arrayBuffer();

export const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

export const fromBase64Url = (text: string): Uint8Array<ArrayBuffer> =>
  fromBase64(text.replaceAll('-', '+').replaceAll('_', '/'));

export const toBase64Url = (bytes: Uint8Array<ArrayBuffer>): string =>
  btoa(String.fromCharCode(...bytes)).replace(/[+/=]/g, (letter) => ({ '+': '-', '/': '_' })[letter] ?? '');

/** Returns WebCrypto. Throws in a page that came over plain http from another machine, because it has none. */
export function webCrypto(): typeof crypto.subtle {
  const { subtle } = crypto as Partial<typeof crypto>;
  if (subtle) return subtle;
  throw new Error('Nothing can be verified in this page: crypto.subtle needs https or localhost.');
}
