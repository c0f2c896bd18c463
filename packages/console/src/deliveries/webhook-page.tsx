/** One webhook: its health, its deliveries, and sending them again. */
import type { DeliveryStatus } from '@holdpoint/protocol';
import { useState } from 'preact/hooks';
import { useEvery, useLoad, usePaged } from '../load.ts';
import { Confirm } from '../parts/dialog.tsx';
import { Choices, Field } from '../parts/form.tsx';

import { Page } from '../parts/page.tsx';
import { Empty, More, Shown } from '../parts/states.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { toast } from '../parts/toasts.tsx';
import { go, href, replaceQuery, useRoute } from '../route.ts';
import { service } from '../service.ts';
import { HealthBadge, healthWords } from './deliveries-page.tsx';
import { DeliveryRow } from './delivery-row.tsx';
import { WebhookActions } from './webhook-actions.tsx';

const everyMs = 5_000;

const tabs = [
  { id: 'all', title: 'All' },
  { id: 'pending', title: 'Pending' },
  { id: 'delivered', title: 'Delivered' },
  { id: 'dead', title: 'Failed' },
] as const;

const nothing: Record<(typeof tabs)[number]['id'], [string, string]> = {
  all: ['No deliveries yet', 'The webhook receives new events. Send a test, or answer a request.'],
  pending: ['No pending deliveries', 'Deliveries that your server did not accept yet are retried and listed here.'],
  delivered: [
    'No deliveries yet',
    'Deliveries that your server answered with a status from 200 to 299 are listed here.',
  ],
  dead: ['No failed deliveries', 'Deliveries that failed for three days are listed here. You can send them again.'],
};

export default function WebhookPage({ id: webhookId = '' }: { id?: string }) {
  const webhook = useLoad(() => service.getWebhook({ webhookId }), [webhookId]);
  const asked = useRoute().query.get('status');
  const current = tabs.find(({ id }) => id === asked)?.id ?? 'all';
  const status = current === 'all' ? {} : { status: current as DeliveryStatus };
  const deliveries = usePaged(
    (page) =>
      service.listDeliveries({
        webhookId,
        order: 'newest',
        limit: 50,
        ...status,
        ...page,
      }),
    [webhookId, current],
  );
  const [isReplaying, setReplaying] = useState(false);
  useEvery(everyMs, deliveries.reload);
  useEvery(everyMs, webhook.reload);
  const reload = () => {
    webhook.reload();
    deliveries.reload();
  };
  const { data } = webhook;
  const parent = { page: 'deliveries', title: 'Deliveries' };
  return (
    <Page
      title={data?.url ?? 'Webhook'}
      parent={parent}
      lead={
        data && (
          <>
            <HealthBadge webhook={data} /> {data.description}
          </>
        )
      }
      actions={
        data && (
          <button type="button" class="button" onClick={() => setReplaying(true)}>
            Send again…
          </button>
        )
      }
    >
      <Shown of={webhook} rows={1}>
        {(loaded) => (
          <>
            <WebhookActions webhook={loaded} onChanged={reload} onDeleted={() => go(href('deliveries'))} />
            {healthWords(loaded) && <p class="note warn">{healthWords(loaded)}</p>}
            {loaded.isReplaying && <p class="note">Sending earlier deliveries again.</p>}
          </>
        )}
      </Shown>
      {(data || webhook.isLoading) && (
        <Tabs
          label="Deliveries by status"
          tabs={tabs}
          current={current}
          onChange={(id) => replaceQuery({ status: id === 'all' ? undefined : id })}
        >
          <Shown of={deliveries} rows={5}>
            {(all) =>
              all.length === 0 ? (
                <Empty title={nothing[current][0]} icon="deliveries">
                  <p>{nothing[current][1]}</p>
                </Empty>
              ) : (
                <ul class="card deliveries">
                  {all.map((delivery) => (
                    <DeliveryRow key={delivery.id} delivery={delivery} onReplayed={deliveries.reload} />
                  ))}
                </ul>
              )
            }
          </Shown>
          <More of={deliveries} />
        </Tabs>
      )}
      {isReplaying && <ReplaySince webhookId={webhookId} onClose={() => setReplaying(false)} onReplayed={reload} />}
    </Page>
  );
}

const which = [
  { value: 'dead', title: 'Failed deliveries', does: 'Deliveries that failed for three days.' },
  { value: 'all', title: 'All deliveries', does: 'Your server receives events again that it already accepted.' },
] as const;

const dayMs = 86_400_000;

/** Sends deliveries since a time again: only the failed ones, or all. */
function ReplaySince({ webhookId, onClose, onReplayed }: { webhookId: string; onClose(): void; onReplayed(): void }) {
  const [since, setSince] = useState(() => localTime(new Date(Date.now() - dayMs)));
  const [status, setStatus] = useState<'dead' | 'all'>('dead');
  return (
    <Confirm
      title="Send deliveries again"
      verb="Send again"
      isDanger={false}
      onClose={onClose}
      onConfirm={async () => {
        const date = new Date(since);
        if (Number.isNaN(date.getTime())) throw new Error('Enter the start time.');
        await service.replayDeliveries({ webhookId, since: date.toISOString(), status });
        toast('Sending earlier deliveries again.');
        onReplayed();
      }}
    >
      <Field
        label="Since"
        hint="In the time zone of this browser."
        type="datetime-local"
        value={since}
        onValue={setSince}
      />
      <Choices legend="Deliveries" options={which} value={status} onValue={setStatus} />
    </Confirm>
  );
}

/** The format of a datetime-local input: no zone, to the minute. */
function localTime(date: Date): string {
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
