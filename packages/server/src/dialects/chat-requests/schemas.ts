/** The bodies and queries that a codec reads. Those that only a route reads are beside it. Unknown properties are ignored. */
import { FreeObjectSchema, limits, MessageSchema } from '@holdpoint/protocol';
import { type Static, type TSchema, Type } from 'typebox';

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
export const Id = Type.String({ minLength: 1, maxLength: limits.idLength });
export const Text = Type.String({ maxLength: limits.messageLength });
const Tags = Type.Array(Type.String({ maxLength: limits.labelLength }), { maxItems: 100 });
const Title = Type.String({ maxLength: limits.titleLength });

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

export const CreateMessageSchema = Type.Object({
  role: MessageSchema.properties.role,
  senderId: Id,
  content: Type.Optional(nullable(Text)),
  streaming: Type.Optional(Type.Boolean()),
  modelId: Type.Optional(nullable(Id)),
  trace: Type.Optional(nullable(FreeObjectSchema)),
});

export type CreateChat = Static<typeof CreateChatSchema>;
export type UpdateChat = Static<typeof UpdateChatSchema>;
export type CreateMessage = Static<typeof CreateMessageSchema>;

/** Optional, and null is nothing. */
export const orNothing = <T extends TSchema>(schema: T) => Type.Optional(nullable(schema));

const requestTypes = ['choice', 'text_input', 'form'] as const;
const RequestTypeSchema = Type.Enum([...requestTypes]);

const RequestTitle = Type.String({ minLength: 1, maxLength: limits.titleLength });
const Body = Type.String({ maxLength: limits.bodyLength });
const SubmitLabel = Type.Optional(Type.String({ maxLength: limits.labelLength }));
const Fields = Type.Array(Type.Unknown(), { maxItems: limits.fields });

/** Other properties are stored in the original and ignored. */
export const configSchemas = {
  choice: Type.Object({
    options: Type.Array(Type.Object({ id: Type.String(), label: Type.String() }), {
      minItems: 1,
      maxItems: limits.optionsPerField,
    }),
    minSelections: orNothing(Type.Integer({ minimum: 0 })),
    maxSelections: orNothing(Type.Integer({ minimum: 1 })),
    fields: Type.Optional(Fields),
    submitLabel: SubmitLabel,
  }),
  text_input: Type.Object({
    placeholder: orNothing(Type.String({ maxLength: limits.labelLength })),
    validation: orNothing(
      Type.Object({
        minLength: orNothing(Type.Integer({ minimum: 0 })),
        maxLength: orNothing(Type.Integer({ minimum: 1 })),
        pattern: orNothing(Type.String()),
      }),
    ),
    submitLabel: SubmitLabel,
  }),
  form: Type.Object({
    fields: Fields,
    submitLabel: SubmitLabel,
    payloadSchema: Type.Optional(FreeObjectSchema),
  }),
};

export const CreateRequestSchema = Type.Object({
  type: RequestTypeSchema,
  title: RequestTitle,
  body: orNothing(Body),
  config: FreeObjectSchema,
  trace: orNothing(FreeObjectSchema),
  expiresAt: orNothing(Type.String({ maxLength: 40 })),
});

export const UpdateRequestSchema = Type.Object(
  {
    title: Type.Optional(RequestTitle),
    body: orNothing(Body),
    config: Type.Optional(FreeObjectSchema),
    trace: orNothing(FreeObjectSchema),
  },
  { additionalProperties: false, minProperties: 1 },
);

/** The payload of each type; `values` of a choice are the arguments of an approval. */
export const payloadSchemas = {
  choice: Type.Object({
    selectedOptionIds: Type.Array(Type.String()),
    values: Type.Optional(FreeObjectSchema),
    payload: Type.Optional(Type.Unknown()),
  }),
  text_input: Type.Object({ text: Type.String() }),
  form: Type.Object({ values: FreeObjectSchema, payload: Type.Optional(Type.Unknown()) }),
};

export type RequestType = (typeof requestTypes)[number];
export type RequestStatus = 'pending' | 'resolved' | 'cancelled';
export type Config<T extends RequestType> = Static<(typeof configSchemas)[T]>;
export type CreateRequest = Static<typeof CreateRequestSchema>;
export type UpdateRequest = Static<typeof UpdateRequestSchema>;

export const MediaKindSchema = Type.Enum(['image', 'audio', 'file']);
export type MediaKind = Static<typeof MediaKindSchema>;

export const Archived = Type.Optional(Type.Enum(['true', 'false']));

export const ChatsQuery = Type.Object({
  cursor: Type.Optional(Type.String({ maxLength: limits.idLength })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
  archived: Archived,
  tag: Type.Optional(Type.String()),
  agentId: Type.Optional(Type.String()),
  query: Type.Optional(Type.String()),
});

export type ChatFilter = Omit<Static<typeof ChatsQuery>, 'cursor' | 'limit'>;
