/** Webhooks with how they are, and the way to what each was sent. */

import type { Webhook } from '@holdpoint/protocol';
import { defined } from '@holdpoint/protocol';
import { useState } from 'preact/hooks';
import { useEvery } from '../every.ts';
import { useLoad } from '../load.ts';
import { usePaged } from '../paged.ts';
import { Badge } from '../parts/badge.tsx';
import { Empty } from '../parts/empty.tsx';
import { Icon } from '../parts/icon.tsx';
import { More } from '../parts/more.tsx';
import { Page } from '../parts/page.tsx';
import { Shown } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { href } from '../route.ts';
import { service } from '../service.ts';
import { HealthBadge, healthWords } from '../webhooks/health.tsx';
import { WebhookForm } from '../webhooks/webhook-form.tsx';

const everyMs = 10_000;
/** Beyond this it is "99+". */
const mostDead = 99;

export default function DeliveriesPage() {
  const webhooks = usePaged(
    (cursor) => service.listWebhooks({ limit: 100, ...defined({ cursor: cursor || undefined }) }),
    [],
  );
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
