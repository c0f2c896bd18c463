/** The shapes of the Agent Service Spec: the resource, the commands and the published schema documents. */
import { FreeObjectSchema, KindSchema, limits, strictObject } from '@holdpoint/protocol';
import { type Static, Type } from 'typebox';
import enums from './schemas/common/enums.json' with { type: 'json' };
import identity from './schemas/common/identity.json' with { type: 'json' };
import interactionRequest from './schemas/resources/interaction-request.json' with { type: 'json' };
import messageRecord from './schemas/resources/message-record.json' with { type: 'json' };

const Metadata = Type.Optional(FreeObjectSchema);

/** Opaque in the spec. No control characters, because PostgreSQL does not store all of them. */
export const IdSchema = Type.String({
  minLength: 1,
  maxLength: limits.idLength,
  pattern: '^[^\\x00-\\x1f\\x7f]*$',
});

const Text = strictObject({ type: Type.Literal('text'), text: Type.String() });
export const BinarySchema = strictObject({
  type: Type.Literal('binary'),
  mimeType: Type.String(),
  id: Type.Optional(Type.String()),
  url: Type.Optional(Type.String()),
  data: Type.Optional(Type.String()),
  filename: Type.Optional(Type.String()),
});
const Data = strictObject({ type: Type.Literal('data'), data: Type.Unknown() });
const TaskContentSchema = Type.Union([Text, BinarySchema, Data]);

const PromptSchema = strictObject({
  title: Type.Optional(Type.String({ maxLength: limits.titleLength })),
  description: Type.Optional(Type.String({ maxLength: limits.bodyLength })),
  content: Type.Optional(Type.Array(TaskContentSchema, { maxItems: limits.blocks })),
  metadata: Metadata,
});

const OptionSchema = strictObject({
  id: Type.String({ minLength: 1, maxLength: limits.labelLength }),
  label: Type.String({ minLength: 1, maxLength: limits.labelLength }),
  kind: Type.Enum(['answer', 'allow_once', 'allow_always', 'reject_once', 'reject_always']),
  description: Type.Optional(Type.String({ maxLength: limits.descriptionLength })),
  metadata: Metadata,
});

const OriginSchema = strictObject({
  type: Type.Enum(['agent', 'tool', 'policy', 'system', 'user']),
  reference: Type.Optional(IdSchema),
  metadata: Metadata,
});

const StatusSchema = Type.Enum(['pending', 'resolved', 'cancelled', 'expired']);
const ScopeSchema = Type.Enum(['interaction', 'run', 'thread', 'org']);

/** The parts of the command that our question has no property for. */
export const SentSchema = strictObject({
  kind: KindSchema,
  prompt: PromptSchema,
  options: Type.Optional(Type.Array(OptionSchema)),
  scope: Type.Optional(ScopeSchema),
  origin: Type.Optional(OriginSchema),
});

export type TaskContent = Static<typeof TaskContentSchema>;
export type Prompt = Static<typeof PromptSchema>;
export type InteractionOption = Static<typeof OptionSchema>;
export type Sent = Static<typeof SentSchema>;
export type ResourceStatus = Static<typeof StatusSchema>;

/** Read-only properties. A client may send a whole resource back, so they are accepted and ignored. */
const readOnly = {
  interactionId: Type.Optional(IdSchema),
  orgId: Type.Optional(IdSchema),
  status: Type.Optional(Type.Literal('pending')),
  createdAt: Type.Optional(Type.String()),
  updatedAt: Type.Optional(Type.String()),
  version: Type.Optional(Type.Integer({ minimum: 0 })),
};

export const CreateCommandSchema = strictObject({
  runId: IdSchema,
  attemptId: IdSchema,
  /** Without it, the thread of the run. */
  threadId: Type.Optional(IdSchema),
  kind: KindSchema,
  prompt: PromptSchema,
  payloadSchema: Type.Optional(FreeObjectSchema),
  blocking: Type.Optional(Type.Boolean()),
  scope: Type.Optional(ScopeSchema),
  resolutionPolicy: Type.Optional(Type.Enum(['first', 'quorum', 'unanimous'])),
  options: Type.Optional(Type.Array(OptionSchema, { maxItems: limits.optionsPerField })),
  deadlineAt: Type.Optional(Type.String()),
  origin: Type.Optional(OriginSchema),
  metadata: Metadata,
  ...readOnly,
});

const ExpectedVersion = Type.Optional(Type.Integer({ minimum: 0 }));

export const RespondCommandSchema = strictObject({
  expectedVersion: ExpectedVersion,
  decision: Type.Optional(Type.Enum(['accepted', 'declined'])),
  selectedOptionId: Type.Optional(Type.String()),
  payload: Type.Optional(Type.Unknown()),
  submittedBy: Type.Optional(IdSchema),
  metadata: Metadata,
});

export const CancelCommandSchema = strictObject({
  expectedVersion: ExpectedVersion,
  reason: Type.Optional(Type.String({ minLength: 1, maxLength: limits.reasonLength })),
});

export const ListQuerySchema = strictObject({
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: limits.counted, default: 0 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.pageSize, default: 50 })),
  runId: Type.Optional(IdSchema),
  threadId: Type.Optional(IdSchema),
  status: Type.Optional(StatusSchema),
  kind: Type.Optional(KindSchema),
});

export type CreateCommand = Static<typeof CreateCommandSchema>;
export type RespondCommand = Static<typeof RespondCommandSchema>;
export type ListQuery = Static<typeof ListQuerySchema>;

/** By their path under `schemas/`. Addresses and `$id`s use the same path, so every `$ref` resolves. */
export const documents: Readonly<Record<string, object>> = {
  'common/enums.json': enums,
  'common/identity.json': identity,
  'resources/interaction-request.json': interactionRequest,
  'resources/message-record.json': messageRecord,
};
