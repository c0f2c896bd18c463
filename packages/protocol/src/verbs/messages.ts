/** The verbs of messages. People and agents post messages to a thread. */
import { type Static, Type } from 'typebox';
import {
  ActorSchema,
  BlockSchema,
  described,
  FreeObjectSchema,
  strictObject,
  TimestampSchema,
} from '../base-schemas.ts';
import { FileRefSchema } from '../fields/file-ref.ts';
import { limits } from '../limits.ts';
import { orderFrom, type Page, type PageRequest, page, pageOf, type Write } from './call.ts';
import { specsOf } from './specs-of.ts';
import { keys, participantReaders, participants } from './verb-spec.ts';

export const MessageSchema = strictObject({
  id: Type.String(),
  threadId: Type.String(),
  role: Type.Enum(['user', 'agent', 'system', 'tool']),
  blocks: Type.Array(BlockSchema),
  files: Type.Optional(Type.Array(FileRefSchema, { description: 'The files of the message.' })),
  state: Type.Optional(
    Type.Enum(['streaming', 'cancelled'], {
      description:
        'streaming: more text follows. cancelled: the message ended before it was complete. Absent: the message is complete.',
    }),
  ),
  by: ActorSchema,
  at: TimestampSchema,
  updatedAt: Type.Optional(TimestampSchema),
  metadata: Type.Optional(FreeObjectSchema),
});

export const PostMessageSchema = described(
  'Give text, blocks or streaming. The role defaults to user for a person and to agent for an API key.',
  {
    text: Type.Optional(Type.String({ minLength: 1, maxLength: limits.messageLength, description: 'Plain text.' })),
    blocks: Type.Optional(Type.Array(BlockSchema, { minItems: 1, maxItems: limits.blocks })),
    role: Type.Optional(MessageSchema.properties.role),
    streaming: Type.Optional(
      Type.Boolean({
        description: 'true: begins a message without text. Append its text piece by piece. Not for role user.',
      }),
    ),
    files: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: limits.idLength }), {
        minItems: 1,
        maxItems: limits.filesPerField,
        uniqueItems: true,
        description: 'Ids of files that were attached to the thread and belong to no other message.',
      }),
    ),
    metadata: Type.Optional(FreeObjectSchema),
  },
);

const AppendToMessageSchema = strictObject({
  text: Type.String({ minLength: 1, maxLength: limits.messageLength, description: 'The next piece.' }),
});
export const CompleteMessageSchema = strictObject({
  text: Type.Optional(
    Type.String({
      maxLength: limits.messageLength,
      description: 'The complete text. It replaces the appended pieces.',
    }),
  ),
});

export type Message = Static<typeof MessageSchema>;
export type PostMessage = Static<typeof PostMessageSchema>;
export type AppendToMessage = Static<typeof AppendToMessageSchema>;
export type CompleteMessage = Static<typeof CompleteMessageSchema>;

/** The messages of one thread. */
export interface MessageFilter extends PageRequest {
  threadId: string;
  order?: 'oldest' | 'newest';
}

/** The text of a message, without its other blocks. */
export const textOfMessage = ({ blocks }: Message): string =>
  blocks
    .flatMap(({ type, payload: { text } }) => (type === 'message' && typeof text === 'string' ? [text] : []))
    .join('\n\n');

export interface MessageVerbs {
  /** Posts a message to a thread, or begins one that is streamed. */
  postMessage(input: { threadId: string } & PostMessage & Write): Promise<Message>;
  /** Gets one message. While it is streamed, it has the text so far. */
  getMessage(input: { messageId: string }): Promise<Message>;
  /** Lists the messages of a thread. */
  listMessages(input: MessageFilter): Promise<Page<Message>>;
  /** Appends text to a message that is streamed. */
  appendToMessage(input: { messageId: string } & AppendToMessage): Promise<Message>;
  /** Ends a streamed message as complete. */
  completeMessage(input: { messageId: string } & CompleteMessage & Write): Promise<Message>;
  /** Ends a streamed message as cancelled. It keeps the text so far. */
  cancelMessage(input: { messageId: string } & Write): Promise<Message>;
}

export const messageVerbs = specsOf<MessageVerbs>()({
  postMessage: {
    callers: participants,
    summary: 'Post a message',
    description:
      'Appends the message to the log of the thread. If the thread has an agent, a message of a person is an input for it.',
    input: PostMessageSchema,
    status: 201,
    output: MessageSchema,
  },
  listMessages: {
    callers: participantReaders,
    summary: 'List the messages of a thread',
    description: 'Lists the oldest first, unless you set `order`.',
    input: strictObject({ order: orderFrom('oldest'), ...page }),
    output: pageOf(MessageSchema),
  },
  getMessage: {
    callers: participantReaders,
    summary: 'Get a message',
    description: 'A streaming message has the text so far.',
    output: MessageSchema,
  },
  appendToMessage: {
    callers: keys,
    summary: 'Append to a streamed message',
    description:
      'The text is stored when the call returns. Streams opened with ephemeral=true receive it. The server cancels a streaming message to which nothing is appended for a minute.',
    input: AppendToMessageSchema,
    output: MessageSchema,
  },
  completeMessage: {
    callers: keys,
    summary: 'Complete a streamed message',
    description: 'The complete text is the appended text, or the text of this call.',
    input: CompleteMessageSchema,
    output: MessageSchema,
  },
  cancelMessage: {
    callers: keys,
    summary: 'Cancel a streamed message',
    description: 'The message keeps the appended text.',
    output: MessageSchema,
  },
});
