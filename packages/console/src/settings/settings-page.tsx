/** Settings: keys, webhooks, grants, and preferences of this browser. */
import { useState } from 'preact/hooks';
import { HealthBadge, healthWords, NoWebhooks } from '../deliveries/deliveries-page.tsx';
import { WebhookActions } from '../deliveries/webhook-actions.tsx';
import { WebhookForm } from '../deliveries/webhook-form.tsx';
import { useLoad, usePaged } from '../load.ts';
import { Button, useAction } from '../parts/button.tsx';
import { Field } from '../parts/form.tsx';
import { exactTime } from '../parts/inline.tsx';
import { Page, Section } from '../parts/page.tsx';
import { Listed } from '../parts/states.tsx';
import { Segments, Tabs } from '../parts/tabs.tsx';
import { toast } from '../parts/toasts.tsx';
import { defaultName, setSignedOut, setTheme, setUserName, useTheme, useUserName } from '../preferences.ts';
import { href, useChoice } from '../route.ts';
import { service, signedOutEvent } from '../service.ts';
import { loadSession, signOut } from '../session.ts';
import { Grants } from './grants.tsx';
import { ApiKeys, PublicKeys } from './keys.tsx';

const tabs = { keys: 'API keys', public: 'Public keys', webhooks: 'Webhooks', grants: 'Grants', you: 'You' };
const shown = { keys: ApiKeys, public: PublicKeys, webhooks: Webhooks, grants: Grants, you: You };

export default function SettingsPage() {
  const [current, choose] = useChoice('tab', tabs);
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

const themes = { system: 'System', light: 'Light', dark: 'Dark' };
const icons = { system: 'system', light: 'light', dark: 'dark' } as const;

function You() {
  const current = useUserName();
  const theme = useTheme();
  const session = useLoad(loadSession, []).data;
  const [name, setName] = useState(current);
  const save = (event: Event) => {
    event.preventDefault();
    setUserName(name.trim());
    setName(name.trim() || defaultName);
    toast(`You now answer as ${name.trim() || defaultName}.`);
  };
  const [leave, isLeaving] = useAction(async () => {
    await signOut();
    setSignedOut(true);
    dispatchEvent(new Event(signedOutEvent));
  });
  return (
    <>
      <Section title="You" lead="Saved in this browser.">
        <div class="card-body">
          <form class="name-form" onSubmit={save}>
            <Field
              label="You answer as"
              hint="The log shows your answers under this name. A request with assignees uses their names instead."
              autocomplete="nickname"
              maxLength={256}
              value={name}
              onValue={setName}
            />
            <Button text="Save name" type="submit" />
          </form>
          <Segments
            legend="Theme"
            name="theme"
            options={themes}
            icons={icons}
            current={theme}
            onChange={setTheme}
            isLegendShown
          />
        </div>
      </Section>
      <Section
        title="Session"
        lead={
          session?.signedIn
            ? `Signed in to the org ${session.orgId}${session.isLocal ? ' automatically (local machine)' : ''} until ${exactTime(session.expiresAt)}.`
            : 'Loading'
        }
      >
        <div class="card-body">
          <div class="actions">
            <Button text="Sign out" isOff={isLeaving} onClick={leave} />
          </div>
        </div>
      </Section>
    </>
  );
}
