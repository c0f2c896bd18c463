/** The verbs of threads. A thread is an ordered log of messages and interactions. */
import { type Static, Type } from 'typebox';
import {
  ActorSchema,
  clearable,
  described,
  FreeObjectSchema,
  GivenIdSchema,
  strictObject,
  TimestampSchema,
} from '../base-schemas.ts';
import { limits } from '../limits.ts';
import { type Page, PageQuery, type PageRequest, pageOf, type Write } from './call.ts';
import { AgentNameSchema } from './runs.ts';
import { specsOf } from './specs-of.ts';
import { keyReaders, keys, participantReaders, requesters } from './verb-spec.ts';

const Agent = Type.String({
  ...AgentNameSchema,
  description:
    'The agent of the thread: its workers receive the messages and answers. Without an agent, workers that serve no agent receive them.',
});
const Title = Type.String({ minLength: 1, maxLength: limits.titleLength });

export const ThreadSchema = strictObject({
  id: Type.String(),
  version: Type.Integer({ minimum: 1 }),
  title: Type.Optional(Title),
  agent: Type.Optional(Agent),
  metadata: Type.Optional(FreeObjectSchema),
  archivedAt: Type.Optional(TimestampSchema),
  createdBy: ActorSchema,
  createdAt: TimestampSchema,
  updatedAt: TimestampSchema,
});

export const CreateThreadSchema = strictObject({
  id: Type.Optional(GivenIdSchema),
  title: Type.Optional(Title),
  agent: Type.Optional(Agent),
  metadata: Type.Optional(FreeObjectSchema),
});

const UpdateThreadSchema = described('Changes only the properties that you give; null removes one.', {
  expectedVersion: Type.Optional(Type.Integer({ minimum: 1 })),
  title: clearable(Title),
  agent: clearable(Agent),
  metadata: clearable(FreeObjectSchema, 'Replaces the whole object.'),
  isArchived: Type.Optional(Type.Boolean()),
});

export type Thread = Static<typeof ThreadSchema>;
export type CreateThread = Static<typeof CreateThreadSchema>;
export type UpdateThread = Static<typeof UpdateThreadSchema>;

export interface ThreadVerbs {
  /** Creates a thread, with an id of your choice or of the server. */
  createThread(input: CreateThread & Write): Promise<Thread>;
  /** Gets one thread. */
  getThread(input: { threadId: string }): Promise<Thread>;
  /** Lists all threads, the newest first. */
  listThreads(input: PageRequest): Promise<Page<Thread>>;
  /** Changes the title, agent or metadata of a thread, or archives it. */
  updateThread(input: { threadId: string } & UpdateThread & Write): Promise<Thread>;
}

export const threadVerbs = specsOf<ThreadVerbs>()({
  createThread: {
    callers: requesters,
    summary: 'Create a thread',
    description: 'You may choose the id. Otherwise the server creates one.',
    input: CreateThreadSchema,
    status: 201,
    output: ThreadSchema,
  },
  listThreads: {
    callers: keyReaders,
    summary: 'List threads, the newest first',
    description: 'Lists the threads of the org, including archived ones.',
    input: PageQuery,
    output: pageOf(ThreadSchema),
  },
  getThread: {
    callers: [...participantReaders, 'client'],
    summary: 'Get a thread',
    description: 'Returns the thread without its messages and interactions. They have their own lists.',
    output: ThreadSchema,
  },
  updateThread: {
    callers: keys,
    summary: 'Change a thread',
    description:
      'Changes its title, agent or metadata, or archives it. An archived thread works as before. The agent cannot change while a run is open.',
    input: UpdateThreadSchema,
    output: ThreadSchema,
  },
});
