/** The list of webhooks with their health. */
import type { Delivery, Webhook } from '@holdpoint/protocol';
import { useState } from 'preact/hooks';
import { useEvery, useLoad, usePaged } from '../load.ts';
import { useMe } from '../me.ts';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { agoOf, Badge, durationOf, Time } from '../parts/inline.tsx';
import { Page } from '../parts/page.tsx';
import { Empty, Listed } from '../parts/states.tsx';
import { href } from '../route.ts';
import { service } from '../service.ts';
import { WebhookForm } from './webhook-form.tsx';

const everyMs = 10_000;
/** Above this number the badge says "99+". */
const mostDead = 99;

export default function DeliveriesPage() {
  const webhooks = usePaged((page) => service.listWebhooks({ limit: 100, ...page }), []);
  const [isCreating, setCreating] = useState(false);
  const { isAdmin } = useMe();
  useEvery(everyMs, webhooks.reload);
  return (
    <Page
      title="Deliveries"
      lead="Events sent to each webhook, with the result of every attempt."
      actions={isAdmin && <Button text="Create webhook" look="primary" onClick={() => setCreating(true)} />}
    >
      <Listed of={webhooks} empty={<NoWebhooks />}>
        {(all) => (
          <ul class="card rows">
            {all.map((webhook) => (
              <WebhookRow key={webhook.id} webhook={webhook} />
            ))}
          </ul>
        )}
      </Listed>
      {isCreating && <WebhookForm onClose={() => setCreating(false)} onSaved={webhooks.reload} />}
    </Page>
  );
}

export const NoWebhooks = () => (
  <Empty title="No webhooks yet" icon="deliveries">
    A webhook posts events to a URL of yours, for example when a request is created or answered. Create one, and the
    deliveries page lists every attempt. Failed deliveries are retried for three days.
  </Empty>
);

function WebhookRow({ webhook }: { webhook: Webhook }) {
  const { id: webhookId, url, description } = webhook;
  const facts = useLoad(async () => {
    const [dead, recent] = await Promise.all([
      service.listDeliveries({ webhookId, status: 'dead', limit: mostDead + 1 }),
      service.listDeliveries({ webhookId, order: 'newest', limit: recentCount }),
    ]);
    return { dead: dead.data.filter(({ replayedBy }) => !replayedBy).length, recent: recent.data };
  }, [webhookId]);
  useEvery(everyMs, facts.reload);
  const { dead = 0, recent = [] } = facts.data ?? {};
  const [newest] = recent;
  return (
    <li>
      <a class="row row-link" href={href('deliveries', webhookId)}>
        <span class="row-main">
          <span class="cell-main mono">{url}</span>
          <span class="cell-sub">{healthWords(webhook, recent) ?? description ?? 'No problems'}</span>
        </span>
        <span class="row-facts">
          {dead > 0 && <Badge tone="bad">{`${dead > mostDead ? `${mostDead}+` : dead} failed`}</Badge>}
          <HealthBadge {...{ webhook, recent }} />
          <span class="muted row-when">{newest ? <Time at={newest.createdAt} /> : 'No deliveries yet'}</span>
          <Icon name="more" />
        </span>
      </a>
    </li>
  );
}

/** The number of deliveries that say whether a webhook only fails. */
export const recentCount = 20;

/**
 * The last error, if every attempt of the recent deliveries failed since the webhook was changed. The server itself
 * reports a failing webhook only after a minute.
 */
function errorOf({ updatedAt }: Webhook, recent: readonly Delivery[]): string | undefined {
  const attempts = recent.flatMap((delivery) => delivery.attempts).filter(({ at }) => at >= updatedAt);
  const isFailing = attempts.length > 0 && attempts.every(({ error }) => error !== undefined);
  return isFailing ? attempts.reduce((last, each) => (each.at > last.at ? each : last)).error : undefined;
}

interface HealthProps {
  webhook: Webhook;
  /** Its newest deliveries. */
  recent?: readonly Delivery[];
}

export function HealthBadge({ webhook, recent = [] }: HealthProps) {
  const { status, disabledReason, failingSince } = webhook;
  if (status === 'disabled') return <Badge tone={disabledReason === 'asked' ? 'plain' : 'bad'}>Disabled</Badge>;
  const isFailing = failingSince !== undefined || errorOf(webhook, recent) !== undefined;
  return isFailing ? <Badge tone="warn">Failing</Badge> : <Badge tone="good">Healthy</Badge>;
}

/** Describes a problem of the webhook. Undefined if it works. */
export function healthWords(webhook: Webhook, recent: readonly Delivery[] = []): string | undefined {
  const { status, disabledReason, disabledAt, failingSince } = webhook;
  const when = disabledAt ? ` ${agoOf(disabledAt)}` : '';
  if (status === 'disabled') {
    if (disabledReason === 'gone')
      return `Disabled${when}: its URL answered 410 (gone). Enable it when the URL works again.`;
    if (disabledReason === 'failing')
      return `Disabled${when}: no delivery succeeded for three days. Fix the URL, then enable the webhook. It continues where it stopped.`;
    return `Disabled${when} by a user. It can continue where it stopped.`;
  }
  const error = errorOf(webhook, recent);
  if (!failingSince) return error && `No delivery succeeded yet. Last error: ${error}`;
  const forLong = durationOf(Math.max(0, Date.now() - Date.parse(failingSince)));
  return `No delivery succeeded for ${forLong}. The server keeps trying at growing intervals.`;
}
