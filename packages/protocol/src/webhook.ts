/** A webhook, which receives events, and its deliveries. */
import { type Static, Type } from 'typebox';
import { strictObject, TimestampSchema, wholeNumber } from './base-schemas.ts';
import { EventSchema, EventTypeSchema, eventTypes } from './event.ts';
import { limits } from './limits.ts';

const ThreadId = Type.String({ minLength: 1, maxLength: limits.idLength });

export const webhookSettings = {
  url: Type.String({ minLength: 1, maxLength: limits.urlLength, description: 'http or https, without a password.' }),
  description: Type.Optional(
    Type.String({ minLength: 1, maxLength: limits.reasonLength, description: 'What the webhook is for.' }),
  ),
  events: Type.Optional(
    Type.Array(EventTypeSchema, {
      minItems: 1,
      maxItems: eventTypes.length,
      uniqueItems: true,
      description: 'Only events of these types; by default all.',
    }),
  ),
  threadId: Type.Optional(Type.String({ ...ThreadId, description: 'Only events of this thread.' })),
  format: Type.Enum(['standard', 'opengram'], {
    description:
      'standard (the default): Standard Webhooks. opengram: the envelope of Opengram, also with its signature.',
  }),
  order: Type.Enum(['none', 'thread'], {
    description:
      'none (the default): each event is sent at once. thread: after all earlier events of its thread were delivered or given up.',
  }),
  concurrency: wholeNumber(1, limits.webhookConcurrency, 'Maximum number of simultaneous attempts; 8 by default.'),
  timeoutMs: wholeNumber(
    limits.webhookTimeoutMs.min,
    limits.webhookTimeoutMs.max,
    'An attempt that takes longer fails; 15 s by default.',
  ),
};

export const WebhookSchema = strictObject({
  id: Type.String(),
  ...webhookSettings,
  headerNames: Type.Array(Type.String(), {
    description: 'Names of the headers sent with every attempt. Their values are never returned.',
  }),
  status: Type.Enum(['enabled', 'disabled'], { description: 'A disabled webhook keeps its position in the log.' }),
  disabledReason: Type.Optional(
    Type.Enum(['asked', 'gone', 'failing'], {
      description: 'asked: by a call. gone: the address returned 410. failing: every attempt failed for three days.',
    }),
  ),
  disabledAt: Type.Optional(TimestampSchema),
  failingSince: Type.Optional(TimestampSchema),
  isReplaying: Type.Optional(Type.Boolean({ description: 'Earlier deliveries are still being sent again.' })),
  createdAt: TimestampSchema,
  updatedAt: TimestampSchema,
});

export const AttemptSchema = strictObject({
  at: TimestampSchema,
  durationMs: Type.Integer({ minimum: 0, description: 'Duration in milliseconds.' }),
  status: Type.Optional(Type.Integer({ description: 'Status of the HTTP response, if there was one.' })),
  error: Type.Optional(Type.String({ description: 'Reason of the failure.' })),
});

export const DeliveryStatusSchema = Type.Enum(['pending', 'delivered', 'dead'], {
  description: 'dead: given up after three days. You can replay it.',
});

export const DeliverySchema = strictObject(
  {
    id: Type.String(),
    webhookId: Type.String({ description: 'The webhook that receives it.' }),
    event: strictObject(
      {
        cursor: EventSchema.properties.cursor,
        threadId: EventSchema.properties.threadId,
        seq: EventSchema.properties.seq,
        type: EventSchema.properties.type,
      },
      { description: 'The event that is sent.' },
    ),
    status: DeliveryStatusSchema,
    attempts: Type.Array(AttemptSchema, { description: 'The oldest first.' }),
    nextAttemptAt: Type.Optional(TimestampSchema),
    createdAt: TimestampSchema,
    settledAt: Type.Optional(TimestampSchema),
    replayOf: Type.Optional(Type.String({ description: 'The delivery that this one repeats.' })),
    replayedBy: Type.Optional(Type.String({ description: 'The delivery that repeats this one.' })),
  },
  { description: 'All attempts to send one event to one webhook.' },
);

export type Webhook = Static<typeof WebhookSchema>;
export type Attempt = Static<typeof AttemptSchema>;
export type DeliveryStatus = Static<typeof DeliveryStatusSchema>;
export type Delivery = Static<typeof DeliverySchema>;
