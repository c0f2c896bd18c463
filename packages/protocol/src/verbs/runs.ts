/** The verbs of runs. A run is an agent's execution on a thread, with the journal from which it can be replayed. */
import { type Static, Type } from 'typebox';
import { ActorSchema, described, outerId, strictObject, TimestampSchema } from '../base-schemas.ts';
import { limits } from '../limits.ts';
import { Id, orderFrom, type Page, page, pageAfter, pageOf, type Wait, WaitQuery, type Write } from './call.ts';
import { specsOf } from './specs-of.ts';
import { keyReaders, keys, participantReaders } from './verb-spec.ts';

export const AgentNameSchema = outerId({ description: 'The name of an agent.' });

const RunStatusSchema = Type.Enum(['running', 'waiting', 'completed', 'failed', 'cancelled']);

const WaitSchema = Type.Union(
  [
    strictObject({ type: Type.Literal('interaction'), interactionId: Type.String() }),
    strictObject({ type: Type.Literal('message') }),
    strictObject({ type: Type.Literal('time'), until: TimestampSchema }),
  ],
  { description: 'A condition that continues the run: an answer, the next message of a person, or a time.' },
);
const Waits = Type.Array(WaitSchema, {
  minItems: 1,
  maxItems: limits.runWaits,
  description: 'Present while it waits. The run continues when the first of these conditions is met.',
});

const RunErrorSchema = strictObject({
  code: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'journal-mismatch: the function no longer fits its journal. Other codes are chosen by the agent.',
  }),
  message: Type.String({ minLength: 1, maxLength: limits.reasonLength }),
  call: Type.Optional(Type.Integer({ minimum: 1, description: 'The number of the call at which it failed.' })),
});

export const RunSchema = described('A thread has at most one open run, running or waiting.', {
  id: Type.String(),
  threadId: Type.String(),
  agent: AgentNameSchema,
  status: RunStatusSchema,
  version: Type.Integer({ minimum: 1 }),
  fromSeq: Type.Integer({ minimum: 1, description: 'Sequence number of the input that started it.' }),
  deliveredSeq: Type.Integer({ minimum: 1, description: 'Sequence number of the last input that it received.' }),
  waitingFor: Type.Optional(Waits),
  entries: Type.Integer({ minimum: 0, description: 'Number of entries in its journal.' }),
  result: Type.Optional(Type.Unknown()),
  error: Type.Optional(RunErrorSchema),
  cancelReason: Type.Optional(Type.String()),
  restartOf: Type.Optional(Type.String({ description: 'The run that this one repeats from the start.' })),
  startedBy: Type.Optional(
    described('The worker that began the run, or whoever restarted it.', ActorSchema.properties),
  ),
  createdAt: TimestampSchema,
  updatedAt: TimestampSchema,
  endedAt: Type.Optional(TimestampSchema),
});

const entry = {
  call: Type.Integer({ minimum: 1, description: 'The number of the call in the function: 1, 2, 3, …' }),
  type: Type.Enum(['say', 'ask', 'step', 'sleep', 'message', 'now', 'random']),
  name: Type.String({ maxLength: limits.idLength, description: 'Distinguishes calls of the same type.' }),
  state: Type.Enum(['begun', 'done', 'failed']),
  data: Type.Optional(Type.Unknown({ description: 'The result of the call, or the condition that it waits for.' })),
};

export const JournalEntrySchema = strictObject({
  index: Type.Integer({ minimum: 1, description: '1, 2, 3, … without a gap.' }),
  ...entry,
  at: TimestampSchema,
});

const BeginRunSchema = strictObject({ workerId: outerId({ description: 'The worker that holds the batch.' }) });

const BegunRunSchema = described('The run that the inputs belong to, now running. Absent if they belong to no run.', {
  run: Type.Optional(RunSchema),
});

const AdvanceRunSchema = described(
  'With status waiting, give waitingFor; with failed, an error; with completed, a result if there is one.',
  {
    expectedVersion: Type.Integer({ minimum: 1, description: 'The call fails if the run has another version.' }),
    entries: Type.Optional(
      Type.Array(strictObject(entry), {
        maxItems: limits.pageSize,
        description: 'Appended to the journal.',
      }),
    ),
    status: Type.Optional(Type.Enum(['running', 'waiting', 'completed', 'failed'])),
    waitingFor: Type.Optional(Waits),
    result: Type.Optional(Type.Unknown()),
    error: Type.Optional(RunErrorSchema),
  },
);

const CancelRunSchema = strictObject({
  reason: Type.Optional(Type.String({ minLength: 1, maxLength: limits.reasonLength })),
});

const TurnSchema = described('The last run of the thread.', {
  isSettled: Type.Boolean({
    description: 'Whether the agent has handled every message and answer, and its run waits or has ended.',
  }),
  run: Type.Optional(RunSchema),
});

export type RunStatus = Static<typeof RunStatusSchema>;
export type RunWait = Static<typeof WaitSchema>;
export type RunError = Static<typeof RunErrorSchema>;
export type Run = Static<typeof RunSchema>;
export type JournalEntry = Static<typeof JournalEntrySchema>;
export type NewJournalEntry = Omit<JournalEntry, 'index' | 'at'>;
export type BeginRun = Static<typeof BeginRunSchema>;
export type BegunRun = Static<typeof BegunRunSchema>;
export type AdvanceRun = Static<typeof AdvanceRunSchema>;
export type CancelRun = Static<typeof CancelRunSchema>;
export type Turn = Static<typeof TurnSchema>;

const RunFilterSchema = strictObject({
  threadId: Type.Optional(Id),
  status: Type.Optional(RunStatusSchema),
  agent: Type.Optional(AgentNameSchema),
  order: orderFrom('oldest'),
  ...page,
});
export type RunFilter = Static<typeof RunFilterSchema>;

export interface RunVerbs {
  /** Begins the run that a batch is for, or continues it. For the worker that holds the batch. */
  beginRun(input: { batchId: string } & BeginRun): Promise<BegunRun>;
  /** Saves the progress of a run. Fails with a conflict if another worker has advanced it. */
  advanceRun(input: { runId: string } & AdvanceRun): Promise<Run>;
  /** Gets one run. */
  getRun(input: { runId: string }): Promise<Run>;
  /** Lists runs, filtered by thread, status or agent. */
  listRuns(input: RunFilter): Promise<Page<Run>>;
  /** Reads the journal of a run in order. */
  readJournal(input: { runId: string; after?: number; limit?: number }): Promise<Page<JournalEntry>>;
  /** Cancels a run, and the pending interactions that it waits for. */
  cancelRun(input: { runId: string } & CancelRun & Write): Promise<Run>;
  /** Repeats a failed or cancelled run from the start, as a new run. */
  restartRun(input: { runId: string } & Write): Promise<Run>;
  /** Waits until the agent has handled every message and answer of the thread, or until the time is up. */
  waitForTurn(input: { threadId: string } & Wait): Promise<Turn>;
}

export const runVerbs = specsOf<RunVerbs>()({
  beginRun: {
    callers: keys,
    summary: 'Begin or continue the run of a batch',
    description:
      'Only the worker that holds the batch may call it. It extends the lease. An open run continues. Otherwise a message that no run has received begins a new run. A result without a run means that these inputs need no work: complete the batch.',
    input: BeginRunSchema,
    output: BegunRunSchema,
  },
  advanceRun: {
    callers: keys,
    summary: 'Save the progress of a run',
    description:
      'Appends to the journal, and continues, suspends or ends the run. Fails if another worker has advanced it, so that only one of two workers continues.',
    input: AdvanceRunSchema,
    output: RunSchema,
  },
  listRuns: {
    callers: keyReaders,
    summary: 'List runs',
    description: 'Lists the oldest first, unless you set `order`.',
    input: RunFilterSchema,
    output: pageOf(RunSchema),
  },
  getRun: {
    callers: participantReaders,
    summary: 'Get a run',
    description: 'Returns its status, the conditions that it waits for, and its result or error.',
    output: RunSchema,
  },
  readJournal: {
    callers: keyReaders,
    summary: 'Read the journal of a run',
    description: 'Returns the recorded calls of the function in order, after an index.',
    input: pageAfter(limits.journalEntries),
    output: pageOf(JournalEntrySchema, { continueBy: 'after' }),
  },
  cancelRun: {
    callers: keys,
    summary: 'Cancel a run',
    description: 'Its pending interactions are cancelled first. A cancelled run does not change.',
    input: CancelRunSchema,
    output: RunSchema,
  },
  restartRun: {
    callers: keys,
    summary: 'Restart a run',
    description:
      'Only the last run of a thread can restart, after its end. A new run begins with the same inputs and an empty journal. A worker of its agent receives it.',
    status: 201,
    output: RunSchema,
  },
  waitForTurn: {
    callers: participantReaders,
    summary: 'Wait until the agent has finished its turn',
    description:
      'Returns when the agent has handled every message and answer, and the run of the thread waits or has ended. When the time is up, it returns with isSettled false: wait again.',
    input: WaitQuery,
    waits: true,
    output: TurnSchema,
  },
});
