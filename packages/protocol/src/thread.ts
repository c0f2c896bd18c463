/** A thread: an ordered log of messages and interactions. */
import { type Static, Type } from 'typebox';
import { ActorSchema } from './actor.ts';
import { BlockSchema } from './block.ts';
import { FreeObjectSchema, TimestampSchema } from './free-json.ts';
import { GivenIdSchema } from './ids.ts';
import { limits } from './limits.ts';

const strict = { additionalProperties: false };
const Title = Type.String({ minLength: 1, maxLength: limits.titleLength });

export const ThreadSchema = Type.Object(
  {
    id: Type.String(),
    title: Type.Optional(Title),
    metadata: Type.Optional(FreeObjectSchema),
    createdBy: ActorSchema,
    createdAt: TimestampSchema,
  },
  strict,
);

export const CreateThreadSchema = Type.Object(
  {
    id: Type.Optional(GivenIdSchema),
    title: Type.Optional(Title),
    metadata: Type.Optional(FreeObjectSchema),
  },
  strict,
);

export const MessageSchema = Type.Object(
  {
    id: Type.String(),
    threadId: Type.String(),
    role: Type.Enum(['user', 'agent', 'system', 'tool']),
    blocks: Type.Array(BlockSchema),
    by: ActorSchema,
    at: TimestampSchema,
    metadata: Type.Optional(FreeObjectSchema),
  },
  strict,
);

export const PostMessageSchema = Type.Object(
  {
    text: Type.Optional(Type.String({ minLength: 1, maxLength: limits.messageLength, description: 'Plain text.' })),
    blocks: Type.Optional(Type.Array(BlockSchema, { minItems: 1, maxItems: limits.blocks })),
    role: Type.Optional(MessageSchema.properties.role),
    metadata: Type.Optional(FreeObjectSchema),
  },
  {
    ...strict,
    description: 'Give text or blocks. The role defaults to user for a person and to agent for an API key.',
  },
);

export type Thread = Static<typeof ThreadSchema>;
export type CreateThread = Static<typeof CreateThreadSchema>;
export type Message = Static<typeof MessageSchema>;
export type PostMessage = Static<typeof PostMessageSchema>;
