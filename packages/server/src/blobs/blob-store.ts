import { fail } from '@holdpoint/protocol';

/** The port for the bytes of files. It knows ids and bytes; `blob-store.contract.ts` says what it promises. */

export interface BlobStore {
  /**
   * Takes the bytes as they come, each piece before it asks for the next, and resolves once all of them are on disk. Past `maxBytes` it stops reading and throws
   * file-too-large. Whatever goes wrong, nothing is left of it, unless the process ends or the storage is away.
   */
  write(id: string, content: AsyncIterable<Uint8Array>, options: { maxBytes: number }): Promise<void>;
  /** The bytes from `from` up to, and without, `to`; of one that is not there, or not all of it, throws file-not-found. */
  read(id: string, range: { from: number; to: number }): AsyncIterable<Uint8Array>;
  /** Also the part of one that was never finished. One that is not there is removed already. */
  remove(id: string): Promise<void>;
  close(): Promise<void>;
}

const bytesPerMb = 1024 * 1024;

export async function* atMost(content: AsyncIterable<Uint8Array>, maxBytes: number): AsyncIterable<Uint8Array> {
  let size = 0;
  for await (const piece of content) {
    size += piece.byteLength;
    if (size > maxBytes) tooLarge(maxBytes);
    yield piece;
  }
}

export function tooLarge(maxBytes: number): never {
  const most = maxBytes < bytesPerMb ? `${maxBytes} bytes` : `${Number((maxBytes / bytesPerMb).toFixed(2))} MB`;
  return fail('file-too-large', `The file is larger than the ${most} that are taken here.`);
}

/** Whoever reads has been told how much there is: a quiet end would pass for all of it. */
export const endsEarly = (): never => fail('file-not-found', 'A part of the file is not there any more.');
