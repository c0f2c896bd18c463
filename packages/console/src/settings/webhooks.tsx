/** Webhooks in the settings. */
import { useState } from 'preact/hooks';
import { HealthBadge, healthWords } from '../deliveries/deliveries-page.tsx';
import { WebhookActions } from '../deliveries/webhook-actions.tsx';
import { WebhookForm } from '../deliveries/webhook-form.tsx';
import { usePaged } from '../load.ts';
import { Empty, More, Shown } from '../parts/states.tsx';
import { href } from '../route.ts';
import { service } from '../service.ts';
import { Section } from './section.tsx';

export function Webhooks() {
  const webhooks = usePaged((page) => service.listWebhooks({ limit: 100, ...page }), []);
  const [isCreating, setCreating] = useState(false);
  const create = (
    <button type="button" class="button primary" onClick={() => setCreating(true)}>
      Create webhook
    </button>
  );
  return (
    <Section
      isTitleHidden
      title="Webhooks"
      lead="The server sends signed events to your URL and retries until it accepts them."
      action={create}
    >
      <Shown of={webhooks}>
        {(all) =>
          all.length === 0 ? (
            <Empty title="No webhooks yet" icon="deliveries">
              <p>
                Create webhook to receive every request and answer in your backend. Failed deliveries are retried for
                three days, and you can send them again later.
              </p>
            </Empty>
          ) : (
            <ul class="rows">
              {all.map((webhook) => (
                <li key={webhook.id} class="row">
                  <div class="row-main">
                    <p class="cell-main">
                      <a class="mono" href={href('deliveries', webhook.id)}>
                        {webhook.url}
                      </a>{' '}
                      <HealthBadge webhook={webhook} />
                    </p>
                    {webhook.description && <p>{webhook.description}</p>}
                    <p class="cell-sub">
                      {webhook.events ? webhook.events.join(', ') : 'All events'}
                      {webhook.threadId && ` · thread ${webhook.threadId}`}
                    </p>
                    {healthWords(webhook) && <p class="note warn">{healthWords(webhook)}</p>}
                  </div>
                  <WebhookActions webhook={webhook} onChanged={webhooks.reload} onDeleted={webhooks.reload} />
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
      <More of={webhooks} />
      {isCreating && <WebhookForm onClose={() => setCreating(false)} onSaved={webhooks.reload} />}
    </Section>
  );
}
