/** What is sent for one event: the body, and the headers that identify and sign it. */
import type { EventFilter, FreeObject, Interaction, LogEvent, Webhook } from '@holdpoint/protocol';
import { envelopeEventTypes, toEnvelope } from '../../dialects/chat-requests/envelope.ts';
import { interactionSummary } from '../../domain/interaction-summary.ts';
import { type StoredWebhook, validSecrets } from '../../domain/webhooks/stored-webhook.ts';
import { opengramSignature, standardSignature } from './sign.ts';

export interface WebhookMessage {
  /** The same for every attempt at the same event, and for its replays. */
  id: string;
  body: string;
}

/** Undefined where the format of the webhook has no such event. */
export function messageOf(
  { record }: Pick<StoredWebhook, 'record'>,
  event: LogEvent,
  interaction: Interaction | undefined,
): WebhookMessage | undefined {
  const told =
    record.format === 'opengram'
      ? toEnvelope(event, interaction)
      : {
          type: event.type,
          timestamp: event.at,
          data: { ...event, ...(interaction ? { interaction: interactionSummary(interaction) } : {}) },
        };
  return told && { id: `evt_${event.cursor}`, body: JSON.stringify(told) };
}

/** An event that is in no log, to try an endpoint with. */
export function testMessageOf({ record }: Pick<StoredWebhook, 'record'>, { id, at }: { id: string; at: string }) {
  const data: FreeObject = { webhook: { id: record.id, url: record.url } };
  const type = 'webhook.test';
  const told =
    record.format === 'opengram' ? { id, type, timestamp: at, payload: data } : { type, timestamp: at, data };
  return { id: `test_${id}`, body: JSON.stringify(told) };
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
    ...(stored.record.format === 'opengram' ? { 'x-opengram-signature': opengramSignature(body, newest) } : {}),
  };
}

/** The events that a webhook wants and that can be told in its format. */
export function filterOf({ record: { events, threadId, format } }: Pick<StoredWebhook, 'record'>): EventFilter {
  const types = format === 'opengram' ? envelopeEventTypes.filter((type) => events?.includes(type) ?? true) : events;
  return { ...(types ? { types } : {}), ...(threadId === undefined ? {} : { threadId }) };
}
