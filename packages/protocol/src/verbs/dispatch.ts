/** The verbs of dispatch. It gives the inputs of threads to workers in leased batches. */
import { type Static, type TSchema, Type } from 'typebox';
import {
  ActorSchema,
  described,
  type FreeObject,
  outerId,
  strictObject,
  TimestampSchema,
  wholeNumber,
} from '../base-schemas.ts';
import { InteractionSchema } from '../interaction.ts';
import { limits } from '../limits.ts';
import { Done, type StopSignal, type Write } from './call.ts';
import { MessageSchema } from './messages.ts';
import { AgentNameSchema } from './runs.ts';
import { specsOf } from './specs-of.ts';
import { admins, keyReaders, keys, threadCallers } from './verb-spec.ts';

const Ms = (maximum: number, description: string) => Type.Integer({ minimum: 0, maximum, description });

export const DispatchSettingsSchema = described(
  'debounceMs, typingGraceMs and maxWaitMs apply to batched_sequential only.',
  {
    mode: Type.Enum(['immediate', 'sequential', 'batched_sequential'], {
      description:
        'immediate: each input at once, in its own batch. sequential: one input at a time per thread. batched_sequential: all inputs that arrived during the last batch or within the debounce time.',
    }),
    debounceMs: Ms(limits.dispatchMaxWaitMs, 'A batch is ready when no input has arrived for this time.'),
    typingGraceMs: Ms(limits.dispatchMaxWaitMs, 'A batch is ready when the person has not typed for this time.'),
    maxWaitMs: Ms(limits.dispatchMaxWaitMs, 'A batch is ready at the latest at this time after its first input.'),
  },
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

const UpdateThreadDispatchSettingsSchema = described(
  "Changes only the properties that you give; null restores the org's setting.",
  settingsUpdate,
);

const UpdateDispatchSettingsSchema = described(
  'Changes only the properties that you give; null restores the default.',
  {
    ...settingsUpdate,
    from: Type.Optional(
      Type.Enum(['start', 'now'], {
        description:
          'The first input of dispatch. start: the first input of the org, as with a claim. now: the next input. Has no effect once dispatch has begun.',
      }),
    ),
  },
);

const WorkerId = outerId({ description: 'The worker. It holds a batch until the lease ends.' });
const leaseMs = (description: string) =>
  Type.Optional(Type.Integer({ minimum: limits.leaseMs.min, maximum: limits.leaseMs.max, description }));

export const ClaimBatchesSchema = strictObject({
  workerId: WorkerId,
  agents: Type.Optional(
    Type.Array(AgentNameSchema, {
      minItems: 1,
      maxItems: limits.claimedAgents,
      uniqueItems: true,
      description: 'Only batches of threads with one of these agents. Without it, only threads without an agent.',
    }),
  ),
  leaseMs: leaseMs('Duration of the lease of each batch. Default: 30 s.'),
  waitMs: Type.Optional(Ms(limits.waitMs, 'Maximum time to wait for a first batch. Default: 10 s.')),
  limit: Type.Optional(wholeNumber(1, limits.claimedBatches, 'Maximum number of batches. Default: 1.')),
});

const HeartbeatSchema = strictObject({
  workerId: WorkerId,
  extendMs: leaseMs('Duration of the lease from now. Default: the duration of the claim.'),
});
const LeaseSchema = strictObject({ leasedUntil: TimestampSchema });
const CompleteBatchSchema = strictObject({ workerId: WorkerId });
const FailBatchSchema = strictObject({
  workerId: WorkerId,
  reason: Type.String({
    minLength: 1,
    maxLength: limits.reasonLength,
    description: 'The thread shows it if the inputs are skipped.',
  }),
  retryable: Type.Optional(Type.Boolean({ description: 'Whether another attempt can succeed. Default: true.' })),
  retryDelayMs: Type.Optional(Ms(limits.retryDelayMs, 'Replaces the usual delay.')),
  released: Type.Optional(
    Type.Boolean({
      description:
        'true: the worker stops, and the batch did not fail. The batch is ready again at once, and the attempt does not count. Default: false.',
    }),
  ),
});

const ReportTypingSchema = strictObject({
  agentId: Type.Optional(outerId({ description: 'The agent that types. Without it, a person types.' })),
});

const { id, kind, title, status, answer, run, trace, metadata } = InteractionSchema.properties;

export const InputSchema = strictObject({
  id: Type.String({ description: 'The same in every batch that has this input.' }),
  type: Type.Enum(['message', 'answer', 'decline', 'expiry', 'cancellation', 'wake'], {
    description:
      'Threads with an agent also get cancellation (an interaction was cancelled) and wake (a run continues).',
  }),
  seq: Type.Integer({ minimum: 1, description: 'Its sequence number in the log of the thread.' }),
  at: TimestampSchema,
  actor: ActorSchema,
  message: Type.Optional(MessageSchema),
  interaction: Type.Optional(
    described('The question and its outcome.', { id, kind, title, status, answer, run, trace, metadata }),
  ),
});

export const BatchSchema = described('Inputs of one thread.', {
  id: Type.String(),
  threadId: Type.String(),
  kind: Type.Enum(['outcomes', 'messages'], {
    description: 'outcomes: only outcomes of interactions. messages: at least one message.',
  }),
  workerId: Type.String(),
  attempt: Type.Integer({ minimum: 1, description: 'How often the batch was leased.' }),
  leasedUntil: TimestampSchema,
  inputs: Type.Array(InputSchema, { description: 'In the order of the log.' }),
});

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

export interface DispatchVerbs {
  /** Claims the first batches that are ready. Returns none when the time is up. */
  claimBatches(input: ClaimBatches & { signal?: StopSignal }): Promise<{ data: Batch[] }>;
  /** Extends the lease of a batch. */
  heartbeatBatch(input: { batchId: string } & Heartbeat): Promise<Lease>;
  /** Reports that a batch is done. */
  completeBatch(input: { batchId: string } & CompleteBatch & Write): Promise<FreeObject>;
  /** Reports that a batch failed. The server tries it again later. */
  failBatch(input: { batchId: string } & FailBatch & Write): Promise<FreeObject>;
  /** Gets the dispatch settings of the org, or those of one thread. */
  getDispatchSettings(input: { threadId?: string }): Promise<DispatchSettings>;
  /** Changes the dispatch settings of the org, or those of one thread. */
  updateDispatchSettings(input: { threadId?: string } & UpdateDispatchSettings): Promise<DispatchSettings>;
  /** Reports that a person is typing, which delays the batch of the thread, or that an agent is. */
  reportTyping(input: { threadId: string } & ReportTyping): Promise<FreeObject>;
}

export const dispatchVerbs = specsOf<DispatchVerbs>()({
  claimBatches: {
    callers: keys,
    summary: 'Claim batches of inputs',
    description:
      'Inputs are messages of people, answers, declines and expiries. Each batch has inputs of one thread. Returns as soon as a batch is ready, or an empty list when the time is up. A batch is leased: complete it or send heartbeats, otherwise another worker receives it. The first claim of an org begins its dispatch, with its first input.',
    input: ClaimBatchesSchema,
    waits: true,
    output: Type.Object({ data: Type.Array(BatchSchema) }),
  },
  heartbeatBatch: {
    callers: keys,
    summary: 'Extend the lease of a batch',
    description: 'Fails if the lease has ended and another worker holds the batch.',
    input: HeartbeatSchema,
    output: LeaseSchema,
  },
  completeBatch: {
    callers: keys,
    summary: 'Complete a batch',
    description: 'Its inputs are done. No worker receives them again.',
    input: CompleteBatchSchema,
    output: Done,
  },
  failBatch: {
    callers: keys,
    summary: 'Report that a batch failed',
    description:
      'The batch is tried again after a delay that doubles from 500 ms to 30 s. After eight attempts, or at once if it is not retryable, its inputs are skipped and a system message in the thread says so.',
    input: FailBatchSchema,
    output: Done,
  },
  getDispatchSettings: {
    callers: keyReaders,
    summary: 'Get the dispatch settings of the org',
    description: 'The settings apply to every thread without its own settings.',
    output: DispatchSettingsSchema,
    ofThread: {
      operationId: 'getThreadDispatchSettings',
      summary: 'Get the dispatch settings of a thread',
      description: 'Returns the settings of the org where the thread has none.',
    },
  },
  updateDispatchSettings: {
    callers: admins,
    summary: 'Change the dispatch settings of the org',
    description: 'Applies to inputs from now on, in every thread without its own settings.',
    input: UpdateDispatchSettingsSchema,
    output: DispatchSettingsSchema,
    ofThread: {
      operationId: 'updateThreadDispatchSettings',
      summary: 'Change the dispatch settings of a thread',
      description: 'Applies to inputs of this thread from now on.',
      input: UpdateThreadDispatchSettingsSchema,
    },
  },
  reportTyping: {
    callers: threadCallers,
    summary: 'Report typing',
    description:
      'Streams opened with ephemeral=true receive it. While a person types, the batch of the thread waits, up to its maximum wait. Nothing is stored.',
    input: ReportTypingSchema,
    output: Done,
  },
});
