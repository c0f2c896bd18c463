/** One webhook: its health, its deliveries with their attempts, and sending them again. */

import type { Delivery } from '@holdpoint/protocol';
import { useState } from 'preact/hooks';
import { useEvery, useLoad, usePaged } from '../load.ts';
import { useMe } from '../me.ts';
import { Button, useAction } from '../parts/button.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { Choices, Field } from '../parts/form.tsx';
import { Badge, durationOf, exactTime, Time, type Tone } from '../parts/inline.tsx';
import { Page } from '../parts/page.tsx';
import { Empty, Listed, Shown } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { toast } from '../parts/toasts.tsx';
import { go, href, useChoice } from '../route.ts';
import { service } from '../service.ts';
import { HealthBadge, healthWords, recentCount } from './deliveries-page.tsx';
import { WebhookActions } from './webhook-actions.tsx';

const everyMs = 5_000;

const tabs = { all: 'All', pending: 'Pending', delivered: 'Delivered', dead: 'Failed' };

const nothing: Record<keyof typeof tabs, [string, string]> = {
  all: ['No deliveries yet', 'The webhook receives new events. Send a test, or answer a request.'],
  pending: ['No pending deliveries', 'Deliveries that your server did not accept yet are retried and listed here.'],
  delivered: ['No deliveries yet', 'Deliveries that your server answered with a status of 200 to 299 are listed here.'],
  dead: ['No failed deliveries', 'Deliveries that failed for three days are listed here. You can send them again.'],
};

export default function WebhookPage({ id: webhookId = '' }: { id?: string }) {
  const webhook = useLoad(() => service.getWebhook({ webhookId }), [webhookId]);
  const newest = useLoad(() => service.listDeliveries({ webhookId, order: 'newest', limit: recentCount }), [webhookId]);
  const [current, choose] = useChoice('status', tabs);
  const status = current === 'all' ? {} : { status: current };
  const deliveries = usePaged(
    (page) => service.listDeliveries({ webhookId, order: 'newest', limit: 50, ...status, ...page }),
    [webhookId, current],
  );
  const [isReplaying, setReplaying] = useState(false);
  const { isAdmin } = useMe();
  const reload = () => {
    webhook.reload();
    deliveries.reload();
  };
  useEvery(everyMs, deliveries.reload);
  useEvery(everyMs, webhook.reload);
  useEvery(everyMs, newest.reload);
  const { data } = webhook;
  const recent = newest.data?.data ?? [];
  return (
    <Page
      title={data?.url ?? 'Webhook'}
      parent={{ page: 'deliveries', title: 'Deliveries' }}
      lead={
        data && (
          <>
            <HealthBadge webhook={data} recent={recent} /> {data.description}
          </>
        )
      }
      actions={data && isAdmin && <Button text="Send again…" onClick={() => setReplaying(true)} />}
    >
      <Shown of={webhook} rows={1}>
        {(loaded) => (
          <>
            {isAdmin && <WebhookActions webhook={loaded} onChanged={reload} onDeleted={() => go(href('deliveries'))} />}
            {healthWords(loaded, recent) && <p class="note warn">{healthWords(loaded, recent)}</p>}
            {loaded.isReplaying && <p class="note">Sending earlier deliveries again.</p>}
          </>
        )}
      </Shown>
      {(data || webhook.isLoading) && (
        <Tabs label="Deliveries by status" tabs={tabs} current={current} onChange={choose}>
          <Listed
            of={deliveries}
            rows={5}
            empty={
              <Empty title={nothing[current][0]} icon="deliveries">
                {nothing[current][1]}
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

const badges: Record<Delivery['status'], [Tone, string]> = {
  pending: ['warn', 'Pending'],
  delivered: ['good', 'Delivered'],
  dead: ['bad', 'Failed'],
};

function DeliveryRow({ delivery, onReplayed }: { delivery: Delivery; onReplayed(): void }) {
  const { event, status, attempts, createdAt } = delivery;
  const last = attempts.at(-1);
  const [tone, word] = badges[status];
  return (
    <li>
      <details class="delivery">
        <summary>
          <span class="delivery-what">
            <span class="mono cell-main">{event.type}</span>
            <span class="cell-sub clip">{last?.error ?? `Event ${event.seq} of its thread`}</span>
          </span>
          <span class="delivery-code number">{last?.status ?? '–'}</span>
          <span class="delivery-tries number">
            {attempts.length} {attempts.length === 1 ? 'attempt' : 'attempts'}
          </span>
          <span class="delivery-when muted">
            <Time at={createdAt} />
          </span>
          <span class="delivery-status">
            <Badge tone={tone}>{word}</Badge>
          </span>
        </summary>
        <Attempts delivery={delivery} onReplayed={onReplayed} />
      </details>
    </li>
  );
}

function Attempts({ delivery, onReplayed }: { delivery: Delivery; onReplayed(): void }) {
  const { id: deliveryId, webhookId, event, status, attempts, nextAttemptAt, replayOf, replayedBy } = delivery;
  const { isAdmin } = useMe();
  const [replay, isBusy] = useAction(async () => {
    await service.replayDelivery({ webhookId, deliveryId });
    toast('Sending again.');
    onReplayed();
  });
  return (
    <div class="attempts">
      {attempts.length > 0 && (
        <Table heads={['Attempt', ['Status', 'number'], ['Duration', 'number'], 'Result']}>
          {attempts.map((attempt, index) => (
            <tr key={index}>
              <td class="attempt-at">{exactTime(attempt.at)}</td>
              <td class="number">{attempt.status ?? '–'}</td>
              <td class="number">{durationOf(attempt.durationMs)}</td>
              <td>{attempt.error ?? 'Accepted'}</td>
            </tr>
          ))}
        </Table>
      )}
      <p class="attempts-end">
        {isAdmin && status !== 'pending' && <Button text="Send again" look="small" isOff={isBusy} onClick={replay} />}
        {nextAttemptAt && (
          <span>
            Next attempt <Time at={nextAttemptAt} />
          </span>
        )}
        <a href={href('threads', event.threadId, { event: String(event.seq) })}>View event {event.seq}</a>
        {replayOf && <span class="muted">Sent again manually</span>}
        {replayedBy && <span class="muted">Sent again since</span>}
        <code class="muted">{deliveryId}</code>
      </p>
    </div>
  );
}
