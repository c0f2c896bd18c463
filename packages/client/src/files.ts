/** The verbs that carry bytes, piece by piece. */
import {
  type AttachFile,
  type HoldpointService,
  type StoredFile,
  type VerbAddress,
  verbTable,
} from '@holdpoint/protocol';
import { BlobContent, piecesOf } from './blob-content.ts';
import { toRequest } from './request.ts';
import { retried } from './retried.ts';
import type { Send } from './send.ts';

type SentContent = Pick<AttachFile, 'mime' | 'announcedBytes' | 'content'>;
type FileVerbs = Pick<HoldpointService, 'uploadFile' | 'attachFile' | 'openFile'>;

export function fileVerbs(
  send: Send,
  forMs: number,
  getFile: (input: { fileId: string }) => Promise<StoredFile>,
): FileVerbs {
  const sending =
    <Input extends SentContent, Output>(route: VerbAddress) =>
    async ({ content, mime = 'application/octet-stream', announcedBytes: _, ...input }: Input): Promise<Output> => {
      // The body is the content. As with a GET, the rest of the input is in the address.
      const { path } = toRequest({ ...route, method: 'GET' }, input);
      const request = { method: route.method, path, headers: { 'content-type': mime } };
      // Browsers send no stream over HTTP/1.1; a Blob has its length, too, and can be sent again.
      const response = await (content instanceof BlobContent
        ? retried(() => send({ ...request, body: content.blob }), forMs, false)
        : // A body that is sent while the answer is not there yet.
          send({ ...request, body: toStream(content), duplex: 'half' }));
      return response.json() as Promise<Output>;
    };

  return {
    uploadFile: sending(verbTable.uploadFile),
    attachFile: sending(verbTable.attachFile),
    async openFile({ fileId, from = 0, to }) {
      const isPart = from > 0 || to !== undefined;
      const headers: Record<string, string> = isPart
        ? { range: `bytes=${from}-${to === undefined ? '' : to - 1}` }
        : {};
      // One after the other: bytes of a file that is refused would be left unread.
      const file = await getFile({ fileId });
      const { body } = await send({ ...toRequest(verbTable.openFile, { fileId }), headers });
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
