/** The calls about media: files attached to a thread. */
import { Buffer } from 'node:buffer';
import { checkShape, defined, fail, type StoredFile } from '@holdpoint/protocol';
import { type Static, Type } from 'typebox';
import type { SentFile } from '../../routes/route.ts';
import { gatherPage } from '../gather-page.ts';
import { refuse, refuseProblems } from '../pointers.ts';
import { Cursor, inList, lenientRoute, toList } from './lenient-routes.ts';
import { kindOf, toMedia } from './message-codec.ts';
import { Id, type MediaKind, MediaKindSchema } from './schemas.ts';

const ofChat = '/api/v1/chats/:chatId/media';
const path = '/api/v1/media/:mediaId';

const MediaQuery = Type.Object({
  kind: Type.Optional(MediaKindSchema),
  messageId: Type.Optional(Id),
  cursor: Cursor,
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
});

/** The body of an upload as JSON. */
const JsonUploadSchema = Type.Object({
  fileName: Type.String({ minLength: 1 }),
  contentType: Type.String({ minLength: 1 }),
  base64Data: Type.String({ minLength: 1 }),
  kind: Type.Optional(MediaKindSchema),
  messageId: Type.Optional(Type.String({ minLength: 1 })),
});
type JsonUpload = Static<typeof JsonUploadSchema>;

/** Sends the bytes of a medium. Files for which `isGiven` is false are not found. */
const download = (
  path: '/api/v1/files/:mediaId' | '/api/v1/files/:mediaId/thumbnail',
  summary: string,
  isGiven: (file: StoredFile) => boolean = () => true,
) =>
  lenientRoute('GET', path, {
    summary,
    givesFile: true,
    handle: async (service, { params: { mediaId: fileId }, range }) => {
      if (!isGiven(await service.getFile({ fileId }))) fail('file-not-found', `There is no file ${fileId}.`);
      return service.openFile({ fileId, ...range });
    },
  });

export const mediaRoutes = [
  download('/api/v1/files/:mediaId', 'Read a medium'),
  // An image is its own thumbnail: the server does not decode it.
  download('/api/v1/files/:mediaId/thumbnail', 'Read the thumbnail of an image', (file) => kindOf(file) === 'image'),
  lenientRoute('POST', ofChat, {
    summary: 'Upload a medium to a chat',
    takesFile: 'or-json',
    isRemembered: false,
    status: 201,
    handle: async (service, { params, body }) => {
      const sent = isSentFile(body) ? body : fromJson(body);
      const { name, mime, announcedBytes, content, fields = new Map<string, string>() } = sent;
      const file = await service.attachFile({
        threadId: params.chatId,
        name,
        ...defined({ mime, announcedBytes }),
        content: notEmpty(content, () => checkKind(fields.get('kind'))),
        // In a form this may come after the file.
        get messageId() {
          return fields.get('messageId');
        },
      });
      return toMedia(file);
    },
  }),
  lenientRoute('GET', ofChat, {
    summary: 'List the media of a chat, the newest first',
    query: MediaQuery,
    handle: (service, { params: { chatId: threadId }, query: { kind, messageId, cursor, limit = 50 } }) =>
      inList(async () => {
        const isWanted = (file: StoredFile) =>
          (kind === undefined || kindOf(file) === kind) && (messageId === undefined || file.messageId === messageId);
        const read = (from: object) => service.listFiles({ threadId, ...from });
        const { data, next } = await gatherPage(read, isWanted, { limit, cursor });
        return toList(data.map(toMedia), next);
      }),
  }),
  lenientRoute('GET', path, {
    summary: 'Get the record of a medium',
    handle: async (service, { params }) => toMedia(await service.getFile({ fileId: params.mediaId })),
  }),
  lenientRoute('DELETE', path, {
    summary: 'Delete a medium that no message has',
    handle: async (service, { params: { mediaId: fileId } }) => {
      const { messageId } = await service.getFile({ fileId });
      if (messageId !== undefined)
        fail('version-conflict', 'Cannot delete media that is attached to a message.', { current: { id: fileId } });
      return toMedia(await service.deleteFile({ fileId }));
    },
  }),
];

const isSentFile = (body: object): body is SentFile =>
  typeof (body as Partial<SentFile>).content?.[Symbol.asyncIterator] === 'function';

function fromJson(body: object): SentFile {
  refuseProblems(checkShape(JsonUploadSchema, body));
  const { fileName: name, contentType: mime, base64Data, kind, messageId } = body as JsonUpload;
  const bytes = Buffer.from(base64Data, 'base64');
  return {
    ...{ name, mime, announcedBytes: bytes.length, content: once(bytes) },
    fields: new Map(Object.entries(defined({ kind, messageId }))),
  };
}

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}

async function* notEmpty(content: AsyncIterable<Uint8Array>, checked: () => void): AsyncIterable<Uint8Array> {
  let size = 0;
  for await (const piece of content) {
    size += piece.byteLength;
    yield piece;
  }
  if (size === 0) refuse('/file', 'min-length', 'file cannot be empty.');
  checked();
}

/** The content decides the kind, but an unknown kind is still rejected. */
function checkKind(kind: string | undefined): void {
  if (kind === undefined || MediaKindSchema.enum.includes(kind as MediaKind)) return;
  refuse('/kind', 'value', 'kind must be image, audio, or file.');
}
