/** Switches a webhook on again, from where it stopped or from now on. */
import type { Webhook } from '@holdpoint/protocol';
import { useState } from 'preact/hooks';
import { Confirm } from '../parts/confirm.tsx';
import { service } from '../service.ts';
import { toast } from '../toast.ts';

const ways = [
  { from: 'last', title: 'From where it stopped', does: 'Everything that happened meanwhile is sent too.' },
  { from: 'now', title: 'From now on', does: 'What happened meanwhile is not sent.' },
] as const;

export function EnableWebhook({
  webhook,
  onClose,
  onEnabled,
}: {
  webhook: Webhook;
  onClose(): void;
  onEnabled(): void;
}) {
  const [from, setFrom] = useState<'last' | 'now'>('last');
  return (
    <Confirm
      title="Enable this webhook?"
      verb="Enable it"
      isDanger={false}
      onClose={onClose}
      onConfirm={async () => {
        await service.updateWebhook({ webhookId: webhook.id, status: 'enabled', from });
        toast('The webhook is enabled.');
        onEnabled();
      }}
    >
      <fieldset class="choices">
        <legend class="legend">Send events</legend>
        {ways.map((way) => (
          <label key={way.from} class="choice">
            <input type="radio" name="from" checked={from === way.from} onChange={() => setFrom(way.from)} />
            <span>
              <b>{way.title}</b>
              <span class="hint">{way.does}</span>
            </span>
          </label>
        ))}
      </fieldset>
    </Confirm>
  );
}
