/** What chats and messages look like there. */
import { ActorSchema, FreeObjectSchema, limits, MessageSchema } from '@holdpoint/protocol';
import { type Static, type TSchema, Type } from 'typebox';

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const Time = nullable(Type.String({ format: 'date-time' }));
const Id = Type.String({ minLength: 1, maxLength: limits.idLength });
const Text = Type.String({ maxLength: limits.messageLength });
const Tags = Type.Array(Type.String({ maxLength: limits.labelLength }), { maxItems: 100 });
const Title = Type.String({ maxLength: limits.titleLength });
const { role } = MessageSchema.properties;

export const CreateChatSchema = Type.Object({
  agentIds: Type.Array(Id, { minItems: 1, maxItems: 100 }),
  modelId: Type.Optional(nullable(Id)),
  title: Type.Optional(Title),
  tags: Type.Optional(Tags),
  firstMessage: Type.Optional(Text),
});

export const UpdateChatSchema = Type.Object({
  title: Type.Optional(Title),
  titleAutoRenamed: Type.Optional(Type.Boolean()),
  tags: Type.Optional(Tags),
  pinned: Type.Optional(Type.Boolean()),
  modelId: Type.Optional(Id),
  notificationsMuted: Type.Optional(Type.Boolean()),
});

export const TypingSchema = Type.Object({ agentId: ActorSchema.properties.id });

export const ChatSchema = Type.Object({
  id: Type.String(),
  is_archived: Type.Boolean(),
  title: Type.String(),
  title_source: Type.Enum(['default', 'auto', 'manual']),
  tags: Type.Array(Type.String()),
  pinned: Type.Boolean(),
  agent_ids: Type.Array(Type.String()),
  model_id: nullable(Type.String()),
  last_message_preview: nullable(Type.String()),
  last_message_role: nullable(Type.String()),
  pending_requests_count: Type.Number(),
  last_read_at: Time,
  unread_count: Type.Number(),
  notifications_muted: Type.Boolean(),
  created_at: Time,
  updated_at: Time,
  last_message_at: Time,
});

export const CreateMessageSchema = Type.Object({
  role,
  senderId: Id,
  content: Type.Optional(nullable(Text)),
  streaming: Type.Optional(Type.Boolean()),
  modelId: Type.Optional(nullable(Id)),
  trace: Type.Optional(nullable(FreeObjectSchema)),
});

export const ChunkSchema = Type.Object({
  deltaText: Type.String({ minLength: 1, maxLength: limits.messageLength }),
});

export const CompleteMessageSchema = Type.Object({ finalText: Type.Optional(Text) });

export const ShownMessageSchema = Type.Object({
  id: Type.String(),
  chat_id: Type.String(),
  role,
  sender_id: Type.String(),
  created_at: Time,
  updated_at: Time,
  content_final: nullable(Type.String()),
  content_partial: nullable(Type.String()),
  stream_state: Type.Enum(['none', 'streaming', 'complete', 'cancelled']),
  model_id: nullable(Type.String()),
  trace: nullable(FreeObjectSchema),
});

/** A page there; `next` is null on the last. */
export const listOf = (item: TSchema) =>
  Type.Object({
    data: Type.Array(item),
    cursor: Type.Object({ next: nullable(Type.String()), hasMore: Type.Boolean() }),
  });

export const toList = <T>(data: T[], next: string | undefined) => ({
  data,
  cursor: { next: next ?? null, hasMore: next !== undefined },
});

export type CreateChat = Static<typeof CreateChatSchema>;
export type UpdateChat = Static<typeof UpdateChatSchema>;
export type Chat = Static<typeof ChatSchema>;
export type CreateMessage = Static<typeof CreateMessageSchema>;
export type ShownMessage = Static<typeof ShownMessageSchema>;
