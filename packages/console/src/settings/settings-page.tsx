/** Settings: keys, webhooks, grants, approvals, sign-in, and the user's own profile. */
import { useState } from 'preact/hooks';
import { HealthBadge, healthWords, NoWebhooks } from '../deliveries/deliveries-page.tsx';
import { WebhookActions } from '../deliveries/webhook-actions.tsx';
import { WebhookForm } from '../deliveries/webhook-form.tsx';
import { usePaged } from '../load.ts';
import { useMe } from '../me.ts';
import { Button } from '../parts/button.tsx';
import { Page, Section } from '../parts/page.tsx';
import { Listed } from '../parts/states.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { href, useChoice } from '../route.ts';
import { service } from '../service.ts';
import { Approvals } from './approvals.tsx';
import { Grants } from './grants.tsx';
import { ApiKeys, PublicKeys } from './keys.tsx';
import { Providers } from './providers.tsx';
import { You } from './you.tsx';

const tabs = {
  ...{ keys: 'API keys', public: 'Public keys', webhooks: 'Webhooks', grants: 'Grants' },
  ...{ approvals: 'Approvals', 'sign-in': 'Sign-in', you: 'You' },
};
const shown = {
  ...{ keys: ApiKeys, public: PublicKeys, webhooks: Webhooks, grants: Grants },
  ...{ approvals: Approvals, 'sign-in': Providers, you: You },
};

export default function SettingsPage() {
  const { seesOrg } = useMe();
  const [current, choose] = useChoice('tab', tabs);
  if (!seesOrg)
    return (
      <Page title="Profile">
        <You />
      </Page>
    );
  const Current = shown[current];
  return (
    <Page title="Settings">
      <Tabs label="Settings" tabs={tabs} current={current} onChange={choose}>
        <Current />
      </Tabs>
    </Page>
  );
}

function Webhooks() {
  const webhooks = usePaged((page) => service.listWebhooks({ limit: 100, ...page }), []);
  const [isCreating, setCreating] = useState(false);
  const { isAdmin } = useMe();
  return (
    <Section
      isTitleHidden
      title="Webhooks"
      lead="The server sends signed events to your URL and retries until it accepts them."
      action={isAdmin && <Button text="Create webhook" look="primary" onClick={() => setCreating(true)} />}
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
                {isAdmin && (
                  <WebhookActions webhook={webhook} onChanged={webhooks.reload} onDeleted={webhooks.reload} />
                )}
              </li>
            ))}
          </ul>
        )}
      </Listed>
      {isCreating && <WebhookForm onClose={() => setCreating(false)} onSaved={webhooks.reload} />}
    </Section>
  );
}
