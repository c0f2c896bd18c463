/** The resource of the spec and its parts; `schemas/` says the same in the spec's own words. */
import { FreeObjectSchema, KindSchema, limits } from '@holdpoint/protocol';
import { type Static, Type } from 'typebox';

const strict = { additionalProperties: false };
const Metadata = Type.Optional(FreeObjectSchema);

/** Opaque there; here without control characters, which not every database keeps. */
export const IdSchema = Type.String({
  minLength: 1,
  maxLength: limits.idLength,
  pattern: '^[^\\x00-\\x1f\\x7f]*$',
});

const Text = Type.Object({ type: Type.Literal('text'), text: Type.String() }, strict);
export const BinarySchema = Type.Object(
  {
    type: Type.Literal('binary'),
    mimeType: Type.String(),
    id: Type.Optional(Type.String()),
    url: Type.Optional(Type.String()),
    data: Type.Optional(Type.String()),
    filename: Type.Optional(Type.String()),
  },
  strict,
);
const Data = Type.Object({ type: Type.Literal('data'), data: Type.Unknown() }, strict);
const TaskContentSchema = Type.Union([Text, BinarySchema, Data]);

export const PromptSchema = Type.Object(
  {
    title: Type.Optional(Type.String({ maxLength: limits.titleLength })),
    description: Type.Optional(Type.String({ maxLength: limits.bodyLength })),
    content: Type.Optional(Type.Array(TaskContentSchema, { maxItems: limits.blocks })),
    metadata: Metadata,
  },
  strict,
);

export const OptionSchema = Type.Object(
  {
    id: Type.String({ minLength: 1, maxLength: limits.labelLength }),
    label: Type.String({ minLength: 1, maxLength: limits.labelLength }),
    kind: Type.Enum(['answer', 'allow_once', 'allow_always', 'reject_once', 'reject_always']),
    description: Type.Optional(Type.String({ maxLength: limits.descriptionLength })),
    metadata: Metadata,
  },
  strict,
);

export const OriginSchema = Type.Object(
  {
    type: Type.Enum(['agent', 'tool', 'policy', 'system', 'user']),
    reference: Type.Optional(IdSchema),
    metadata: Metadata,
  },
  strict,
);

export const StatusSchema = Type.Enum(['pending', 'resolved', 'cancelled', 'expired']);
export const ScopeSchema = Type.Enum(['interaction', 'run', 'thread', 'org']);
export const ResolutionPolicySchema = Type.Enum(['first', 'quorum', 'unanimous']);
export const DecisionSchema = Type.Enum(['accepted', 'declined']);

/** What is kept of a question as it was asked here, because it has no place of its own in ours. */
export const SentSchema = Type.Object(
  {
    kind: KindSchema,
    prompt: PromptSchema,
    options: Type.Optional(Type.Array(OptionSchema)),
    scope: Type.Optional(ScopeSchema),
    origin: Type.Optional(OriginSchema),
  },
  strict,
);

export type TaskContent = Static<typeof TaskContentSchema>;
export type Prompt = Static<typeof PromptSchema>;
export type InteractionOption = Static<typeof OptionSchema>;
export type Sent = Static<typeof SentSchema>;

export interface InteractionResponse {
  decision: Static<typeof DecisionSchema>;
  selectedOptionId?: string;
  payload?: unknown;
  submittedBy: string;
  submittedAt: string;
  metadata?: Record<string, unknown>;
}

export interface InteractionRequest {
  interactionId: string;
  orgId: string;
  runId: string;
  attemptId: string;
  threadId: string;
  kind: Sent['kind'];
  status: Static<typeof StatusSchema>;
  prompt: Prompt;
  payloadSchema?: Record<string, unknown>;
  blocking: boolean;
  scope: Static<typeof ScopeSchema>;
  resolutionPolicy: Static<typeof ResolutionPolicySchema>;
  options?: InteractionOption[];
  response?: InteractionResponse;
  deadlineAt?: string;
  origin: Static<typeof OriginSchema>;
  metadata?: Record<string, unknown>;
  createdAt: string;
  updatedAt: string;
  resolvedAt?: string;
  version: number;
}
