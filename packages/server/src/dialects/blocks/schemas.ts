/** The shapes that pages send: bodies and queries. */
import {
  FreeObjectSchema,
  type HoldpointService,
  limits,
  OpenSessionSchema,
  RecordTelemetrySchema,
  strictObject,
} from '@holdpoint/protocol';
import { type Static, Type } from 'typebox';

/** The default time to wait for the end of a turn. A client that gets `running` polls. */
export const turnMs = 25_000;

export const textLength = 4_000;

const Id = Type.String({ minLength: 1, maxLength: limits.idLength });

export const OpenBodySchema = strictObject({
  publicKey: Type.String({ minLength: 1, maxLength: limits.idLength }),
  ...OpenSessionSchema.properties,
});

/** Either a text, or waitToken, executionId and values. One schema for both, so that an error names the missing property. */
export const MessageBodySchema = strictObject({
  text: Type.Optional(Type.String({ maxLength: textLength, pattern: '\\S' })),
  intentName: Type.Optional(Type.String({ minLength: 1, maxLength: limits.nameLength })),
  context: Type.Optional(FreeObjectSchema),
  variables: OpenSessionSchema.properties.variables,
  waitToken: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000 })),
  executionId: Type.Optional(Id),
  values: Type.Optional(FreeObjectSchema),
});

type MessageBody = Static<typeof MessageBodySchema>;
export type Trigger = MessageBody & { text: string };
export type Resume = Required<Pick<MessageBody, 'waitToken' | 'executionId' | 'values'>>;

export const MessageQuery = strictObject({ waitMs: Type.Optional(Type.Integer({ minimum: 0, maximum: turnMs })) });

export const HistoryQuery = strictObject({
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.pageSize })),
});

export const UploadQuery = strictObject({
  executionId: Id,
  field: Type.String({ minLength: 1, maxLength: limits.nameLength }),
});

const { name, props, id } = RecordTelemetrySchema.properties;
export const TelemetrySchema = strictObject({
  name,
  props,
  id,
  /** RFC 3339, or milliseconds since 1970. */
  timestamp: Type.Optional(Type.Union([Type.String(), Type.Integer({ minimum: 0, maximum: 253_402_300_799_999 })])),
});

export type Telemetry = Static<typeof TelemetrySchema>;

const batchSize = 50;
export const TelemetryBatchSchema = strictObject({
  events: Type.Array(TelemetrySchema, { minItems: 1, maxItems: batchSize }),
});

/** The thread of a visitor, and the verbs with the rights of the visitor. */
export interface Session {
  service: HoldpointService;
  threadId: string;
  responderId: string;
}
