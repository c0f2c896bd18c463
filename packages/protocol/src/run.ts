/** A run: an agent's execution on a thread, with the journal from which it can be replayed. */
import { type Static, Type } from 'typebox';
import { TimestampSchema } from './free-json.ts';
import { outerId } from './ids.ts';
import { limits } from './limits.ts';

const strict = { additionalProperties: false };

export const AgentNameSchema = outerId({ description: 'The name of an agent.' });

export const RunStatusSchema = Type.Enum(['running', 'waiting', 'completed', 'failed', 'cancelled']);

const WaitSchema = Type.Union(
  [
    Type.Object({ type: Type.Literal('interaction'), interactionId: Type.String() }, strict),
    Type.Object({ type: Type.Literal('message') }, strict),
    Type.Object({ type: Type.Literal('time'), until: TimestampSchema }, strict),
  ],
  { description: 'What a run waits for: an answer, the next message of a person, or a time.' },
);
const Waits = Type.Array(WaitSchema, {
  minItems: 1,
  maxItems: limits.runWaits,
  description: 'While it waits: whichever comes first lets it go on.',
});

const RunErrorSchema = Type.Object(
  {
    code: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'journal-mismatch: the function no longer fits its journal. Others are the agent’s own.',
    }),
    message: Type.String({ minLength: 1, maxLength: limits.reasonLength }),
    call: Type.Optional(Type.Integer({ minimum: 1, description: 'The call of the function at which it failed.' })),
  },
  strict,
);

export const RunSchema = Type.Object(
  {
    id: Type.String(),
    threadId: Type.String(),
    agent: AgentNameSchema,
    status: RunStatusSchema,
    version: Type.Integer({ minimum: 1 }),
    fromSeq: Type.Integer({ minimum: 1, description: 'The input that started it, by its place in the thread’s log.' }),
    deliveredSeq: Type.Integer({ minimum: 1, description: 'The last input it was given.' }),
    waitingFor: Type.Optional(Waits),
    entries: Type.Integer({ minimum: 0, description: 'How long its journal is.' }),
    result: Type.Optional(Type.Unknown()),
    error: Type.Optional(RunErrorSchema),
    cancelReason: Type.Optional(Type.String()),
    restartOf: Type.Optional(Type.String({ description: 'The run that this one does again from the start.' })),
    createdAt: TimestampSchema,
    updatedAt: TimestampSchema,
    endedAt: Type.Optional(TimestampSchema),
  },
  { ...strict, description: 'One of a thread is open at a time, running or waiting.' },
);

const entry = {
  call: Type.Integer({ minimum: 1, description: 'Which call of the function it belongs to: 1, 2, 3, …' }),
  type: Type.Enum(['say', 'ask', 'step', 'sleep', 'message', 'now', 'random']),
  name: Type.String({ maxLength: limits.idLength, description: 'What tells the call from another of its type.' }),
  state: Type.Enum(['begun', 'done', 'failed']),
  data: Type.Optional(Type.Unknown({ description: 'What the call gave, or is waiting for.' })),
};

export const JournalEntrySchema = Type.Object(
  { index: Type.Integer({ minimum: 1, description: '1, 2, 3, … without a gap.' }), ...entry, at: TimestampSchema },
  strict,
);

export const BeginRunSchema = Type.Object({ workerId: outerId({ description: 'Who holds the batch.' }) }, strict);

export const BegunRunSchema = Type.Object(
  { run: Type.Optional(RunSchema) },
  { ...strict, description: 'The run that the inputs of the batch are for, running; none where they are for none.' },
);

export const AdvanceRunSchema = Type.Object(
  {
    expectedVersion: Type.Integer({ minimum: 1, description: 'Refused where somebody else has advanced it.' }),
    entries: Type.Optional(
      Type.Array(Type.Object(entry, strict), {
        maxItems: limits.pageSize,
        description: 'Appended to the journal.',
      }),
    ),
    status: Type.Optional(Type.Enum(['running', 'waiting', 'completed', 'failed'])),
    waitingFor: Type.Optional(Waits),
    result: Type.Optional(Type.Unknown()),
    error: Type.Optional(RunErrorSchema),
  },
  { ...strict, description: 'waiting takes waitingFor, completed a result if it has one, failed an error.' },
);

export const CancelRunSchema = Type.Object(
  { reason: Type.Optional(Type.String({ minLength: 1, maxLength: limits.reasonLength })) },
  strict,
);

export const TurnSchema = Type.Object(
  {
    isSettled: Type.Boolean({
      description: 'Whether all that was said and answered in the thread has been worked on, and the run rests.',
    }),
    run: Type.Optional(RunSchema),
  },
  { ...strict, description: 'The last run of the thread.' },
);

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
