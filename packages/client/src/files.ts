/** The verbs that carry bytes, piece by piece. */
import type { AttachFile, FileRef, HoldpointService, StoredFile } from '@holdpoint/protocol';
import { BlobContent, piecesOf } from './blob-content.ts';
import { queryOf, toRequest } from './request.ts';
import { retried } from './retried.ts';
import type { Send } from './send.ts';
import { verbRoutes } from './verb-routes.ts';

type FileVerbs = Pick<HoldpointService, 'uploadFile' | 'attachFile' | 'openFile'>;

export function fileVerbs(
  send: Send,
  forMs: number,
  getFile: (input: { fileId: string }) => Promise<StoredFile>,
): FileVerbs {
  async function sendContent(
    { method, path }: { method: string; path: string },
    { mime = 'application/octet-stream', content }: Pick<AttachFile, 'mime' | 'content'>,
  ): Promise<unknown> {
    const request = { method, path, headers: { 'content-type': mime } };
    // Browsers send no stream over HTTP/1.1; a Blob has its length, too, and can be sent again.
    const response = await (content instanceof BlobContent
      ? retried(() => send({ ...request, body: content.blob }), forMs, false)
      : // A body that is sent while the answer is not there yet.
        send({ ...request, body: toStream(content), duplex: 'half' }));
    return response.json();
  }

  return {
    async uploadFile({ interactionId, field, name, ...sent }) {
      const { method, path } = toRequest(verbRoutes.uploadFile, { interactionId });
      return (await sendContent({ method, path: path + queryOf({ field, name }) }, sent)) as FileRef;
    },
    async attachFile({ threadId, messageId, name, ...sent }) {
      const { method, path } = toRequest(verbRoutes.attachFile, { threadId });
      return (await sendContent({ method, path: path + queryOf({ messageId, name }) }, sent)) as StoredFile;
    },
    async openFile({ fileId, from = 0, to }) {
      const isPart = from > 0 || to !== undefined;
      const headers: Record<string, string> = isPart
        ? { range: `bytes=${from}-${to === undefined ? '' : to - 1}` }
        : {};
      // One after the other: bytes of a file that is refused would be left unread.
      const file = await getFile({ fileId });
      const { body } = await send({ ...toRequest(verbRoutes.openFile, { fileId }), headers });
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
