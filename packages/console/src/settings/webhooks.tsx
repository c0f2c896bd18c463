/** The webhooks, and all that can be done with them. */
import { defined } from '@holdpoint/protocol';
import { useState } from 'preact/hooks';
import { usePaged } from '../paged.ts';
import { Empty } from '../parts/empty.tsx';
import { More } from '../parts/more.tsx';
import { Shown } from '../parts/states.tsx';
import { href } from '../route.ts';
import { service } from '../service.ts';
import { HealthBadge, healthWords } from '../webhooks/health.tsx';
import { WebhookActions } from '../webhooks/webhook-actions.tsx';
import { WebhookForm } from '../webhooks/webhook-form.tsx';
import { Section } from './section.tsx';

export function Webhooks() {
  const webhooks = usePaged(
    (cursor) => service.listWebhooks({ limit: 100, ...defined({ cursor: cursor || undefined }) }),
    [],
  );
  const [isCreating, setCreating] = useState(false);
  const create = (
    <button type="button" class="button primary" onClick={() => setCreating(true)}>
      Create a webhook
    </button>
  );
  return (
    <Section
      isTitleHidden
      title="Webhooks"
      lead="Where events are sent to, signed, and tried again until they are taken."
      action={create}
    >
      <Shown of={webhooks}>
        {(all) =>
          all.length === 0 ? (
            <Empty title="No webhooks" icon="deliveries">
              <p>
                Create one to hear of every question and answer in your own backend. What cannot be delivered is tried
                for three days, and can be sent again after that.
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
                      {webhook.threadId && ` · of the thread ${webhook.threadId}`}
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
