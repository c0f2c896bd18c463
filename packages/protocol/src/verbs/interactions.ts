/** The verbs of interactions, except those that answer. An interaction is one durable question. */
import { type Static, Type } from 'typebox';
import { described, FreeObjectSchema, outerId, strictObject, TimestampSchema, wholeNumber } from '../base-schemas.ts';
import {
  type Cancel,
  CancelSchema,
  type CreateInteraction,
  CreateInteractionSchema,
  type Interaction,
  InteractionSchema,
  StatusSchema,
  type UpdateInteraction,
  UpdateInteractionSchema,
  withAnyVersion,
} from '../interaction.ts';
import { limits, thousands } from '../limits.ts';
import { KindSchema } from '../question.ts';
import { Id, orderFrom, type Page, page, pageOf, type Wait, WaitQuery, type Write } from './call.ts';
import { specsOf } from './specs-of.ts';
import { answerReaders, everybody, keyReaders, keys, listers, requesters } from './verb-spec.ts';

const filter = {
  status: Type.Optional(StatusSchema),
  threadId: Type.Optional(Id),
  kind: Type.Optional(KindSchema),
  runId: Type.Optional(Id),
  assignee: Type.Optional(outerId({ description: 'Only pending interactions that name this person as an assignee.' })),
};

const InteractionFilterSchema = strictObject({
  ...filter,
  order: orderFrom('oldest'),
  offset: Type.Optional(wholeNumber(0, limits.counted, 'Number of items to skip. Prefer `cursor`.', 0)),
  ...page,
});

const InteractionCountSchema = strictObject({
  ...filter,
  archived: Type.Optional(
    Type.Enum(['true', 'false'], {
      description: 'true: only interactions of archived threads. false: only those of other threads.',
    }),
  ),
});

const CountedInteractionsSchema = strictObject({
  count: wholeNumber(0, limits.counted, `Number of interactions, up to ${thousands(limits.counted)}.`),
  isPartial: Type.Optional(
    Type.Literal(true, {
      description: 'true: the server stopped before it had examined all interactions, so there may be more.',
    }),
  ),
});

const count = (description: string) => Type.Integer({ minimum: 0, description });

const OverviewQuerySchema = strictObject({
  hours: Type.Optional(wholeNumber(1, limits.overviewHours, 'Length of the period, in hours.', 24)),
});

const OverviewBucketSchema = described(
  'Interactions created from this time until the next, by their current outcome.',
  {
    at: TimestampSchema,
    created: count('Number of created interactions.'),
    answered: count('Number of these with an accepted answer.'),
    declined: count('Number of these that were declined.'),
    expired: count('Number of these that expired.'),
    cancelled: count('Number of these that were cancelled.'),
    medianWaitMs: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Median time from creation to an answer or decline by a responder.' }),
    ),
  },
);

const OverviewSchema = strictObject({
  pending: wholeNumber(0, limits.counted, `Number of pending interactions, up to ${thousands(limits.counted)}.`),
  oldestPendingAt: Type.Optional(TimestampSchema),
  hours: wholeNumber(1, limits.overviewHours, 'Length of the period, in hours.'),
  isPartial: Type.Boolean({
    description: `true: the period has more than ${thousands(limits.overviewInteractions)} interactions. Only the newest of them are counted.`,
  }),
  buckets: Type.Array(OverviewBucketSchema, { description: '24 to 30 periods of equal length, the oldest first.' }),
});

/**
 * A dialect shows a question by its original request. Only the routes of that dialect may write it. Otherwise an agent could
 * show "List the folder?" there for a question that deletes it. Assistants also run outside the server, so they send theirs.
 */
const original = Type.Optional(
  described('The tool call of an assistant, as its dialect shows it.', {
    dialect: Type.Enum(['assistant']),
    sent: FreeObjectSchema,
  }),
);

export type InteractionFilter = Static<typeof InteractionFilterSchema>;
export type InteractionCount = Static<typeof InteractionCountSchema>;
/** The number of interactions that a filter matches, as far as the server counts. */
export type CountedInteractions = Static<typeof CountedInteractionsSchema>;
export type OverviewQuery = Static<typeof OverviewQuerySchema>;
export type Overview = Static<typeof OverviewSchema>;
export type OverviewBucket = Static<typeof OverviewBucketSchema>;

export interface InteractionVerbs {
  /** Asks a question in a thread. Returns at once, with the pending interaction. */
  createInteraction(input: { threadId: string } & CreateInteraction & Write): Promise<Interaction>;
  /** Gets one interaction. */
  getInteraction(input: { interactionId: string }): Promise<Interaction>;
  /** Lists interactions, filtered by status, thread, kind, run or assignee. */
  listInteractions(input: InteractionFilter): Promise<Page<Interaction>>;
  /** Counts interactions, up to `limits.counted`. */
  countInteractions(input: InteractionCount): Promise<CountedInteractions>;
  /** Sums up the newest interactions of a period, at most `limits.overviewInteractions`. */
  getOverview(input: OverviewQuery): Promise<Overview>;
  /** Changes a pending interaction: its question, its deadline or its metadata. */
  updateInteraction(input: { interactionId: string } & UpdateInteraction): Promise<Interaction>;
  /** Cancels a pending interaction. */
  cancelInteraction(input: { interactionId: string } & Cancel & Write): Promise<Interaction>;
  /** Waits until the interaction closes. When the time is up, it returns the interaction, still pending. */
  waitForInteraction(input: { interactionId: string } & Wait): Promise<Interaction>;
}

export const interactionVerbs = specsOf<InteractionVerbs>()({
  createInteraction: {
    callers: requesters,
    summary: 'Ask a question',
    description:
      'Creates a pending interaction. A title alone asks for text. With options it is a choice, with fields a form. kind: approval asks for a decision about arguments.',
    input: strictObject({ ...CreateInteractionSchema.properties, original }),
    // The rules report a blank title, like a missing one.
    dialectInput: strictObject({
      ...CreateInteractionSchema.properties,
      title: Type.String({ maxLength: limits.titleLength }),
    }),
    status: 201,
    output: InteractionSchema,
  },
  listInteractions: {
    callers: listers,
    summary: 'List interactions',
    description:
      'Lists the oldest first, unless you set `order`. A token for an inbox lists only interactions that name its person as an assignee.',
    input: InteractionFilterSchema,
    output: pageOf(InteractionSchema),
  },
  countInteractions: {
    callers: listers,
    summary: 'Count interactions',
    description: `Counts up to ${thousands(limits.counted)}, with the filters of the list.`,
    input: InteractionCountSchema,
    output: CountedInteractionsSchema,
  },
  getOverview: {
    callers: keyReaders,
    summary: 'Summarize recent interactions',
    description: `Counts interactions by the time they were created. Reads at most the newest ${thousands(limits.overviewInteractions)}.`,
    input: OverviewQuerySchema,
    output: OverviewSchema,
  },
  getInteraction: {
    callers: answerReaders,
    summary: 'Get an interaction',
    description: 'Returns the question, its status, every vote, and the answer that closed it.',
    output: InteractionSchema,
  },
  updateInteraction: {
    callers: keys,
    summary: 'Change a pending interaction',
    description:
      'After a vote, only the deadline, escalations, trace and metadata can change. A closed interaction never changes.',
    input: described('Changes only the properties that you give; null removes one.', {
      ...UpdateInteractionSchema.properties,
      original,
    }),
    dialectInput: withAnyVersion(UpdateInteractionSchema),
    output: InteractionSchema,
  },
  cancelInteraction: {
    callers: requesters,
    summary: 'Cancel an interaction',
    description:
      'A cancelled interaction cannot be answered. Callers that wait for it receive it with status cancelled.',
    input: CancelSchema,
    dialectInput: withAnyVersion(CancelSchema),
    output: InteractionSchema,
  },
  waitForInteraction: {
    callers: everybody,
    summary: 'Wait for the answer',
    description:
      'Returns within milliseconds of the answer. When the time is up, it returns the interaction with status pending: wait again. No answer is lost between two waits.',
    input: WaitQuery,
    waits: true,
    output: InteractionSchema,
  },
});
