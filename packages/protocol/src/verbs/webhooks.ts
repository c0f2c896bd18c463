/** The verbs of webhooks, which send events to your servers. */
import { type Static, Type } from 'typebox';
import { clearable, described, strictObject, TimestampSchema, wholeNumber } from '../base-schemas.ts';
import { EventTypeSchema } from '../event.ts';
import { limits } from '../limits.ts';
import {
  type Attempt,
  AttemptSchema,
  type Delivery,
  DeliverySchema,
  type DeliveryStatus,
  DeliveryStatusSchema,
  type Webhook,
  WebhookSchema,
  webhookSettings,
} from '../webhook.ts';
import { Id, orderFrom, type Page, PageQuery, type PageRequest, page, pageOf, type Write } from './call.ts';
import { specsOf } from './specs-of.ts';
import { adminReaders, admins } from './verb-spec.ts';

const HeadersSchema = Type.Record(
  Type.String({ pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$" }),
  Type.String({ maxLength: limits.webhookHeaderLength, pattern: '^[\\x20-\\x7e]*$' }),
  {
    additionalProperties: false,
    maxProperties: limits.webhookHeaders,
    description: 'Sent with every attempt, for example Authorization.',
  },
);

const SecretSchema = Type.String({
  pattern: '^(whsec_[A-Za-z0-9+/]{32,88}={0,2}|[\\x21-\\x7e]{16,128})$',
  description: 'whsec_ and 24 to 64 bytes in base64. With format opengram also any text of 16 to 128 characters.',
});

const optional = {
  format: Type.Optional(webhookSettings.format),
  order: Type.Optional(webhookSettings.order),
  concurrency: Type.Optional(webhookSettings.concurrency),
  timeoutMs: Type.Optional(webhookSettings.timeoutMs),
  headers: Type.Optional(HeadersSchema),
};

export const CreateWebhookSchema = strictObject({
  url: webhookSettings.url,
  description: webhookSettings.description,
  events: webhookSettings.events,
  threadId: webhookSettings.threadId,
  ...optional,
  secret: Type.Optional(SecretSchema),
});

const CreatedWebhookSchema = strictObject({
  ...WebhookSchema.properties,
  secret: Type.Optional(Type.String({ description: 'Signs the attempts. Shown only once.' })),
});

const UpdateWebhookSchema = described(
  'Changes only the properties that you give; null removes one. `headers` replaces all headers.',
  {
    url: Type.Optional(webhookSettings.url),
    description: clearable(
      Type.String({ minLength: 1, maxLength: limits.reasonLength }),
      'The purpose of the webhook, as text for people.',
    ),
    events: clearable(
      Type.Array(EventTypeSchema, { minItems: 1, uniqueItems: true }),
      'Only events of these types; null means all.',
    ),
    threadId: clearable(Id, 'Only events of this thread; null means all threads.'),
    ...optional,
    status: Type.Optional(WebhookSchema.properties.status),
    from: Type.Optional(
      Type.Enum(['last', 'now'], {
        description:
          'The position from which an enabled webhook continues. last (the default): after the last event that it received. now: with new events only.',
      }),
    ),
  },
);

const RotateSecretSchema = strictObject({
  secret: Type.Optional(SecretSchema),
  keepOldForSeconds: Type.Optional(
    wholeNumber(
      0,
      limits.webhookOldSecretSeconds,
      'Time in seconds for which the old secret also signs. Default: a day.',
    ),
  ),
});

const ReplaySchema = strictObject({
  since: TimestampSchema,
  status: Type.Optional(
    Type.Enum(['dead', 'all'], {
      description: 'dead (the default): only failed deliveries. all: delivered ones too.',
    }),
  ),
});

export type CreateWebhook = Static<typeof CreateWebhookSchema>;
export type CreatedWebhook = Static<typeof CreatedWebhookSchema>;
export type UpdateWebhook = Static<typeof UpdateWebhookSchema>;
export type RotateSecret = Static<typeof RotateSecretSchema>;
export type Replay = Static<typeof ReplaySchema>;

/** The deliveries of one webhook. */
export interface DeliveryFilter extends PageRequest {
  webhookId: string;
  status?: DeliveryStatus;
  order?: 'oldest' | 'newest';
}

export interface WebhookVerbs {
  /** Registers a webhook. Events that are committed from now on are sent to it. */
  createWebhook(input: CreateWebhook & Write): Promise<CreatedWebhook>;
  /** Gets one webhook. */
  getWebhook(input: { webhookId: string }): Promise<Webhook>;
  /** Lists all webhooks, the oldest first. */
  listWebhooks(input: PageRequest): Promise<Page<Webhook>>;
  /** Changes a webhook, or enables or disables it. */
  updateWebhook(input: { webhookId: string } & UpdateWebhook): Promise<Webhook>;
  /** Deletes a webhook. The server stops sending events to it. */
  deleteWebhook(input: { webhookId: string }): Promise<Webhook>;
  /** Replaces the secret of a webhook. The old one also signs for a while. */
  rotateWebhookSecret(input: { webhookId: string } & RotateSecret & Write): Promise<CreatedWebhook>;
  /** Sends one test event at once, and returns the result of the attempt. */
  testWebhook(input: { webhookId: string }): Promise<Attempt>;
  /** Lists the deliveries of a webhook, the newest first. */
  listDeliveries(input: DeliveryFilter): Promise<Page<Delivery>>;
  /** Gets one delivery with its attempts. */
  getDelivery(input: { webhookId: string; deliveryId: string }): Promise<Delivery>;
  /** Sends one event again, as a new delivery. */
  replayDelivery(input: { webhookId: string; deliveryId: string } & Write): Promise<Delivery>;
  /** Sends all events since a time again. `isReplaying` is true until all of them are queued. */
  replayDeliveries(input: { webhookId: string } & Replay & Write): Promise<Webhook>;
}

export const webhookVerbs = specsOf<WebhookVerbs>()({
  createWebhook: {
    callers: admins,
    summary: 'Register a webhook',
    description:
      'The server sends it every event that is committed from now on, signed as Standard Webhooks says. It repeats each event until the webhook accepts it, for at most three days. The server rejects private addresses unless its operator allows them.',
    input: CreateWebhookSchema,
    status: 201,
    output: CreatedWebhookSchema,
  },
  listWebhooks: {
    callers: adminReaders,
    summary: 'List webhooks, the oldest first',
    description: 'Lists the webhooks of the org, without their secrets.',
    input: PageQuery,
    output: pageOf(WebhookSchema),
  },
  getWebhook: {
    callers: adminReaders,
    summary: 'Get a webhook',
    description: 'Returns its settings and its status, without its secret.',
    output: WebhookSchema,
  },
  updateWebhook: {
    callers: admins,
    summary: 'Change, enable or disable a webhook',
    description: 'A webhook that is enabled again continues at the last event that it received, unless `from` is now.',
    input: UpdateWebhookSchema,
    output: WebhookSchema,
  },
  deleteWebhook: {
    callers: admins,
    summary: 'Delete a webhook',
    description: 'The server stops sending events to it.',
    output: WebhookSchema,
  },
  rotateWebhookSecret: {
    callers: admins,
    summary: 'Rotate the secret of a webhook',
    description: 'The old secret also signs for a while, so that you can update the receiver.',
    input: RotateSecretSchema,
    output: CreatedWebhookSchema,
  },
  testWebhook: {
    callers: admins,
    summary: 'Send a test event',
    description: 'Sends an event of type webhook.test at once. The server does not store or repeat it.',
    output: AttemptSchema,
  },
  replayDeliveries: {
    callers: admins,
    summary: 'Replay all deliveries since a time',
    description:
      'Sends these events again, by default only those whose delivery failed. `isReplaying` is true until all are queued.',
    input: ReplaySchema,
    output: WebhookSchema,
  },
  listDeliveries: {
    callers: adminReaders,
    summary: 'List deliveries, the newest first',
    description: 'Lists the deliveries of one webhook, each with its attempts.',
    input: strictObject({ status: Type.Optional(DeliveryStatusSchema), order: orderFrom('newest'), ...page }),
    output: pageOf(DeliverySchema),
  },
  getDelivery: {
    callers: adminReaders,
    summary: 'Get a delivery',
    description: 'Returns the delivery with its attempts.',
    output: DeliverySchema,
  },
  replayDelivery: {
    callers: admins,
    summary: 'Replay one delivery',
    description: 'Sends the same event again, as a new delivery with the same webhook-id.',
    status: 201,
    output: DeliverySchema,
  },
});
