/** Shows the webhook message of each event. */
import { defined, type Interaction, type LogEvent } from '@holdpoint/protocol';
import { useState } from 'preact/hooks';
import { Code } from '../parts/code.tsx';
import { Select } from '../parts/form.tsx';
import { Empty } from '../parts/states.tsx';
import { href } from '../route.ts';
import type { Live } from './live-view.tsx';

/** The message as the server sends it, except for the signature, which needs a secret. */
function webhookMessage(event: LogEvent, interaction: Interaction): string {
  const { id, kind, title, run, trace, metadata } = interaction;
  const summary = { id, kind, title, ...defined({ run, trace, metadata }) };
  const body = { type: event.type, timestamp: event.at, data: { ...event, interaction: summary } };
  return `POST /your/endpoint
content-type: application/json; charset=utf-8
webhook-id: evt_${event.cursor}
webhook-timestamp: ${Math.floor(Date.parse(event.at) / 1_000)}
webhook-signature: v1,<base64 of the HMAC-SHA256 with the webhook's secret>

${JSON.stringify(body, null, 2)}
`;
}

export function WebhookView({ live: { interaction, events } }: { live: Live }) {
  const [chosen, choose] = useState<number>();
  const event = events.find(({ seq }) => seq === chosen) ?? events[0];
  if (!interaction || !event)
    return (
      <Empty title="No events yet" icon="deliveries">
        <p>Create the request to see each of its events as a webhook message.</p>
      </Empty>
    );
  return (
    <>
      <Select
        label="Event"
        value={String(event.seq)}
        options={events.map(({ seq, type }) => [String(seq), type])}
        onValue={(seq) => choose(Number(seq))}
      />
      <Code text={webhookMessage(event, interaction)} what="the message" />
      <p class="hint">
        Create a webhook under <a href={href('deliveries')}>Deliveries</a> to receive it.
      </p>
    </>
  );
}
