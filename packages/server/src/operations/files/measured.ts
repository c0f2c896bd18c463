/** Looks at bytes as they pass: the first of them, how many they are, and their checksum. */
import { createHash } from 'node:crypto';

export interface Measured {
  /** The first bytes, as many as asked for or as there are; read before anything else, and passed on all the same. */
  head: Uint8Array;
  content: AsyncIterable<Uint8Array>;
  /** Once the content is at its end. */
  size(): number;
  sha256(): string;
}

export async function measured(content: AsyncIterable<Uint8Array>, headBytes: number): Promise<Measured> {
  const hash = createHash('sha256');
  const pieces = content[Symbol.asyncIterator]();
  const first: Buffer[] = [];
  let size = 0;
  let isDone = false;
  while (size < headBytes && !isDone) {
    const next = await pieces.next();
    isDone = next.done === true;
    if (!next.done) {
      // A piece is ours only until we ask for the next.
      first.push(Buffer.from(next.value));
      size += next.value.byteLength;
    }
  }
  const begun = Buffer.concat(first.splice(0));
  const head = begun.subarray(0, headBytes);
  hash.update(begun);

  async function* all() {
    try {
      yield begun;
      while (!isDone) {
        const next = await pieces.next();
        if (next.done) return;
        size += next.value.byteLength;
        hash.update(next.value);
        yield next.value;
      }
    } finally {
      await pieces.return?.();
    }
  }
  return { head, content: all(), size: () => size, sha256: () => hash.digest('hex') };
}
