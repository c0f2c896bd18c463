/** The shapes of sessions, replies, history, uploads and telemetry. */
import {
  FileRefSchema,
  FreeObjectSchema,
  fail,
  limits,
  OpenSessionSchema,
  RecordTelemetrySchema,
  SessionSchema,
} from '@holdpoint/protocol';
import { Type } from 'typebox';
import { shownRoles } from './block-codec.ts';

/** The default time to wait for the end of a turn. A client that gets `running` polls. */
export const turnMs = 25_000;

export const textLength = 4_000;

const strict = { additionalProperties: false };
const Id = Type.String({ minLength: 1, maxLength: limits.idLength });
const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()]);

export const OpenBodySchema = Type.Object(
  { publicKey: Type.String({ minLength: 1, maxLength: limits.idLength }), ...OpenSessionSchema.properties },
  strict,
);

export const OpenedSchema = Type.Object({
  sessionToken: Type.String(),
  conversationId: Type.String(),
  expiresAt: Type.String(),
  widget: SessionSchema.properties.widget,
  intents: SessionSchema.properties.intents,
  quickQuestions: SessionSchema.properties.quickQuestions,
});

/** One schema for messages and resumes, so that an error names the missing property. */
export const MessageBodySchema = Type.Object(
  {
    text: Type.Optional(Type.String({ maxLength: textLength, pattern: '\\S' })),
    intentName: Type.Optional(Type.String({ minLength: 1, maxLength: limits.nameLength })),
    context: Type.Optional(FreeObjectSchema),
    variables: OpenSessionSchema.properties.variables,
    waitToken: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000 })),
    executionId: Type.Optional(Id),
    values: Type.Optional(FreeObjectSchema),
  },
  { ...strict, description: 'Either a text, or waitToken, executionId and values.' },
);

export const MessageQuery = Type.Object(
  {
    waitMs: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: turnMs,
        description: 'How long to wait for the turn to end; then the reply says that it is running.',
      }),
    ),
  },
  strict,
);

const BlockSchema = Type.Object({
  id: Type.String(),
  type: Type.String(),
  payload: FreeObjectSchema,
  meta: Type.Optional(FreeObjectSchema),
});

export const ReplySchema = Type.Object({
  reply: Type.Object({
    executionId: Type.String(),
    conversationId: Type.String(),
    status: Type.Enum(['running', 'waiting_input', 'waiting_time', 'completed', 'failed', 'aborted']),
    blocks: Type.Array(BlockSchema),
    expectedInput: orNull(Type.Object({ schema: FreeObjectSchema })),
    waitToken: orNull(Type.String()),
    waitExpiresAt: orNull(Type.String()),
  }),
});

export const HistoryQuery = Type.Object(
  {
    cursor: Type.Optional(
      Type.String({ minLength: 1, maxLength: 1_000, description: 'That of `next`, for older messages.' }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.pageSize })),
  },
  strict,
);

export const HistorySchema = Type.Object({
  conversationId: Type.String(),
  executionId: orNull(Type.String()),
  messages: Type.Array(
    Type.Object({
      id: Type.String(),
      role: Type.Enum([...shownRoles]),
      createdAt: Type.String(),
      blocks: Type.Array(BlockSchema),
    }),
  ),
  next: orNull(Type.String()),
});

export const ExecutionParams = Type.Object({ executionId: Id }, strict);

export const UploadQuery = Type.Object(
  { executionId: Id, field: Type.String({ minLength: 1, maxLength: limits.nameLength }) },
  strict,
);
export const UploadParams = Type.Object({ fileId: Id }, strict);
export const UploadedSchema = FileRefSchema;

const { name, props, id } = RecordTelemetrySchema.properties;
export const TelemetrySchema = Type.Object(
  {
    name,
    props,
    id,
    timestamp: Type.Optional(
      Type.Union([Type.String(), Type.Integer({ minimum: 0, maximum: 253_402_300_799_999 })], {
        description: 'RFC 3339, or milliseconds since 1970.',
      }),
    ),
  },
  strict,
);

const batchSize = 50;
export const TelemetryBatchSchema = Type.Object(
  { events: Type.Array(TelemetrySchema, { minItems: 1, maxItems: batchSize }) },
  strict,
);

export const RecordedSchema = Type.Object({ accepted: Type.Integer(), duplicates: Type.Integer() });

export interface SessionOf {
  threadId: string;
  responderId: string;
}

type Caller =
  | { kind: 'key' }
  | { kind: 'responder'; responderId: string; scope: { threadId: string; interactionId?: string } | { inbox: true } };

export function sessionOf(caller: Caller): SessionOf {
  if (caller.kind === 'responder' && 'threadId' in caller.scope && caller.scope.interactionId === undefined)
    return { threadId: caller.scope.threadId, responderId: caller.responderId };
  return fail('unauthenticated', 'Send the session token of POST /chat/sessions.');
}
