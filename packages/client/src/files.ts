/** The verbs that carry bytes, piece by piece. */
import { type AttachFile, type HoldpointService, type VerbAddress, verbTable } from '@holdpoint/protocol';
import { retried } from './failures.ts';
import { type Send, toRequest } from './request.ts';

type FileVerbs = Pick<HoldpointService, 'uploadFile' | 'attachFile' | 'openFile'>;

export function fileVerbs(send: Send, forMs: number, getFile: HoldpointService['getFile']): FileVerbs {
  const sending =
    <Input extends Pick<AttachFile, 'mime' | 'announcedBytes' | 'content'>, Output>(route: VerbAddress) =>
    async ({ content, mime = 'application/octet-stream', announcedBytes: _, ...input }: Input): Promise<Output> => {
      // The body is the content. As with a GET, the rest of the input is in the address.
      const { path } = toRequest({ ...route, method: 'GET' }, input);
      const request = { method: route.method, path, headers: { 'content-type': mime } };
      // Browsers send no stream over HTTP/1.1. A Blob also has a length, and can be sent again.
      const response = await (content instanceof BlobContent
        ? retried(() => send({ ...request, body: content.blob }), forMs, false)
        : send({ ...request, body: toStream(content), duplex: 'half' }));
      return response.json() as Promise<Output>;
    };

  return {
    uploadFile: sending(verbTable.uploadFile),
    attachFile: sending(verbTable.attachFile),
    async openFile({ fileId, from = 0, to }) {
      const range = `bytes=${from}-${to === undefined ? '' : to - 1}`;
      // Not at the same time, because the bytes of a refused file would be left unread.
      const file = await getFile({ fileId });
      const { body } = await send({
        ...toRequest(verbTable.openFile, { fileId }),
        headers: range === 'bytes=0-' ? {} : { range },
      });
      return { file, content: piecesOf(body ?? new Blob([]).stream()) };
    },
  };
}

function toStream(content: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const pieces = content[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await pieces.return?.();
    },
  });
}

/** The bytes of a Blob piece by piece, and the Blob itself for a transport that can send it whole. */
export class BlobContent implements AsyncIterable<Uint8Array> {
  readonly blob: Blob;

  constructor(blob: Blob) {
    this.blob = blob;
  }

  [Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    return piecesOf(this.blob.stream());
  }
}

/** Reads a stream, because not every browser can iterate over one. Gives up a stream that is silent for `silentMs`. */
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
