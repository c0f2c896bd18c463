/** The shapes that pages send: bodies and queries. */
import {
  FreeObjectSchema,
  type HoldpointService,
  limits,
  OpenSessionSchema,
  RecordTelemetrySchema,
} from '@holdpoint/protocol';
import { type Static, Type } from 'typebox';

/** The default time to wait for the end of a turn. A client that gets `running` polls. */
export const turnMs = 25_000;

export const textLength = 4_000;

const strict = { additionalProperties: false };
const Id = Type.String({ minLength: 1, maxLength: limits.idLength });

export const OpenBodySchema = Type.Object(
  { publicKey: Type.String({ minLength: 1, maxLength: limits.idLength }), ...OpenSessionSchema.properties },
  strict,
);

/** Either a text, or waitToken, executionId and values. One schema for both, so that an error names the missing property. */
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
  strict,
);

type MessageBody = Static<typeof MessageBodySchema>;
export type Trigger = MessageBody & { text: string };
export type Resume = Required<Pick<MessageBody, 'waitToken' | 'executionId' | 'values'>>;

export const MessageQuery = Type.Object(
  { waitMs: Type.Optional(Type.Integer({ minimum: 0, maximum: turnMs })) },
  strict,
);

export const HistoryQuery = Type.Object(
  {
    cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.pageSize })),
  },
  strict,
);

export const UploadQuery = Type.Object(
  { executionId: Id, field: Type.String({ minLength: 1, maxLength: limits.nameLength }) },
  strict,
);

const { name, props, id } = RecordTelemetrySchema.properties;
export const TelemetrySchema = Type.Object(
  {
    name,
    props,
    id,
    /** RFC 3339, or milliseconds since 1970. */
    timestamp: Type.Optional(Type.Union([Type.String(), Type.Integer({ minimum: 0, maximum: 253_402_300_799_999 })])),
  },
  strict,
);

export type Telemetry = Static<typeof TelemetrySchema>;

const batchSize = 50;
export const TelemetryBatchSchema = Type.Object(
  { events: Type.Array(TelemetrySchema, { minItems: 1, maxItems: batchSize }) },
  strict,
);

/** The thread of a visitor, and the verbs with the rights of the visitor. */
export interface Session {
  service: HoldpointService;
  threadId: string;
  responderId: string;
}
