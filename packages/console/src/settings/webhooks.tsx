/** Webhooks in the settings. */
import { useState } from 'preact/hooks';
import { HealthBadge, healthWords, NoWebhooks } from '../deliveries/deliveries-page.tsx';
import { WebhookActions } from '../deliveries/webhook-actions.tsx';
import { WebhookForm } from '../deliveries/webhook-form.tsx';
import { usePaged } from '../load.ts';
import { Button } from '../parts/button.tsx';
import { Section } from '../parts/page.tsx';
import { Listed } from '../parts/states.tsx';
import { href } from '../route.ts';
import { service } from '../service.ts';

export function Webhooks() {
  const webhooks = usePaged((page) => service.listWebhooks({ limit: 100, ...page }), []);
  const [isCreating, setCreating] = useState(false);
  return (
    <Section
      isTitleHidden
      title="Webhooks"
      lead="The server sends signed events to your URL and retries until it accepts them."
      action={<Button text="Create webhook" look="primary" onClick={() => setCreating(true)} />}
    >
      <Listed of={webhooks} empty={<NoWebhooks />}>
        {(all) => (
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
        )}
      </Listed>
      {isCreating && <WebhookForm onClose={() => setCreating(false)} onSaved={webhooks.reload} />}
    </Section>
  );
}
