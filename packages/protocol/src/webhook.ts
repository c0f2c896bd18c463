/** A webhook, which receives events, and its deliveries. */
import { type Static, Type } from 'typebox';
import { described, strictObject, TimestampSchema, wholeNumber } from './base-schemas.ts';
import { EventSchema, EventTypeSchema, eventTypes } from './event.ts';
import { limits } from './limits.ts';

const ThreadId = Type.String({ minLength: 1, maxLength: limits.idLength });

export const webhookSettings = {
  url: Type.String({ minLength: 1, maxLength: limits.urlLength, description: 'http or https, without a password.' }),
  description: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: limits.reasonLength,
      description: 'The purpose of the webhook, as text for people.',
    }),
  ),
  events: Type.Optional(
    Type.Array(EventTypeSchema, {
      minItems: 1,
      maxItems: eventTypes.length,
      uniqueItems: true,
      description: 'Only events of these types. Default: all.',
    }),
  ),
  threadId: Type.Optional(Type.String({ ...ThreadId, description: 'Only events of this thread.' })),
  format: Type.Enum(['standard', 'opengram'], {
    description:
      'standard (the default): Standard Webhooks. opengram: the envelope of Opengram, also with its signature.',
  }),
  order: Type.Enum(['none', 'thread'], {
    description:
      'none (the default): each event is sent at once. thread: an event waits until the earlier events of its thread are delivered or dead.',
  }),
  concurrency: wholeNumber(1, limits.webhookConcurrency, 'Maximum number of simultaneous attempts. Default: 8.'),
  timeoutMs: wholeNumber(
    limits.webhookTimeoutMs.min,
    limits.webhookTimeoutMs.max,
    'Longer attempts fail. Default: 15 s.',
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
      description:
        'asked: a call disabled it. gone: the address returned 410. failing: every attempt failed for three days.',
    }),
  ),
  disabledAt: Type.Optional(TimestampSchema),
  failingSince: Type.Optional(TimestampSchema),
  isReplaying: Type.Optional(Type.Boolean({ description: 'true: a replay of earlier deliveries is running.' })),
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
  description: 'dead: the server gave up after three days. You can replay it.',
});

export const DeliverySchema = described('All attempts to send one event to one webhook.', {
  id: Type.String(),
  webhookId: Type.String({ description: 'The webhook that receives it.' }),
  event: described('The event that is sent.', {
    cursor: EventSchema.properties.cursor,
    threadId: EventSchema.properties.threadId,
    seq: EventSchema.properties.seq,
    type: EventSchema.properties.type,
  }),
  status: DeliveryStatusSchema,
  attempts: Type.Array(AttemptSchema, { description: 'The attempts, the oldest first.' }),
  nextAttemptAt: Type.Optional(TimestampSchema),
  createdAt: TimestampSchema,
  settledAt: Type.Optional(TimestampSchema),
  replayOf: Type.Optional(Type.String({ description: 'The delivery that this one repeats.' })),
  replayedBy: Type.Optional(Type.String({ description: 'The delivery that repeats this one.' })),
});

export type Webhook = Static<typeof WebhookSchema>;
export type Attempt = Static<typeof AttemptSchema>;
export type DeliveryStatus = Static<typeof DeliveryStatusSchema>;
export type Delivery = Static<typeof DeliverySchema>;
