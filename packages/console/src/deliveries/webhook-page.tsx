/** One webhook: its health, its deliveries, and sending them again. */
import { useState } from 'preact/hooks';
import { useEvery, useLoad, usePaged } from '../load.ts';
import { Button } from '../parts/button.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { Choices, Field } from '../parts/form.tsx';
import { Page } from '../parts/page.tsx';
import { Empty, Listed, Shown } from '../parts/states.tsx';
import { Tabs } from '../parts/tabs.tsx';
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
  delivered: ['No deliveries yet', 'Deliveries that your server answered with a status of 200 to 299 are listed here.'],
  dead: ['No failed deliveries', 'Deliveries that failed for three days are listed here. You can send them again.'],
};

export default function WebhookPage({ id: webhookId = '' }: { id?: string }) {
  const webhook = useLoad(() => service.getWebhook({ webhookId }), [webhookId]);
  const asked = useRoute().query.get('status');
  const current = tabs.find(({ id }) => id === asked)?.id ?? 'all';
  const status = current === 'all' ? {} : { status: current };
  const deliveries = usePaged(
    (page) => service.listDeliveries({ webhookId, order: 'newest', limit: 50, ...status, ...page }),
    [webhookId, current],
  );
  const [isReplaying, setReplaying] = useState(false);
  const reload = () => {
    webhook.reload();
    deliveries.reload();
  };
  useEvery(everyMs, deliveries.reload);
  useEvery(everyMs, webhook.reload);
  const { data } = webhook;
  return (
    <Page
      title={data?.url ?? 'Webhook'}
      parent={{ page: 'deliveries', title: 'Deliveries' }}
      lead={
        data && (
          <>
            <HealthBadge webhook={data} /> {data.description}
          </>
        )
      }
      actions={data && <Button text="Send again…" onClick={() => setReplaying(true)} />}
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
          <Listed
            of={deliveries}
            rows={5}
            empty={
              <Empty title={nothing[current][0]} icon="deliveries">
                <p>{nothing[current][1]}</p>
              </Empty>
            }
          >
            {(all) => (
              <ul class="card deliveries">
                {all.map((delivery) => (
                  <DeliveryRow key={delivery.id} delivery={delivery} onReplayed={deliveries.reload} />
                ))}
              </ul>
            )}
          </Listed>
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
      onConfirm={async () => {
        const date = new Date(since);
        if (Number.isNaN(date.getTime())) throw new Error('Enter the start time.');
        await service.replayDeliveries({ webhookId, since: date.toISOString(), status });
      }}
      done="Sending earlier deliveries again."
      onDone={onReplayed}
      onClose={onClose}
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
const localTime = (date: Date): string =>
  new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
