/** Passes bytes on until there are too many of them; and what is said of too many, or too few. */
import { fail } from '@holdpoint/protocol';

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
