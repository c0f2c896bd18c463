/** The verbs that answer an interaction, and what follows from an answer: drafts, secrets and callbacks. */
import { type Static, Type } from 'typebox';
import {
  ActorRefSchema,
  described,
  type FreeObject,
  FreeObjectSchema,
  strictObject,
  TimestampSchema,
} from '../base-schemas.ts';
import {
  AnswerSignatureSchema,
  ExpectedVersion,
  type Interaction,
  InteractionSchema,
  Reason,
  withAnyVersion,
} from '../interaction.ts';
import { AttemptSchema } from '../webhook.ts';
import type { Write } from './call.ts';
import { specsOf } from './specs-of.ts';
import { answerers, everybody, keyReaders, keys, responders } from './verb-spec.ts';

const Payload = Type.Unknown({ description: 'The answer to a question with a payloadSchema.' });

/** Takes any text: with a digest that is not the current one, the call fails and returns the current question. */
const ShownDigest = Type.Optional(
  Type.String({
    maxLength: 100,
    description: 'The digest of the question that was shown. The call fails if the question has changed since.',
  }),
);

export const SubmitAnswerSchema = described(
  'An admin key names the person in `responder`. Other callers answer as themselves.',
  {
    values: Type.Optional(FreeObjectSchema),
    payload: Type.Optional(Payload),
    reason: Type.Optional(Reason),
    metadata: Type.Optional(FreeObjectSchema),
    responder: Type.Optional(ActorRefSchema),
    expectedVersion: ExpectedVersion,
    digest: ShownDigest,
    signature: Type.Optional(AnswerSignatureSchema),
  },
);

const DeclineSchema = strictObject({
  reason: Type.Optional(Reason),
  metadata: Type.Optional(FreeObjectSchema),
  responder: Type.Optional(ActorRefSchema),
  expectedVersion: ExpectedVersion,
  digest: ShownDigest,
  signature: Type.Optional(AnswerSignatureSchema),
});

const SaveDraftSchema = strictObject({
  values: Type.Optional(FreeObjectSchema),
  payload: Type.Optional(Payload),
});

const DraftSchema = described('Has no values if there is no draft. Never has values of secret fields.', {
  values: Type.Optional(FreeObjectSchema),
  payload: Type.Optional(Payload),
  savedAt: Type.Optional(TimestampSchema),
});

const CallbackSchema = described('All attempts to send one callback.', {
  interactionId: Type.String(),
  url: Type.String({ description: 'The address that receives it.' }),
  status: Type.Enum(['waiting', 'pending', 'delivered', 'dead'], {
    description:
      'waiting: not attempted yet. pending: an attempt failed, and another follows. dead: the server gave up.',
  }),
  attempts: Type.Array(AttemptSchema, { description: 'The attempts, the oldest first.' }),
  nextAttemptAt: Type.Optional(TimestampSchema),
  settledAt: Type.Optional(TimestampSchema),
});

const CallbackSecretSchema = strictObject({
  secret: Type.String({ description: 'Signs the callbacks of interactions that this key creates.' }),
});

export type SubmitAnswer = Static<typeof SubmitAnswerSchema>;
export type Decline = Static<typeof DeclineSchema>;
export type SaveDraft = Static<typeof SaveDraftSchema>;
export type Draft = Static<typeof DraftSchema>;
export type Callback = Static<typeof CallbackSchema>;
export type CallbackSecret = Static<typeof CallbackSecretSchema>;

export interface AnswerVerbs {
  /** Answers an interaction. The first valid answer closes it; with a quorum, each answer is a vote. */
  submitAnswer(input: { interactionId: string } & SubmitAnswer & Write): Promise<Interaction>;
  /** Declines to answer an interaction. */
  declineInteraction(input: { interactionId: string } & Decline & Write): Promise<Interaction>;
  /** Saves an incomplete answer, for the caller alone. */
  saveDraft(input: { interactionId: string } & SaveDraft): Promise<Draft>;
  /** Gets the incomplete answer that the caller has saved. */
  getDraft(input: { interactionId: string }): Promise<Draft>;
  /** Returns the secret values of the answer, once. The server then deletes them. */
  takeSecrets(input: { interactionId: string } & Write): Promise<{ values: FreeObject }>;
  /** Gets the state of the callback of an interaction. For the key that created it, and for admins. */
  getCallback(input: { interactionId: string }): Promise<Callback>;
  /** Gets the secret that signs the callbacks of this key. */
  getCallbackSecret(input: Record<never, never>): Promise<CallbackSecret>;
}

export const answerVerbs = specsOf<AnswerVerbs>()({
  submitAnswer: {
    callers: answerers,
    summary: 'Submit an answer',
    description: 'The first valid answer closes the interaction. With a quorum, each answer is a vote.',
    input: SubmitAnswerSchema,
    dialectInput: withAnyVersion(SubmitAnswerSchema),
    output: InteractionSchema,
  },
  declineInteraction: {
    callers: responders,
    summary: 'Decline to answer',
    description: 'A decline counts as an answer. Without a quorum it closes the interaction with decision declined.',
    input: DeclineSchema,
    dialectInput: withAnyVersion(DeclineSchema),
    output: InteractionSchema,
  },
  saveDraft: {
    callers: responders,
    summary: 'Save a draft of an answer',
    description:
      'Only the caller sees the draft, on any device, for a month. A draft is not an answer. Values of secret fields are left out.',
    input: SaveDraftSchema,
    output: DraftSchema,
  },
  getDraft: {
    callers: everybody,
    summary: 'Get the draft of an answer',
    description: 'Returns the last draft of this caller, or an empty one.',
    output: DraftSchema,
  },
  takeSecrets: {
    callers: keys,
    summary: 'Take the secret values of an answer',
    description: 'Returns them once, and deletes them. Only the key that asked and admins may call it.',
    output: Type.Object({ values: FreeObjectSchema }),
  },
  getCallback: {
    callers: keyReaders,
    summary: 'Get the state of a callback',
    description: 'Lists the attempts to send it. Only the key that asked and admins may call it.',
    output: CallbackSchema,
  },
  getCallbackSecret: {
    callers: keys,
    summary: 'Get the secret that signs your callbacks',
    description: 'Each key has its own secret, which never changes. Signatures follow Standard Webhooks.',
    output: CallbackSecretSchema,
  },
});
