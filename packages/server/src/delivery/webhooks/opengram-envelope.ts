/** Our events in the envelope of Opengram: chats, messages and requests. */
import {
  type EphemeralEvent,
  type EventType,
  type FreeObject,
  type Interaction,
  jsonEqual,
  type LogEvent,
  type Message,
  type Thread,
} from '@holdpoint/protocol';
import { toResolution } from '../../dialects/chat-requests/answer-codec.ts';
import {
  isWordless,
  kindOf,
  primaryUser,
  senderOf,
  textOf,
  traceOf,
} from '../../dialects/chat-requests/message-codec.ts';
import { requestType } from '../../dialects/chat-requests/question-codec.ts';
import { isResolution } from '../../dialects/chat-requests/request-codec.ts';

export interface Envelope {
  id: string;
  type: EnvelopeType;
  timestamp: string;
  payload: FreeObject;
}

type EnvelopeType =
  | `chat.${'created' | 'updated' | 'archived' | 'unarchived' | 'read' | 'unread' | 'typing' | 'user_typing'}`
  | `message.${'created' | 'streaming.chunk' | 'streaming.complete'}`
  | `request.${'created' | 'resolved' | 'cancelled'}`
  | 'media.attached';

/** The other events have no counterpart. */
export const envelopeEventTypes: readonly EventType[] = [
  'thread.created',
  'thread.updated',
  'message.created',
  'message.completed',
  'message.cancelled',
  'file.attached',
  'interaction.created',
  'interaction.answered',
  'interaction.declined',
  'interaction.cancelled',
  'interaction.expired',
];

/** Returns undefined if Opengram has no such event. */
export function toEnvelope(event: LogEvent, interaction?: Interaction): Envelope | undefined {
  const [type, payload] = contentOf(event, interaction) ?? [];
  return type && payload && { id: event.cursor, type, timestamp: event.at, payload };
}

/** Ephemeral events. Their id is unique and not a cursor. Presence has no counterpart. */
export function toEphemeralEnvelope({ type, threadId: chatId, at, actor, data }: EphemeralEvent): Envelope | undefined {
  if (type === 'interaction.viewing') return undefined;
  const envelope = { id: crypto.randomUUID(), timestamp: at };
  if (type === 'message.delta') {
    const payload = { chatId, messageId: data.messageId, deltaText: data.text };
    return { ...envelope, type: 'message.streaming.chunk', payload };
  }
  return actor.type === 'agent'
    ? { ...envelope, type: 'chat.typing', payload: { chatId, agentId: actor.id } }
    : { ...envelope, type: 'chat.user_typing', payload: { chatId, senderId: primaryUser } };
}

function contentOf(event: LogEvent, interaction?: Interaction): [EnvelopeType, FreeObject] | undefined {
  const { type, threadId: chatId, data } = event;
  if (type === 'thread.created') return ['chat.created', { chatId, title: data.thread.title ?? null }];
  if (type === 'thread.updated') return [changeType(data.thread, data.was), { chatId }];
  if (type === 'message.created') return ['message.created', messagePayload(chatId, data.message)];
  if (type === 'message.completed' || type === 'message.cancelled') {
    const { id: messageId, role, state: streamState = 'complete' } = data.message;
    return ['message.streaming.complete', { chatId, messageId, role, streamState, finalText: textOf(data.message) }];
  }
  if (type === 'file.attached') {
    const { id: mediaId, messageId = null } = data.file;
    return ['media.attached', { chatId, mediaId, messageId, kind: kindOf(data.file) }];
  }
  if (!interaction) return undefined;
  const { id: requestId, title, trace = null } = interaction;
  const request = { chatId, requestId, type: requestType(interaction), title };
  // Opengram documents one name for its stream and the other for its webhooks, so both are sent.
  const ended = (status: 'resolved' | 'cancelled', payload: FreeObject | null): [EnvelopeType, FreeObject] => [
    `request.${status}`,
    { ...request, status, resolutionPayload: payload, resolution_payload: payload, trace },
  ];
  if (type === 'interaction.created') return ['request.created', request];
  if (type === 'interaction.answered' || (type === 'interaction.declined' && isResolution(data.answer)))
    return ended('resolved', toResolution(interaction, data.answer));
  // Opengram has no other end of a request.
  return envelopeEventTypes.includes(type) ? ended('cancelled', null) : undefined;
}

/** Opengram has separate events for archiving and reading. Other changes of the same update are not reported. */
function changeType({ archivedAt, metadata }: Thread, was: Partial<Record<keyof Thread, unknown>>): EnvelopeType {
  if (was.archivedAt !== undefined) return archivedAt === undefined ? 'chat.unarchived' : 'chat.archived';
  const [now, before] = [readingOf(metadata), readingOf(was.metadata)];
  const isOnlyReading = was.title === undefined && jsonEqual(now.rest, before.rest);
  if (!isOnlyReading || now.lastReadAt === before.lastReadAt) return 'chat.updated';
  return typeof now.lastReadAt === 'string' ? 'chat.read' : 'chat.unread';
}

/** Splits the metadata of a thread into the time of reading and the rest. */
function readingOf(metadata: unknown): { lastReadAt: unknown; rest: unknown } {
  const { chat = {}, ...others } = (metadata ?? {}) as FreeObject;
  if (typeof chat !== 'object' || chat === null) return { lastReadAt: undefined, rest: metadata };
  const { lastReadAt, lastReadId: _id, ...facts } = chat as FreeObject;
  return { lastReadAt, rest: { ...others, chat: facts } };
}

function messagePayload(chatId: string, message: Message): FreeObject {
  const { id: messageId, role, state, at } = message;
  const content = textOf(message);
  const isStreaming = state === 'streaming';
  return {
    ...{ chatId, messageId, role, senderId: senderOf(message), content },
    streamState: isStreaming ? 'streaming' : 'complete',
    contentFinal: isStreaming || isWordless(message) ? null : content,
    createdAt: at,
    trace: traceOf(message),
  };
}
