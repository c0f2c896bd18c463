/** The list of webhooks with their health. */
import type { Webhook } from '@holdpoint/protocol';
import { useState } from 'preact/hooks';
import { useEvery, useLoad, usePaged } from '../load.ts';
import { Icon } from '../parts/icon.tsx';
import { agoOf, Badge, durationOf, Time } from '../parts/inline.tsx';
import { Page } from '../parts/page.tsx';
import { Empty, More, Shown } from '../parts/states.tsx';

import { href } from '../route.ts';
import { service } from '../service.ts';
import { WebhookForm } from './webhook-form.tsx';

const everyMs = 10_000;
/** Above this number the badge says "99+". */
const mostDead = 99;

export default function DeliveriesPage() {
  const webhooks = usePaged((page) => service.listWebhooks({ limit: 100, ...page }), []);
  const [isCreating, setCreating] = useState(false);
  useEvery(everyMs, webhooks.reload);
  return (
    <Page
      title="Deliveries"
      lead="What was sent to each webhook, what came of it, and what was given up."
      actions={
        <button type="button" class="button primary" onClick={() => setCreating(true)}>
          Create a webhook
        </button>
      }
    >
      <Shown of={webhooks}>
        {(all) =>
          all.length === 0 ? (
            <Empty title="Nothing is sent anywhere yet" icon="deliveries">
              <p>
                A webhook is an address of yours to which events are posted: a question was asked, somebody answered.
                Create one, and every attempt is listed here with what your server said to it.
              </p>
            </Empty>
          ) : (
            <ul class="card rows">
              {all.map((webhook) => (
                <WebhookRow key={webhook.id} webhook={webhook} />
              ))}
            </ul>
          )
        }
      </Shown>
      <More of={webhooks} />
      {isCreating && <WebhookForm onClose={() => setCreating(false)} onSaved={webhooks.reload} />}
    </Page>
  );
}

function WebhookRow({ webhook }: { webhook: Webhook }) {
  const { id: webhookId, url, description } = webhook;
  const facts = useLoad(async () => {
    const [dead, newest] = await Promise.all([
      service.listDeliveries({ webhookId, status: 'dead', limit: mostDead + 1 }),
      service.listDeliveries({ webhookId, order: 'newest', limit: 1 }),
    ]);
    return { dead: dead.data.filter(({ replayedBy }) => !replayedBy).length, newest: newest.data[0] };
  }, [webhookId]);
  useEvery(everyMs, facts.reload);
  const { dead = 0, newest } = facts.data ?? {};
  return (
    <li>
      <a class="row row-link" href={href('deliveries', webhookId)}>
        <span class="row-main">
          <span class="cell-main mono">{url}</span>
          <span class="cell-sub">{healthWords(webhook) ?? description ?? 'All is well.'}</span>
        </span>
        <span class="row-facts">
          {dead > 0 && (
            <Badge tone="bad">{`${dead > mostDead ? `${mostDead}+` : dead} dead ${dead === 1 ? 'letter' : 'letters'}`}</Badge>
          )}
          <HealthBadge webhook={webhook} />
          <span class="muted row-when">{newest ? <Time at={newest.createdAt} /> : 'nothing sent'}</span>
          <Icon name="more" />
        </span>
      </a>
    </li>
  );
}

export function HealthBadge({ webhook: { status, disabledReason, failingSince } }: { webhook: Webhook }) {
  if (status === 'disabled') return <Badge tone={disabledReason === 'asked' ? 'plain' : 'bad'}>disabled</Badge>;
  return failingSince ? <Badge tone="warn">failing</Badge> : <Badge tone="good">healthy</Badge>;
}

/** Describes a problem of the webhook. Undefined if it works. */
export function healthWords({ status, disabledReason, disabledAt, failingSince }: Webhook): string | undefined {
  const when = disabledAt ? ` ${agoOf(disabledAt)}` : '';
  if (status === 'disabled') {
    if (disabledReason === 'gone')
      return `Switched off${when}: its address answered 410, which says that it is gone for good. Enable it when it is back.`;
    if (disabledReason === 'failing')
      return `Switched off${when}: nothing was taken for three days. Mend the address, then enable it; it goes on where it stopped.`;
    return `Switched off${when} by hand. It keeps its place in the log.`;
  }
  if (!failingSince) return undefined;
  const forLong = durationOf(Math.max(0, Date.now() - Date.parse(failingSince)));
  return `Nothing was taken for ${forLong}. Attempts go on, further and further apart.`;
}
