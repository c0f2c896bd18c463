/** A thread: an ordered log of messages and interactions. */
import { type Static, Type } from 'typebox';
import { ActorSchema } from './actor.ts';
import { BlockSchema } from './block.ts';
import { FileRefSchema } from './fields/file-ref.ts';
import { FreeObjectSchema, TimestampSchema } from './free-json.ts';
import { GivenIdSchema } from './ids.ts';
import { limits } from './limits.ts';
import { AgentNameSchema } from './run.ts';

const strict = { additionalProperties: false };
const Agent = Type.String({
  ...AgentNameSchema,
  description: 'Whose workers are handed what is said and answered here; without it, those that serve no agent.',
});
const Title = Type.String({ minLength: 1, maxLength: limits.titleLength });

export const ThreadSchema = Type.Object(
  {
    id: Type.String(),
    version: Type.Integer({ minimum: 1 }),
    title: Type.Optional(Title),
    agent: Type.Optional(Agent),
    metadata: Type.Optional(FreeObjectSchema),
    archivedAt: Type.Optional(TimestampSchema),
    createdBy: ActorSchema,
    createdAt: TimestampSchema,
    updatedAt: TimestampSchema,
  },
  strict,
);

export const CreateThreadSchema = Type.Object(
  {
    id: Type.Optional(GivenIdSchema),
    title: Type.Optional(Title),
    agent: Type.Optional(Agent),
    metadata: Type.Optional(FreeObjectSchema),
  },
  strict,
);

export const UpdateThreadSchema = Type.Object(
  {
    expectedVersion: Type.Optional(Type.Integer({ minimum: 1 })),
    title: Type.Optional(Type.Union([Title, Type.Null()])),
    agent: Type.Optional(Type.Union([Agent, Type.Null()])),
    metadata: Type.Optional(
      Type.Union([FreeObjectSchema, Type.Null()], { description: 'Takes the place of all of it.' }),
    ),
    isArchived: Type.Optional(Type.Boolean()),
  },
  { ...strict, description: 'Only what is named changes; null removes.' },
);

export const MessageSchema = Type.Object(
  {
    id: Type.String(),
    threadId: Type.String(),
    role: Type.Enum(['user', 'agent', 'system', 'tool']),
    blocks: Type.Array(BlockSchema),
    files: Type.Optional(Type.Array(FileRefSchema, { description: 'Files that came with it.' })),
    state: Type.Optional(
      Type.Enum(['streaming', 'cancelled'], {
        description: 'streaming: more of it comes. cancelled: it ended before it was whole. Else it is whole.',
      }),
    ),
    by: ActorSchema,
    at: TimestampSchema,
    updatedAt: Type.Optional(TimestampSchema),
    metadata: Type.Optional(FreeObjectSchema),
  },
  strict,
);

export const PostMessageSchema = Type.Object(
  {
    text: Type.Optional(Type.String({ minLength: 1, maxLength: limits.messageLength, description: 'Plain text.' })),
    blocks: Type.Optional(Type.Array(BlockSchema, { minItems: 1, maxItems: limits.blocks })),
    role: Type.Optional(MessageSchema.properties.role),
    streaming: Type.Optional(
      Type.Boolean({ description: 'Begins a message whose text comes piece by piece; not one of role user.' }),
    ),
    files: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: limits.idLength }), {
        minItems: 1,
        maxItems: limits.filesPerField,
        uniqueItems: true,
        description: 'The ids of files that were attached to the thread, and that no other message has.',
      }),
    ),
    metadata: Type.Optional(FreeObjectSchema),
  },
  {
    ...strict,
    description:
      'Give text or blocks, or streaming. The role defaults to user for a person and to agent for an API key.',
  },
);

export const AppendToMessageSchema = Type.Object(
  { text: Type.String({ minLength: 1, maxLength: limits.messageLength, description: 'What comes next.' }) },
  strict,
);
export const CompleteMessageSchema = Type.Object(
  {
    text: Type.Optional(
      Type.String({ maxLength: limits.messageLength, description: 'The whole text, in place of what was appended.' }),
    ),
  },
  strict,
);

export type Thread = Static<typeof ThreadSchema>;
export type CreateThread = Static<typeof CreateThreadSchema>;
export type UpdateThread = Static<typeof UpdateThreadSchema>;
export type Message = Static<typeof MessageSchema>;
export type PostMessage = Static<typeof PostMessageSchema>;
export type AppendToMessage = Static<typeof AppendToMessageSchema>;
export type CompleteMessage = Static<typeof CompleteMessageSchema>;
