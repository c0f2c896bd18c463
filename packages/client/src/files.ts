/** The two verbs that carry bytes, piece by piece. */
import type { FileRef, HoldpointService, StoredFile } from '@holdpoint/protocol';
import type { Send } from './request.ts';
import { verbRoutes } from './verb-routes.ts';

type FileVerbs = Pick<HoldpointService, 'uploadFile' | 'openFile'>;

const pathOf = (verb: keyof FileVerbs, name: string, id: string) =>
  (verbRoutes[verb].paths[0] ?? '').replace(`:${name}`, encodeURIComponent(id));

export function fileVerbs(send: Send, getFile: (input: { fileId: string }) => Promise<StoredFile>): FileVerbs {
  return {
    async uploadFile({ interactionId, field, name, mime = 'application/octet-stream', content }) {
      const response = await send({
        method: 'POST',
        path: `${pathOf('uploadFile', 'interactionId', interactionId)}?${new URLSearchParams({ field, name })}`,
        headers: { 'content-type': mime },
        body: toStream(content),
        // A body that is sent while the answer is not there yet.
        duplex: 'half',
      });
      return (await response.json()) as FileRef;
    },
    async openFile({ fileId, from = 0, to }) {
      const range = { range: `bytes=${from}-${to === undefined ? '' : to - 1}` };
      const isPart = from > 0 || to !== undefined;
      const [file, { body }] = await Promise.all([
        getFile({ fileId }),
        send({ method: 'GET', path: pathOf('openFile', 'fileId', fileId), headers: isPart ? range : {} }),
      ]);
      return { file, content: body ? piecesOf(body) : piecesOf(new Blob([]).stream()) };
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

/** Not every browser can iterate over a stream. */
async function* piecesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}
