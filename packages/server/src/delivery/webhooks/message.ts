/** The request for one event: its body, and the headers that identify and sign it. */
import { createHmac } from 'node:crypto';
import {
  type Delivery,
  defined,
  type EventFilter,
  type FreeObject,
  type LogEvent,
  type Webhook,
} from '@holdpoint/protocol';
import { interactionSummary } from '../../domain/state.ts';
import { type StoredWebhook, validSecrets } from '../../domain/webhooks/webhook.ts';
import type { Store } from '../../stores/store.ts';
import { envelopeEventTypes, toEnvelope } from './opengram-envelope.ts';

export interface WebhookMessage {
  /** The same for every attempt at the same event, and for its replays. */
  id: string;
  body: string;
}

interface ToDeliver {
  orgId: string;
  webhook: StoredWebhook;
  delivery: Delivery;
  /** If it was read just now. */
  event?: LogEvent | undefined;
}

/** Reads the event of a delivery and renders it. Returns undefined if the format of the webhook has no such event. */
export async function messageOf(
  store: Pick<Store, 'readLog' | 'getInteraction'>,
  { orgId, webhook, delivery, event: known }: ToDeliver,
): Promise<WebhookMessage | undefined> {
  const { threadId, seq } = delivery.event;
  const event = known ?? (await store.readLog({ orgId, threadId, after: seq - 1, limit: 1 })).items[0];
  if (!event) return undefined;
  const id = event.interactionId;
  const interaction = id === undefined ? undefined : await store.getInteraction({ orgId, id });
  const data = { ...event, ...(interaction && { interaction: interactionSummary(interaction) }) };
  const isOpengram = webhook.record.format === 'opengram';
  const payload = isOpengram ? toEnvelope(event, interaction) : { type: event.type, timestamp: event.at, data };
  return payload && { id: `evt_${event.cursor}`, body: JSON.stringify(payload) };
}

/** An event that is in no log, for testing an endpoint. */
export function testMessageOf({ record }: Pick<StoredWebhook, 'record'>, { id, at }: { id: string; at: string }) {
  const data: FreeObject = { webhook: { id: record.id, url: record.url } };
  const type = 'webhook.test';
  const payload =
    record.format === 'opengram' ? { id, type, timestamp: at, payload: data } : { type, timestamp: at, data };
  return { id: `test_${id}`, body: JSON.stringify(payload) };
}

export type Signer = Pick<StoredWebhook, 'secrets' | 'headers'> & { record: Pick<Webhook, 'format'> };

export function headersOf(stored: Signer, { id, body }: WebhookMessage, now: number): Record<string, string> {
  const timestamp = Math.floor(now / 1_000);
  const secrets = validSecrets(stored, now);
  const [newest = ''] = secrets;
  return {
    ...stored.headers,
    'content-type': 'application/json; charset=utf-8',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': standardSignature({ id, timestamp, body }, secrets),
    ...(stored.record.format === 'opengram' && { 'x-opengram-signature': opengramSignature(body, newest) }),
  };
}

/** The events that a webhook wants and that its format has. */
export function filterOf({ record: { events, threadId, format } }: Pick<StoredWebhook, 'record'>): EventFilter {
  const types = format === 'opengram' ? envelopeEventTypes.filter((type) => events?.includes(type) ?? true) : events;
  return defined({ types, threadId });
}

/**
 * Makes one signature for each secret, so that a receiver may verify with either during a rotation. `timestamp` is in seconds
 * since 1970.
 */
export function standardSignature(
  { id, timestamp, body }: WebhookMessage & { timestamp: number },
  secrets: readonly string[],
): string {
  const sign = (secret: string) =>
    createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64');
  return secrets.map((secret) => `v1,${sign(secret)}`).join(' ');
}

export const opengramSignature = (body: string, secret: string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

/** A secret in another form than the standard's signs as plain text. */
const keyOf = (secret: string): Buffer =>
  secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret);
