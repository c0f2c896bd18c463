/** Switches a webhook on again, from where it stopped or from now on. */
import type { Webhook } from '@holdpoint/protocol';
import { useState } from 'preact/hooks';
import { Choices } from '../parts/choices.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { service } from '../service.ts';
import { toast } from '../toast.ts';

const ways = [
  { value: 'last', title: 'From where it stopped', does: 'Everything that happened meanwhile is sent too.' },
  { value: 'now', title: 'From now on', does: 'What happened meanwhile is not sent.' },
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
      <Choices legend="Send events" options={ways} value={from} onValue={setFrom} />
    </Confirm>
  );
}
