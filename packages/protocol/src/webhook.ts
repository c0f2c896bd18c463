/** A webhook: where events are sent to, and what became of each. */
import { type Static, Type } from 'typebox';
import { EventSchema, EventTypeSchema, eventTypes } from './event.ts';
import { TimestampSchema } from './free-json.ts';
import { limits } from './limits.ts';

const strict = { additionalProperties: false };
const ThreadId = Type.String({ minLength: 1, maxLength: limits.idLength });

const settings = {
  url: Type.String({ minLength: 1, maxLength: limits.urlLength, description: 'http or https, without a password.' }),
  description: Type.Optional(
    Type.String({ minLength: 1, maxLength: limits.reasonLength, description: 'What it is for, in your words.' }),
  ),
  events: Type.Optional(
    Type.Array(EventTypeSchema, {
      minItems: 1,
      maxItems: eventTypes.length,
      uniqueItems: true,
      description: 'Only events of these types; without it, all.',
    }),
  ),
  threadId: Type.Optional(Type.String({ ...ThreadId, description: 'Only events of this thread.' })),
  format: Type.Enum(['standard', 'opengram'], {
    description: 'standard (the default): Standard Webhooks. opengram: also signed as Opengram does, in its envelope.',
  }),
  order: Type.Enum(['none', 'thread'], {
    description:
      'none (the default): an event is sent at once. thread: once all earlier ones of its thread were taken, or given up.',
  }),
  concurrency: Type.Integer({
    minimum: 1,
    maximum: limits.webhookConcurrency,
    description: 'Attempts at a time; 8, unless you say otherwise.',
  }),
  timeoutMs: Type.Integer({
    minimum: limits.webhookTimeoutMs.min,
    maximum: limits.webhookTimeoutMs.max,
    description: 'An attempt that takes longer has failed; 15 s, unless you say otherwise.',
  }),
};

export const WebhookSchema = Type.Object(
  {
    id: Type.String(),
    ...settings,
    headerNames: Type.Array(Type.String(), {
      description: 'Headers sent with every attempt; their values stay hidden.',
    }),
    status: Type.Enum(['enabled', 'disabled'], { description: 'A disabled one keeps its place in the log.' }),
    disabledReason: Type.Optional(
      Type.Enum(['asked', 'gone', 'failing'], { description: 'gone: it answered 410. failing: for three days.' }),
    ),
    disabledAt: Type.Optional(TimestampSchema),
    failingSince: Type.Optional(TimestampSchema),
    isReplaying: Type.Optional(Type.Boolean({ description: 'Earlier deliveries are still being sent again.' })),
    createdAt: TimestampSchema,
    updatedAt: TimestampSchema,
  },
  strict,
);

const HeadersSchema = Type.Record(
  Type.String({ pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$" }),
  Type.String({ maxLength: limits.webhookHeaderLength, pattern: '^[\\x20-\\x7e]*$' }),
  {
    ...strict,
    maxProperties: limits.webhookHeaders,
    description: 'Sent with every attempt, such as an Authorization.',
  },
);

const SecretSchema = Type.String({
  pattern: '^(whsec_[A-Za-z0-9+/]{32,88}={0,2}|[\\x21-\\x7e]{16,128})$',
  description: 'whsec_ and 24 to 64 bytes in base64; any other text of 16 to 128 characters only with format opengram.',
});

const optional = {
  format: Type.Optional(settings.format),
  order: Type.Optional(settings.order),
  concurrency: Type.Optional(settings.concurrency),
  timeoutMs: Type.Optional(settings.timeoutMs),
  headers: Type.Optional(HeadersSchema),
};

export const CreateWebhookSchema = Type.Object(
  {
    url: settings.url,
    description: settings.description,
    events: settings.events,
    threadId: settings.threadId,
    ...optional,
    secret: Type.Optional(SecretSchema),
  },
  strict,
);

export const CreatedWebhookSchema = Type.Object(
  {
    ...WebhookSchema.properties,
    secret: Type.Optional(Type.String({ description: 'What attempts are signed with, shown this once.' })),
  },
  strict,
);

export const UpdateWebhookSchema = Type.Object(
  {
    url: Type.Optional(settings.url),
    description: Type.Optional(
      Type.Union([Type.String({ minLength: 1, maxLength: limits.reasonLength }), Type.Null()], {
        description: 'What it is for, in your words.',
      }),
    ),
    events: Type.Optional(
      Type.Union([Type.Array(EventTypeSchema, { minItems: 1, uniqueItems: true }), Type.Null()], {
        description: 'Only events of these types; null: all.',
      }),
    ),
    threadId: Type.Optional(
      Type.Union([ThreadId, Type.Null()], { description: 'Only events of this thread; null: of all.' }),
    ),
    ...optional,
    status: Type.Optional(WebhookSchema.properties.status),
    from: Type.Optional(
      Type.Enum(['last', 'now'], {
        description: 'When it is enabled again: from where it stopped (the default), or only what comes from now on.',
      }),
    ),
  },
  { ...strict, description: 'Only what is named changes; null removes. Headers are replaced as a whole.' },
);

export const RotateSecretSchema = Type.Object(
  {
    secret: Type.Optional(SecretSchema),
    keepOldForSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: limits.webhookOldSecretSeconds,
        description: 'Signs beside the new one (a day).',
      }),
    ),
  },
  strict,
);

export const AttemptSchema = Type.Object(
  {
    at: TimestampSchema,
    durationMs: Type.Integer({ minimum: 0, description: 'How long it took.' }),
    status: Type.Optional(Type.Integer({ description: 'Of the HTTP response, where there was one.' })),
    error: Type.Optional(Type.String({ description: 'Why it failed.' })),
  },
  strict,
);

export const DeliveryStatusSchema = Type.Enum(['pending', 'delivered', 'dead'], {
  description: 'dead: given up after three days; it can be replayed.',
});

export const DeliverySchema = Type.Object(
  {
    id: Type.String(),
    webhookId: Type.String({ description: 'The webhook it is for.' }),
    event: Type.Object(
      {
        cursor: EventSchema.properties.cursor,
        threadId: EventSchema.properties.threadId,
        seq: EventSchema.properties.seq,
        type: EventSchema.properties.type,
      },
      { ...strict, description: 'The event that is sent.' },
    ),
    status: DeliveryStatusSchema,
    attempts: Type.Array(AttemptSchema, { description: 'In order.' }),
    nextAttemptAt: Type.Optional(TimestampSchema),
    createdAt: TimestampSchema,
    settledAt: Type.Optional(TimestampSchema),
    replayOf: Type.Optional(Type.String({ description: 'The delivery that this one repeats.' })),
    replayedBy: Type.Optional(Type.String({ description: 'The delivery that repeats this one.' })),
  },
  { ...strict, description: 'All attempts to hand one event to one webhook.' },
);

export const ReplaySchema = Type.Object(
  {
    since: TimestampSchema,
    status: Type.Optional(
      Type.Enum(['dead', 'all'], {
        description: 'dead (the default): what was given up. all: what was delivered too.',
      }),
    ),
  },
  strict,
);

export type Webhook = Static<typeof WebhookSchema>;
export type CreateWebhook = Static<typeof CreateWebhookSchema>;
export type CreatedWebhook = Static<typeof CreatedWebhookSchema>;
export type UpdateWebhook = Static<typeof UpdateWebhookSchema>;
export type RotateSecret = Static<typeof RotateSecretSchema>;
export type Attempt = Static<typeof AttemptSchema>;
export type DeliveryStatus = Static<typeof DeliveryStatusSchema>;
export type Delivery = Static<typeof DeliverySchema>;
export type Replay = Static<typeof ReplaySchema>;
