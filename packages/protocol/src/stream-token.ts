/** Stream tokens: what a browser's EventSource, which sends no header, opens an event stream with. */
import { type Static, Type } from 'typebox';
import { EventTypeSchema, eventTypes } from './event.ts';
import { TimestampSchema } from './free-json.ts';
import { limits } from './limits.ts';

const strict = { additionalProperties: false };
const Id = Type.String({ minLength: 1, maxLength: limits.idLength });

export const CreateStreamTokenSchema = Type.Object(
  {
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
        description: 'The earliest place the stream may begin: a cursor, or start. Without it: when the token is made.',
      }),
    ),
    ttlSeconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: limits.streamTokenSeconds,
        description: 'How long the token can open the stream; a minute if left out.',
      }),
    ),
  },
  { ...strict, description: 'The filter of the stream. The token opens this stream and nothing else.' },
);

export const StreamTokenSchema = Type.Object(
  {
    token: Type.String(),
    expiresAt: TimestampSchema,
    url: Type.Optional(
      Type.String({ description: 'The address for EventSource. Absent if the server does not know its own address.' }),
    ),
  },
  strict,
);

export type CreateStreamToken = Static<typeof CreateStreamTokenSchema>;
export type StreamToken = Static<typeof StreamTokenSchema>;
