/** What a webhook would be sent for the events of the request. */
import { useState } from 'preact/hooks';
import { Code } from '../parts/code.tsx';
import { Empty } from '../parts/empty.tsx';
import { href } from '../route.ts';
import type { Live } from './use-live.ts';
import { webhookMessage } from './webhook-message.ts';

export function WebhookView({ live: { interaction, events } }: { live: Live }) {
  const [chosen, choose] = useState<number>();
  const event = events.find(({ seq }) => seq === chosen) ?? events[0];
  if (!interaction || !event)
    return (
      <Empty title="Nothing to send yet" icon="deliveries">
        <p>Create the request: then each of its events is shown here as it would be posted to a webhook.</p>
      </Empty>
    );
  return (
    <>
      <label class="field">
        <span>Event</span>
        <select
          class="control"
          value={String(event.seq)}
          onChange={({ currentTarget }) => choose(Number(currentTarget.value))}
        >
          {events.map(({ seq, type }) => (
            <option key={seq} value={String(seq)}>
              {type}
            </option>
          ))}
        </select>
      </label>
      <Code text={webhookMessage(event, interaction)} what="the message" />
      <p class="hint">
        Register an address under <a href={href('deliveries')}>Deliveries</a>; it is sent until it is taken.
      </p>
    </>
  );
}
