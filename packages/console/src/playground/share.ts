/** A request as a part of an address: squeezed, and only as long as an address may be. */
const maxShared = 8_000;
/** What an address unfolds to is not ours, so it is bounded. */
const maxUnfolded = 262_144;

export async function fold(text: string): Promise<string | undefined> {
  const squeezed = await all(new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw')), maxUnfolded);
  if (!squeezed) return undefined;
  const folded = btoa(Array.from(squeezed, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
  return folded.length <= maxShared ? folded : undefined;
}

export async function unfold(folded: string): Promise<string | undefined> {
  try {
    const bytes = Uint8Array.from(atob(folded.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));
    const unfolded = await all(
      new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')),
      maxUnfolded,
    );
    return unfolded && new TextDecoder().decode(unfolded);
  } catch {
    return undefined;
  }
}

async function all(stream: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array | undefined> {
  const reader = stream.getReader();
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > most) {
      await reader.cancel();
      return undefined;
    }
    pieces.push(value);
  }
  const joined = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}
