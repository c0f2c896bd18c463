/** Paths and queries of its calls. There, what a call does not know is ignored; here too. */
import { limits } from '@holdpoint/protocol';
import { Type } from 'typebox';
import { MediaKindSchema } from './media-codec.ts';

const Id = Type.String({ minLength: 1, maxLength: limits.idLength });
const Cursor = Type.Optional(Type.String({ maxLength: limits.idLength }));

export const ChatParams = Type.Object({ chatId: Id });
export const MessageParams = Type.Object({ messageId: Id });
export const MediaParams = Type.Object({ mediaId: Id });
export const RequestParams = Type.Object({ requestId: Id });
export const BatchParams = Type.Object({ batchId: Id });

export const Anything = Type.Object({});
export const Nothing = Type.Null();
export const Ok = Type.Object({ ok: Type.Literal(true) });

const Archived = Type.Optional(Type.Enum(['true', 'false']));

export const ChatsQuery = Type.Object({
  cursor: Cursor,
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
  archived: Archived,
  tag: Type.Optional(Type.String()),
  agentId: Type.Optional(Type.String()),
  query: Type.Optional(Type.String()),
});

export const SummaryQuery = Type.Object({ archived: Archived });

export const MessagesQuery = Type.Object({
  cursor: Cursor,
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.pageSize, default: 50 })),
});

export const RequestsQuery = Type.Object({
  status: Type.Optional(Type.Enum(['pending', 'resolved', 'cancelled', 'all'])),
  cursor: Cursor,
});

export const MediaQuery = Type.Object({
  kind: Type.Optional(MediaKindSchema),
  messageId: Type.Optional(Id),
  cursor: Cursor,
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
});
