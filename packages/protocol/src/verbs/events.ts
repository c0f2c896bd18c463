/** The verbs of events: reading the log of a thread, and tokens for event streams. */
import { type Static, Type } from 'typebox';
import { described, strictObject, TimestampSchema, wholeNumber } from '../base-schemas.ts';
import { EventSchema, type EventType, EventTypeSchema, eventTypes, type LogEvent } from '../event.ts';
import { limits } from '../limits.ts';
import { Id, type Page, pageAfter, pageOf } from './call.ts';
import { specsOf } from './specs-of.ts';
import { keys, participantReaders } from './verb-spec.ts';

const CreateStreamTokenSchema = described('The filter of the stream. The token opens this stream and nothing else.', {
  threadId: Type.Optional(Id),
  interactionId: Type.Optional(Id),
  types: Type.Optional(
    Type.Array(EventTypeSchema, {
      minItems: 1,
      maxItems: eventTypes.length,
      description: 'Only events of these types.',
    }),
  ),
  ephemeral: Type.Optional(Type.Boolean({ description: 'Also sends ephemeral events.' })),
  after: Type.Optional(
    Type.String({
      maxLength: 64,
      description:
        'The earliest position at which the stream can begin: a cursor, or start. Default: the time at which the token is created.',
    }),
  ),
  ttlSeconds: Type.Optional(
    wholeNumber(
      1,
      limits.streamTokenSeconds,
      'Time in seconds for which the token can open the stream. Default: a minute.',
    ),
  ),
});

const StreamTokenSchema = strictObject({
  token: Type.String(),
  expiresAt: TimestampSchema,
  url: Type.Optional(
    Type.String({ description: 'The address for EventSource. Absent if the server does not know its own address.' }),
  ),
});

export type CreateStreamToken = Static<typeof CreateStreamTokenSchema>;
export type StreamToken = Static<typeof StreamTokenSchema>;

/** The events that a stream or a loop receives. Without a property, it receives all. */
export interface EventFilter {
  threadId?: string;
  interactionId?: string;
  types?: readonly EventType[];
}

export interface EventVerbs {
  /** Reads the events of a thread in order, after a sequence number. */
  readLog(input: { threadId: string; after?: number; limit?: number }): Promise<Page<LogEvent>>;
  /** Creates a token with which a browser's EventSource can open one event stream, for a few minutes. */
  mintStreamToken(input: CreateStreamToken): Promise<StreamToken>;
}

export const eventVerbs = specsOf<EventVerbs>()({
  readLog: {
    callers: participantReaders,
    summary: 'Read the log of a thread',
    description: 'Returns every event of the thread in order, without a gap, after a sequence number.',
    input: pageAfter(),
    output: pageOf(EventSchema, { continueBy: 'after' }),
  },
  mintStreamToken: {
    callers: keys,
    summary: 'Create a token for one event stream',
    description:
      'For the EventSource of a browser, which sends no Authorization header: the address has the token. The token expires within minutes and opens only this stream. An open stream stays open until the key that created the token is revoked.',
    input: CreateStreamTokenSchema,
    status: 201,
    output: StreamTokenSchema,
  },
});
