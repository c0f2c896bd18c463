/** A callback: the one request that a server sends when a question closes, to the address that its asker gave. */
import { type Static, Type } from 'typebox';
import { TimestampSchema } from './free-json.ts';
import { AttemptSchema } from './webhook.ts';

const strict = { additionalProperties: false };

export const CallbackSchema = Type.Object(
  {
    interactionId: Type.String(),
    url: Type.String({ description: 'Where it is sent to.' }),
    status: Type.Enum(['waiting', 'pending', 'delivered', 'dead'], {
      description: 'waiting: not attempted yet. pending: it failed, and is attempted again. dead: given up.',
    }),
    attempts: Type.Array(AttemptSchema, { description: 'In order.' }),
    nextAttemptAt: Type.Optional(TimestampSchema),
    settledAt: Type.Optional(TimestampSchema),
  },
  { ...strict, description: 'All attempts to send one callback.' },
);

export const CallbackSecretSchema = Type.Object(
  { secret: Type.String({ description: 'Signs the callbacks of questions that this key asks.' }) },
  strict,
);

export type Callback = Static<typeof CallbackSchema>;
export type CallbackSecret = Static<typeof CallbackSecretSchema>;
