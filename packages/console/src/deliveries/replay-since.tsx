/** Sends again what was made since a time: what was given up, or everything. */
import { useState } from 'preact/hooks';
import { Choices } from '../parts/choices.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Field } from '../parts/field.tsx';
import { service } from '../service.ts';
import { toast } from '../toast.ts';

const which = [
  { value: 'dead', title: 'Dead letters', does: 'What was given up.' },
  { value: 'all', title: 'Everything', does: 'What was delivered too. Your server must bear to hear things twice.' },
] as const;

const dayMs = 86_400_000;

export function ReplaySince({
  webhookId,
  onClose,
  onReplayed,
}: {
  webhookId: string;
  onClose(): void;
  onReplayed(): void;
}) {
  const [since, setSince] = useState(() => localTime(new Date(Date.now() - dayMs)));
  const [status, setStatus] = useState<'dead' | 'all'>('dead');
  return (
    <Confirm
      title="Send again"
      verb="Send again"
      isDanger={false}
      onClose={onClose}
      onConfirm={async () => {
        const date = new Date(since);
        if (Number.isNaN(date.getTime())) throw new Error('Enter the time from which on to send again.');
        await service.replayDeliveries({ webhookId, since: date.toISOString(), status });
        toast('Earlier deliveries are being sent again.');
        onReplayed();
      }}
    >
      <Field label="Since" hint="In the time of this browser." type="datetime-local" value={since} onValue={setSince} />
      <Choices legend="What" options={which} value={status} onValue={setStatus} />
    </Confirm>
  );
}

/** As the control of the browser writes it: without a zone, to the minute. */
function localTime(date: Date): string {
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
