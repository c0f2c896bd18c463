/** Dispatch: inputs of threads, handed to workers in leased batches. */
import { type Static, type TSchema, Type } from 'typebox';
import { ActorSchema } from './actor.ts';
import { TimestampSchema } from './free-json.ts';
import { outerId } from './ids.ts';
import { InteractionSchema } from './interaction.ts';
import { limits } from './limits.ts';
import { AgentNameSchema } from './run.ts';
import { MessageSchema } from './thread.ts';

const strict = { additionalProperties: false };
const Ms = (maximum: number, description: string) => Type.Integer({ minimum: 0, maximum, description });

export const DispatchSettingsSchema = Type.Object(
  {
    mode: Type.Enum(['immediate', 'sequential', 'batched_sequential'], {
      description:
        'immediate: each input at once, by itself. sequential: one at a time in each thread. batched_sequential: all that came while the last batch was worked on, or within the debounce.',
    }),
    debounceMs: Ms(limits.dispatchMaxWaitMs, 'A batch is ready when no input has come for this long.'),
    typingGraceMs: Ms(limits.dispatchMaxWaitMs, 'And when the person has not been typing for this long.'),
    maxWaitMs: Ms(limits.dispatchMaxWaitMs, 'But no later than this after its first input.'),
  },
  { ...strict, description: 'The last three are for batched_sequential.' },
);

const settings = DispatchSettingsSchema.properties;
const changed = <T extends TSchema & { description?: string }>(setting: T) =>
  Type.Optional(Type.Union([setting, Type.Null()], { description: setting.description ?? '' }));
const settingsUpdate = {
  mode: changed(settings.mode),
  debounceMs: changed(settings.debounceMs),
  typingGraceMs: changed(settings.typingGraceMs),
  maxWaitMs: changed(settings.maxWaitMs),
};

export const UpdateThreadDispatchSettingsSchema = Type.Object(settingsUpdate, {
  ...strict,
  description: "Only what is named changes; null goes back to the org's.",
});

export const UpdateDispatchSettingsSchema = Type.Object(
  {
    ...settingsUpdate,
    from: Type.Optional(
      Type.Enum(['start', 'now'], {
        description:
          'Where dispatch begins, if it has not yet: with the first input of the org, as the first claim does it, or with the next one. Once it has begun, this changes nothing.',
      }),
    ),
  },
  { ...strict, description: 'Only what is named changes; null goes back to the default.' },
);

const WorkerId = outerId({ description: 'Who works on it; a batch is its own until the lease ends.' });
const leaseMs = (description: string) =>
  Type.Optional(Type.Integer({ minimum: limits.leaseMs.min, maximum: limits.leaseMs.max, description }));

export const ClaimBatchesSchema = Type.Object(
  {
    workerId: WorkerId,
    agents: Type.Optional(
      Type.Array(AgentNameSchema, {
        minItems: 1,
        maxItems: limits.claimedAgents,
        uniqueItems: true,
        description: 'Only batches of threads of these agents. Without it, only of threads that have none.',
      }),
    ),
    leaseMs: leaseMs('How long each batch is its own at first (30 s).'),
    waitMs: Type.Optional(Ms(limits.waitMs, 'How long to wait for a first batch (10 s).')),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: limits.claimedBatches, description: 'Batches at most (1).' }),
    ),
  },
  strict,
);

export const HeartbeatSchema = Type.Object(
  { workerId: WorkerId, extendMs: leaseMs('How long from now on; as long as it was claimed for, if left out.') },
  strict,
);
export const LeaseSchema = Type.Object({ leasedUntil: TimestampSchema }, strict);
export const CompleteBatchSchema = Type.Object({ workerId: WorkerId }, strict);
export const FailBatchSchema = Type.Object(
  {
    workerId: WorkerId,
    reason: Type.String({
      minLength: 1,
      maxLength: limits.reasonLength,
      description: 'The thread is told, if the inputs are given up.',
    }),
    retryable: Type.Optional(Type.Boolean({ description: 'Whether another try may help (true).' })),
    retryDelayMs: Type.Optional(Ms(limits.retryDelayMs, 'Instead of the usual delay.')),
    released: Type.Optional(
      Type.Boolean({
        description:
          'It did not fail: the worker stops. Ready again at once, and not one of the attempts after which inputs are given up (false).',
      }),
    ),
  },
  strict,
);

export const ReportTypingSchema = Type.Object(
  { agentId: Type.Optional(outerId({ description: 'The agent that types. Without it a person does.' })) },
  strict,
);

const { id, kind, title, status, answer, run, trace, metadata } = InteractionSchema.properties;

export const InputSchema = Type.Object(
  {
    id: Type.String({ description: 'The same in every batch that carries it.' }),
    type: Type.Enum(['message', 'answer', 'decline', 'expiry', 'cancellation', 'wake'], {
      description: 'The last two only in threads that have an agent: a question was cancelled, a run is to go on.',
    }),
    seq: Type.Integer({ minimum: 1, description: "Its place in the thread's log." }),
    at: TimestampSchema,
    actor: ActorSchema,
    message: Type.Optional(MessageSchema),
    interaction: Type.Optional(
      Type.Object(
        { id, kind, title, status, answer, run, trace, metadata },
        {
          ...strict,
          description: 'What was asked, and what came of it.',
        },
      ),
    ),
  },
  strict,
);

export const BatchSchema = Type.Object(
  {
    id: Type.String(),
    threadId: Type.String(),
    kind: Type.Enum(['outcomes', 'messages'], {
      description: 'outcomes: of interactions, and nothing else. messages: at least one is among the inputs.',
    }),
    workerId: Type.String(),
    attempt: Type.Integer({ minimum: 1, description: 'Counts how often it was leased.' }),
    leasedUntil: TimestampSchema,
    inputs: Type.Array(InputSchema, { description: "In the order of the thread's log." }),
  },
  { ...strict, description: 'The inputs of one thread, in its order.' },
);

export type DispatchSettings = Static<typeof DispatchSettingsSchema>;
export type UpdateThreadDispatchSettings = Static<typeof UpdateThreadDispatchSettingsSchema>;
export type UpdateDispatchSettings = Static<typeof UpdateDispatchSettingsSchema>;
export type ClaimBatches = Static<typeof ClaimBatchesSchema>;
export type Heartbeat = Static<typeof HeartbeatSchema>;
export type Lease = Static<typeof LeaseSchema>;
export type CompleteBatch = Static<typeof CompleteBatchSchema>;
export type FailBatch = Static<typeof FailBatchSchema>;
export type ReportTyping = Static<typeof ReportTypingSchema>;
export type Input = Static<typeof InputSchema>;
export type Batch = Static<typeof BatchSchema>;
