/** Translates messages and media between Opengram and threads. */
import {
  defined,
  type FileRef,
  type FreeObject,
  type Message,
  type PostMessage,
  type StoredFile,
} from '@holdpoint/protocol';
import { refuse } from '../pointers.ts';
import type { CreateMessage, MediaKind } from './schemas.ts';

export const primaryUser = 'user:primary';

interface MessageFacts {
  senderId?: string;
  modelId?: string | null;
  trace?: FreeObject | null;
  /** The message has only media. Its native text is their names. */
  isWordless?: true;
}

export function toMessage(
  { role, senderId, content, streaming, modelId, trace }: CreateMessage,
  media: readonly StoredFile[] = [],
): PostMessage {
  const text = content?.trim();
  if (streaming && role !== 'agent')
    refuse('/streaming', 'not-allowed', 'Only messages of role agent can be streamed.');
  if (streaming && text)
    refuse('/content', 'one-of', 'A streamed message begins without content. Send the content in chunks.');
  const isWordless = !streaming && !text;
  if (isWordless && media.length === 0)
    refuse('/content', 'required', 'Content is required, unless streaming is true or trace.mediaIds names media.');
  const names = media.map(({ name }) => name).join('\n');
  const facts: MessageFacts = {
    senderId,
    ...defined({ modelId: modelId || undefined, trace: trace || undefined, isWordless: isWordless || undefined }),
  };
  return {
    role,
    ...(isWordless ? { text: names } : text ? { text } : {}),
    ...(streaming ? { streaming } : media.length > 0 ? { files: media.map(({ id }) => id) } : {}),
    metadata: { chat: facts },
  };
}

/**
 * A message has the model of its chat; its own counts only where the chat has none. The model of the chat is not kept with it,
 * so that the repeat of an earlier version's call is the same call.
 */
export function toShownMessage(message: Message, chat: { modelId: string | null }) {
  const { id, threadId, role, state, at, updatedAt } = message;
  const { modelId, trace } = factsOf(message);
  const text = textOf(message);
  // The text of a cancelled message stays partial.
  const partial = text === '' ? null : text;
  return {
    id,
    chat_id: threadId,
    role,
    sender_id: senderOf(message),
    created_at: at,
    updated_at: updatedAt ?? at,
    content_final: state === undefined && !isWordless(message) ? text : null,
    content_partial: state === undefined ? null : partial,
    stream_state: state ?? 'complete',
    model_id: chat.modelId ?? modelId ?? null,
    trace: trace ?? null,
  };
}

export const isWordless = (message: Message): boolean => factsOf(message).isWordless === true;

export function textOf(message: Message): string {
  if (isWordless(message)) return '';
  return message.blocks.flatMap(({ payload }) => (typeof payload.text === 'string' ? [payload.text] : [])).join('\n\n');
}

export const traceOf = (message: Message): FreeObject | null => factsOf(message).trace ?? null;

/** Opengram has one user, one system and one tool. Only agents have names. */
export function senderOf(message: Message): string {
  const { role, by } = message;
  const standIns = { user: primaryUser, agent: by.id, system: 'system', tool: 'tool' };
  const chosen = by.type === 'human' ? undefined : factsOf(message).senderId;
  return chosen ?? standIns[role];
}

/** A message that was cancelled before its first text is not shown. */
export const isShown = (message: Message): boolean => message.state !== 'cancelled' || textOf(message) !== '';

/** Any caller may write metadata, so values of the wrong type are ignored. */
function factsOf({ metadata }: Message): MessageFacts {
  const { senderId, modelId, trace, isWordless } = (metadata?.chat ?? {}) as Record<keyof MessageFacts, unknown>;
  return defined({
    senderId: typeof senderId === 'string' ? senderId : undefined,
    modelId: typeof modelId === 'string' ? modelId : undefined,
    isWordless: isWordless === true ? isWordless : undefined,
    trace: typeof trace === 'object' && !Array.isArray(trace) ? (trace as FreeObject | null) : undefined,
  });
}

export function kindOf({ mime }: Pick<FileRef, 'mime'>): MediaKind {
  if (mime.startsWith('image/')) return 'image';
  return mime.startsWith('audio/') ? 'audio' : 'file';
}

export function toMedia(file: StoredFile) {
  const { id, threadId, messageId, name, mime, size, at } = file;
  const kind = kindOf(file);
  const path = `/api/v1/files/${id}`;
  return {
    ...{ id, chat_id: threadId, message_id: messageId ?? null },
    ...{ storage_path: path, thumbnail_path: kind === 'image' ? `${path}/thumbnail` : null },
    ...{ filename: name, content_type: mime, byte_size: size, kind, created_at: at },
  };
}

/** The media that the trace of a message names. */
export function mediaIdsIn(trace: Record<string, unknown> | null | undefined): string[] {
  const { mediaIds, mediaId } = trace ?? {};
  const isId = (id: unknown): id is string => typeof id === 'string' && id.trim() !== '';
  if (mediaIds !== undefined) {
    if (Array.isArray(mediaIds) && mediaIds.every(isId)) return [...new Set(mediaIds)];
    return refuse('/trace/mediaIds', 'type', 'Give a list of the ids of media.');
  }
  if (mediaId === undefined) return [];
  if (isId(mediaId)) return [mediaId];
  return refuse('/trace/mediaId', 'type', 'Give the id of a medium.');
}

/** The preview of a message without text. */
export const previewOf = (files: readonly FileRef[]): string =>
  files.every((file) => kindOf(file) === 'audio') ? 'Voice note' : 'Attachment';
