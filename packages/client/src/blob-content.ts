/** The bytes of a Blob, for who reads them piece by piece; and the Blob, for who can send it whole. */
export class BlobContent implements AsyncIterable<Uint8Array> {
  readonly blob: Blob;

  constructor(blob: Blob) {
    this.blob = blob;
  }

  [Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    return piecesOf(this.blob.stream());
  }
}

/** Not every browser can iterate over a stream. One that is silent for so long is given up. */
export async function* piecesOf(stream: ReadableStream<Uint8Array>, silentMs?: number): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  const leave = () => reader.cancel().catch(() => {});
  try {
    for (;;) {
      const silence = silentMs && setTimeout(leave, silentMs);
      const { done, value } = await reader.read().finally(() => clearTimeout(silence));
      if (done) return;
      yield value;
    }
  } finally {
    await leave();
  }
}
