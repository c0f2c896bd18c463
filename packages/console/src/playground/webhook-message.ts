/** What a webhook would be sent for an event: as the server writes it, but for the signature, which takes a secret. */

import type { Interaction, LogEvent } from '@holdpoint/protocol';
import { defined } from '@holdpoint/protocol';

export function webhookMessage(event: LogEvent, interaction: Interaction): string {
  const { id, kind, title, run, trace, metadata } = interaction;
  const summary = {
    id,
    kind,
    title,
    ...defined({ run, trace, metadata }),
  };
  const body = { type: event.type, timestamp: event.at, data: { ...event, interaction: summary } };
  return `POST /your/endpoint
content-type: application/json; charset=utf-8
webhook-id: evt_${event.cursor}
webhook-timestamp: ${Math.floor(Date.parse(event.at) / 1_000)}
webhook-signature: v1,<base64 of the HMAC-SHA256 with the webhook's secret>

${JSON.stringify(body, null, 2)}
`;
}
