/** What a client sends. Properties that no shape knows are refused, as in our own calls. */
import { FreeObjectSchema, KindSchema, limits } from '@holdpoint/protocol';
import { type Static, Type } from 'typebox';
import {
  DecisionSchema,
  IdSchema,
  OptionSchema,
  OriginSchema,
  PromptSchema,
  ResolutionPolicySchema,
  ScopeSchema,
  StatusSchema,
} from './interaction-request.ts';

const strict = { additionalProperties: false };

/** Of a whole resource that is sent back: the server's to say, so read and left alone. */
const readOnly = {
  interactionId: Type.Optional(IdSchema),
  orgId: Type.Optional(IdSchema),
  status: Type.Optional(Type.Literal('pending')),
  createdAt: Type.Optional(Type.String()),
  updatedAt: Type.Optional(Type.String()),
  version: Type.Optional(Type.Integer({ minimum: 0 })),
};

export const CreateCommandSchema = Type.Object(
  {
    runId: IdSchema,
    attemptId: IdSchema,
    threadId: Type.Optional(Type.String({ ...IdSchema, description: 'Without it, the thread of the run.' })),
    kind: KindSchema,
    prompt: PromptSchema,
    payloadSchema: Type.Optional(FreeObjectSchema),
    blocking: Type.Optional(Type.Boolean()),
    scope: Type.Optional(ScopeSchema),
    resolutionPolicy: Type.Optional(ResolutionPolicySchema),
    options: Type.Optional(Type.Array(OptionSchema, { maxItems: limits.optionsPerField })),
    deadlineAt: Type.Optional(Type.String()),
    origin: Type.Optional(OriginSchema),
    metadata: Type.Optional(FreeObjectSchema),
    ...readOnly,
  },
  strict,
);

const ExpectedVersion = Type.Optional(Type.Integer({ minimum: 0 }));

export const RespondCommandSchema = Type.Object(
  {
    expectedVersion: ExpectedVersion,
    decision: Type.Optional(DecisionSchema),
    selectedOptionId: Type.Optional(Type.String()),
    payload: Type.Optional(Type.Unknown()),
    submittedBy: Type.Optional(IdSchema),
    metadata: Type.Optional(FreeObjectSchema),
  },
  strict,
);

export const CancelCommandSchema = Type.Object(
  {
    expectedVersion: ExpectedVersion,
    reason: Type.Optional(Type.String({ minLength: 1, maxLength: limits.reasonLength })),
  },
  strict,
);

export const ListQuerySchema = Type.Object(
  {
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: limits.counted, default: 0 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.pageSize, default: 50 })),
    runId: Type.Optional(IdSchema),
    threadId: Type.Optional(IdSchema),
    status: Type.Optional(StatusSchema),
    kind: Type.Optional(KindSchema),
  },
  strict,
);

export type CreateCommand = Static<typeof CreateCommandSchema>;
export type RespondCommand = Static<typeof RespondCommandSchema>;
export type ListQuery = Static<typeof ListQuerySchema>;
