/** The interaction: one durable question, the policy that closes it, and its answer. */
import { type Static, type TObject, Type } from 'typebox';
import {
  ActorSchema,
  actorTypes,
  clearable,
  described,
  FreeObjectSchema,
  GivenIdSchema,
  outerId,
  strictObject,
  TimestampSchema,
} from './base-schemas.ts';
import { limits } from './limits.ts';
import { QuestionInputSchema, QuestionSchema } from './question.ts';

const dialects = ['chat-requests', 'input-requests', 'agent-service', 'assistant', 'blocks'] as const;
const Id = outerId();

export const StatusSchema = Type.Enum(['pending', 'answered', 'cancelled', 'expired']);
const ClosedReasonSchema = Type.Enum(['answered', 'declined', 'cancelled', 'deadline']);
const DecisionSchema = Type.Enum(['accepted', 'declined']);

const Assignees = Type.Array(Id, { minItems: 1, maxItems: limits.assignees });

const ResponderPolicySchema = strictObject({
  type: Type.Enum([...actorTypes, 'any']),
  assignees: Type.Optional(
    Type.Array(Id, {
      ...Assignees,
      description:
        'The only responders that may answer: person:<id>, person:<email>, group:<id>, or an id of your own application.',
    }),
  ),
  notRequester: Type.Optional(
    Type.Boolean({
      description:
        'true: the people who started the run or the thread or asked the question, their keys and all agents may not answer.',
    }),
  ),
});

/** The required certainty about the person who answers, from the lowest to the highest. */
export const assurances = ['any', 'signed-in', 'passkey'] as const;
export type Assurance = (typeof assurances)[number];

export const AssuranceSchema = Type.Enum([...assurances], {
  description:
    'How certain it must be who answers. any: every caller that may answer. signed-in: a person in a session. passkey: a person who signs the answer with a passkey. It is never lowered.',
});

const passkeyText = (description: string, maxLength: number) =>
  Type.String({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]+$', description });

export const AnswerSignatureSchema = described(
  'A WebAuthn assertion by a passkey of the person. Its challenge is the SHA-256 of the question and the answer.',
  {
    credentialId: passkeyText('The id of the passkey, as base64url.', limits.idLength),
    authenticatorData: passkeyText('As base64url.', 4_096),
    clientDataJSON: passkeyText('As base64url. Has the challenge and the origin of the page.', 4_096),
    signature: passkeyText('As base64url.', 2_048),
  },
);

const Votes = Type.Integer({ minimum: 1, maximum: limits.votes });

const QuorumGroups = Type.Array(
  strictObject({ group: Type.String({ ...GivenIdSchema, description: 'The id of the group.' }), count: Votes }),
  {
    minItems: 1,
    maxItems: limits.quorumGroups,
    description: 'The number of people of each group that must agree. A person counts for one group.',
  },
);

const ResolutionSchema = Type.Union(
  [
    strictObject({ mode: Type.Literal('first') }),
    strictObject({ mode: Type.Enum(['quorum', 'unanimous']), count: Votes }),
    strictObject({ mode: Type.Literal('quorum'), of: QuorumGroups }),
  ],
  {
    description:
      'first: the first valid answer closes it. quorum: `count` equal votes close it, or with `of` that many equal votes of each group. unanimous: `count` votes close it, and all must be equal.',
  },
);

const DeadlineSchema = strictObject({
  at: TimestampSchema,
  outcome: Type.Enum(['expire', 'recommended', 'decline'], {
    description: 'The outcome at that time: expire, take the recommended answer, or decline.',
  }),
  remindBeforeMs: Type.Optional(
    Type.Array(Type.Integer({ minimum: 1, maximum: limits.remindBeforeMs }), {
      minItems: 1,
      maxItems: limits.reminders,
      uniqueItems: true,
      description:
        'Times before the deadline, in milliseconds. At each of them, interaction.reminded is published once.',
    }),
  ),
});

const EscalationSchema = strictObject({ at: TimestampSchema, assignees: Assignees });

const EscalationsSchema = Type.Array(EscalationSchema, {
  minItems: 1,
  maxItems: limits.escalations,
  description: 'Times at which more assignees may answer, if the question is still pending.',
});

export const GrantOfferSchema = described('The scope and duration of an allow_always or reject_always answer.', {
  key: Id,
  scope: Type.Enum(['run', 'thread', 'org']),
  forMs: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.grantForMs })),
  variable: Type.Optional(
    Type.Array(Type.String(), {
      minItems: 1,
      maxItems: limits.fields,
      uniqueItems: true,
      description: 'Names of arguments that may have any value in later questions. The card lists them.',
    }),
  ),
});

const RunRefSchema = described('The run of an agent that waits for this answer.', {
  id: Id,
  attemptId: Type.Optional(Id),
  toolCallId: Type.Optional(Id),
});

export const OriginSchema = strictObject({
  type: Type.Enum(['agent', 'tool', 'policy', 'system', 'user']),
  reference: Type.Optional(Id),
});

const OriginalSchema = described('The request as a dialect received it. Only that dialect shows it.', {
  dialect: Type.Enum([...dialects]),
  sent: FreeObjectSchema,
});

const DigestSchema = Type.String({
  description:
    'Hash of the displayed content and the policy: `v2:sha-256:` and the SHA-256 of their canonical JSON, in hexadecimal. Older digests begin with `sha-256:` and cover only the displayed content.',
  examples: [`v2:sha-256:${'0123456789abcdef'.repeat(4)}`],
});

export const AnswerSchema = described('One vote. The vote that closes the interaction is its answer.', {
  id: Type.String(),
  decision: DecisionSchema,
  values: FreeObjectSchema,
  payload: Type.Optional(Type.Unknown()),
  reason: Type.Optional(Type.String()),
  metadata: Type.Optional(FreeObjectSchema),
  secretFields: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Secret fields that were answered. POST …/secrets returns their values, once.',
    }),
  ),
  digest: Type.Optional(Type.String({ ...DigestSchema, description: 'Digest of the question that was answered.' })),
  by: ActorSchema,
  at: TimestampSchema,
  assignee: Type.Optional(
    Type.String({ description: 'The assignee through which the responder could answer, such as group:finance.' }),
  ),
  groups: Type.Optional(
    Type.Array(Type.String(), {
      description: 'The groups of the quorum that the responder was in. The vote counts for one of them.',
    }),
  ),
  countsAs: Type.Optional(
    Type.String({
      description: 'The id of the person whose vote this is, if a key voted that names nobody: its creator.',
    }),
  ),
  keyOwner: Type.Optional(
    Type.String({ description: 'The id of the person who created the key, if the key voted for somebody else.' }),
  ),
  signature: Type.Optional(AnswerSignatureSchema),
  automatic: Type.Optional(Type.Enum(['deadline', 'grant', 'resolution'])),
  grantId: Type.Optional(Type.String()),
});

const ClaimSchema = described('Until this time only this responder may answer. A claim ends by itself.', {
  by: ActorSchema,
  at: TimestampSchema,
  until: TimestampSchema,
  countsAs: AnswerSchema.properties.countsAs,
});

const policy = {
  blocking: Type.Boolean({ description: 'Whether the run waits until this is answered.' }),
  responder: ResponderPolicySchema,
  resolution: ResolutionSchema,
  deadline: Type.Optional(DeadlineSchema),
  escalations: Type.Optional(EscalationsSchema),
  grant: Type.Optional(GrantOfferSchema),
};

const context = {
  run: Type.Optional(RunRefSchema),
  origin: OriginSchema,
  trace: Type.Optional(FreeObjectSchema),
  metadata: Type.Optional(FreeObjectSchema),
  original: Type.Optional(OriginalSchema),
};

export const InteractionSchema = strictObject({
  id: Type.String(),
  threadId: Type.String(),
  status: StatusSchema,
  closedReason: Type.Optional(ClosedReasonSchema),
  version: Type.Integer({ minimum: 1 }),
  digest: Type.Optional(DigestSchema),
  ...QuestionSchema.properties,
  ...policy,
  responder: strictObject({
    type: ResponderPolicySchema.properties.type,
    assignees: Type.Optional(
      Type.Array(Id, {
        maxItems: limits.assignees,
        description: 'The only responders that may answer. Empty if all of them were deactivated.',
      }),
    ),
    notRequester: ResponderPolicySchema.properties.notRequester,
  }),
  assurance: Type.Optional(
    Type.Enum(['signed-in', 'passkey'], {
      description: 'How certain it must be who answers. Absent: any caller that may answer.',
    }),
  ),
  escalations: Type.Optional(
    Type.Array(strictObject({ ...EscalationSchema.properties, doneAt: Type.Optional(TimestampSchema) })),
  ),
  nextReminderAt: Type.Optional(TimestampSchema),
  hasCallback: Type.Optional(
    Type.Literal(true, { description: 'The server sends the outcome to the callbackUrl that the requester gave.' }),
  ),
  ...context,
  claim: Type.Optional(ClaimSchema),
  votes: Type.Array(AnswerSchema),
  answer: Type.Optional(AnswerSchema),
  createdBy: ActorSchema,
  createdAt: TimestampSchema,
  updatedAt: TimestampSchema,
  closedAt: Type.Optional(TimestampSchema),
  closedBy: Type.Optional(ActorSchema),
  cancelReason: Type.Optional(Type.String()),
});

const policyInput = {
  ...Type.Partial(Type.Object({ ...policy, ...context })).properties,
  assurance: Type.Optional(AssuranceSchema),
  callbackUrl: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: limits.urlLength,
      description:
        'The server sends one signed POST to this address when the question closes. http or https, without a password.',
    }),
  ),
};

export const CreateInteractionSchema = strictObject({ ...QuestionInputSchema.properties, ...policyInput });

export const ExpectedVersion = Type.Optional(
  Type.Integer({ minimum: 1, description: 'The call fails if the interaction has another version.' }),
);

export const UpdateInteractionSchema = described(
  'Changes only the properties that you give; null removes one. A change of the displayed content removes the original.',
  {
    expectedVersion: ExpectedVersion,
    title: Type.Optional(QuestionInputSchema.properties.title),
    body: clearable(QuestionSchema.properties.body),
    fields: QuestionInputSchema.properties.fields,
    recommendations: clearable(FreeObjectSchema),
    submitLabel: clearable(QuestionSchema.properties.submitLabel),
    deadline: clearable(DeadlineSchema),
    escalations: clearable(EscalationsSchema),
    trace: clearable(FreeObjectSchema),
    metadata: clearable(FreeObjectSchema),
    original: context.original,
  },
);

/** The schema for dialects, some of which number versions from 0: a version that never matches is a conflict there. */
export const withAnyVersion = <Input extends TObject>({ properties }: Input) =>
  strictObject({ ...properties, expectedVersion: Type.Optional(Type.Integer({ minimum: 0 })) });

export const Reason = Type.String({ minLength: 1, maxLength: limits.reasonLength });

export const CancelSchema = strictObject({ reason: Type.Optional(Reason), expectedVersion: ExpectedVersion });

export type Status = Static<typeof StatusSchema>;
export type Dialect = (typeof dialects)[number];
export type AnswerSignature = Static<typeof AnswerSignatureSchema>;
export type Answer = Static<typeof AnswerSchema>;
export type Interaction = Static<typeof InteractionSchema>;
export type CreateInteraction = Static<typeof CreateInteractionSchema>;
export type UpdateInteraction = Static<typeof UpdateInteractionSchema>;
export type Cancel = Static<typeof CancelSchema>;
export type Claim = Static<typeof ClaimSchema>;
export type Resolution = Static<typeof ResolutionSchema>;
