/** The port for the bytes of files. It knows ids and bytes. `blob-store.contract.ts` has its promises. */
import { fail } from '@holdpoint/protocol';

export interface BlobStore {
  /**
   * Writes each piece before it asks for the next. Resolves when all bytes are on disk. After `maxBytes` it stops reading and
   * throws file-too-large. A failed write leaves nothing, unless the process ends or the storage is unavailable.
   */
  write(id: string, content: AsyncIterable<Uint8Array>, options: { maxBytes: number }): Promise<void>;
  /** Returns the bytes from `from` up to, and without, `to`. Throws file-not-found if the blob is missing or incomplete. */
  read(id: string, range: { from: number; to: number }): AsyncIterable<Uint8Array>;
  /** Removes the blob, also the part of an unfinished one. Does nothing if there is none. */
  remove(id: string): Promise<void>;
  close(): Promise<void>;
}

export async function* atMost(content: AsyncIterable<Uint8Array>, maxBytes: number): AsyncIterable<Uint8Array> {
  let size = 0;
  for await (const piece of content) {
    size += piece.byteLength;
    if (size > maxBytes) tooLarge(maxBytes);
    yield piece;
  }
}

const bytesPerMb = 1024 * 1024;

export function tooLarge(maxBytes: number): never {
  const most = maxBytes < bytesPerMb ? `${maxBytes} bytes` : `${Number((maxBytes / bytesPerMb).toFixed(2))} MB`;
  return fail('file-too-large', `The file is larger than the limit of ${most}.`);
}

/** The reader knows the size, but a stream that ends early without an error would look complete. */
export const endsEarly = (): never => fail('file-not-found', 'A part of the file no longer exists.');
