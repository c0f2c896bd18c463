/** One webhook: how it is, every delivery with its attempts, and sending again. */

import type { DeliveryStatus } from '@holdpoint/protocol';
import { defined } from '@holdpoint/protocol';
import { useState } from 'preact/hooks';
import { DeliveryRow } from '../deliveries/delivery-row.tsx';
import { ReplaySince } from '../deliveries/replay-since.tsx';
import { useEvery } from '../every.ts';
import { useLoad } from '../load.ts';
import { usePaged } from '../paged.ts';
import { Empty } from '../parts/empty.tsx';
import { More } from '../parts/more.tsx';
import { Page } from '../parts/page.tsx';
import { Shown } from '../parts/states.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { go, href, replaceQuery, useRoute } from '../route.ts';
import { service } from '../service.ts';
import { HealthBadge, healthWords } from '../webhooks/health.tsx';
import { WebhookActions } from '../webhooks/webhook-actions.tsx';

const everyMs = 5_000;

const tabs = [
  { id: 'all', title: 'All' },
  { id: 'pending', title: 'Waiting' },
  { id: 'delivered', title: 'Delivered' },
  { id: 'dead', title: 'Dead letters' },
] as const;

const nothing: Record<(typeof tabs)[number]['id'], [string, string]> = {
  all: ['Nothing was sent yet', 'It is sent what happens from now on. Test it, or answer a question.'],
  pending: ['Nothing waits', 'What has not been taken yet is tried again here, further and further apart.'],
  delivered: ['Nothing was taken yet', 'What your server answered with a status of 200 to 299 is listed here.'],
  dead: ['No dead letters', 'What nobody took for three days is given up, and can be sent again from here.'],
};

export default function WebhookPage({ id: webhookId = '' }: { id?: string }) {
  const webhook = useLoad(() => service.getWebhook({ webhookId }), [webhookId]);
  const asked = useRoute().query.get('status');
  const current = tabs.find(({ id }) => id === asked)?.id ?? 'all';
  const status = current === 'all' ? {} : { status: current as DeliveryStatus };
  const deliveries = usePaged(
    (cursor) =>
      service.listDeliveries({
        webhookId,
        order: 'newest',
        limit: 50,
        ...status,
        ...defined({ cursor: cursor || undefined }),
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
            Send again since…
          </button>
        )
      }
    >
      <Shown of={webhook} rows={1}>
        {(loaded) => (
          <>
            <WebhookActions webhook={loaded} onChanged={reload} onDeleted={() => go(href('deliveries'))} />
            {healthWords(loaded) && <p class="note warn">{healthWords(loaded)}</p>}
            {loaded.isReplaying && <p class="note">Earlier deliveries are being sent again.</p>}
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
