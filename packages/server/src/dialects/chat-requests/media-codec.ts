/** A file of a thread as a medium there. */
import { type FileRef, fail, type Problem, type StoredFile } from '@holdpoint/protocol';
import { type Static, Type } from 'typebox';

const nullable = Type.Union([Type.String(), Type.Null()]);

export const MediaKindSchema = Type.Enum(['image', 'audio', 'file']);
export type MediaKind = Static<typeof MediaKindSchema>;

export const MediaSchema = Type.Object({
  id: Type.String(),
  chat_id: Type.String(),
  message_id: nullable,
  storage_path: Type.String({ description: 'Where it is downloaded.' }),
  thumbnail_path: nullable,
  filename: Type.String(),
  content_type: Type.String(),
  byte_size: Type.Integer(),
  kind: MediaKindSchema,
  created_at: Type.String({ format: 'date-time' }),
});

/** The body of an upload as JSON. */
export const JsonUploadSchema = Type.Object({
  fileName: Type.String({ minLength: 1 }),
  contentType: Type.String({ minLength: 1 }),
  base64Data: Type.String({ minLength: 1 }),
  kind: Type.Optional(MediaKindSchema),
  messageId: Type.Optional(Type.String({ minLength: 1 })),
});
export type JsonUpload = Static<typeof JsonUploadSchema>;

export function kindOf({ mime }: Pick<FileRef, 'mime'>): MediaKind {
  if (mime.startsWith('image/')) return 'image';
  return mime.startsWith('audio/') ? 'audio' : 'file';
}

export function toMedia(file: StoredFile): Static<typeof MediaSchema> {
  const { id, threadId, messageId, name, mime, size, at } = file;
  const kind = kindOf(file);
  const path = `/api/v1/files/${id}`;
  return {
    ...{ id, chat_id: threadId, message_id: messageId ?? null },
    ...{ storage_path: path, thumbnail_path: kind === 'image' ? `${path}/thumbnail` : null },
    ...{ filename: name, content_type: mime, byte_size: size, kind, created_at: at },
  };
}

export const refuse = (problem: Problem): never => fail('invalid-input', problem.message, { problems: [problem] });

/** The media that the trace of a message names. */
export function mediaIdsIn(trace: Record<string, unknown> | null | undefined): string[] {
  const { mediaIds, mediaId } = trace ?? {};
  const isId = (id: unknown): id is string => typeof id === 'string' && id.trim() !== '';
  if (mediaIds !== undefined) {
    if (Array.isArray(mediaIds) && mediaIds.every(isId)) return [...new Set(mediaIds)];
    return refuse({ pointer: '/trace/mediaIds', code: 'type', message: 'Give a list of the ids of media.' });
  }
  if (mediaId === undefined) return [];
  if (isId(mediaId)) return [mediaId];
  return refuse({ pointer: '/trace/mediaId', code: 'type', message: 'Give the id of a medium.' });
}

/** What stands for a message without words in the list of chats. */
export const previewOf = (files: readonly FileRef[]): string =>
  files.every((file) => kindOf(file) === 'audio') ? 'Voice note' : 'Attachment';
