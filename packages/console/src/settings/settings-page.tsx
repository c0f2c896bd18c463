/** Settings: keys, webhooks, grants, and preferences of this browser. */
import { Page } from '../parts/page.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { replaceQuery, useRoute } from '../route.ts';
import { Grants } from './grants.tsx';
import { ApiKeys, PublicKeys } from './keys.tsx';
import { Webhooks } from './webhooks.tsx';
import { You } from './you.tsx';

const tabs = [
  { id: 'keys', title: 'API keys' },
  { id: 'public', title: 'Public keys' },
  { id: 'webhooks', title: 'Webhooks' },
  { id: 'grants', title: 'Grants' },
  { id: 'you', title: 'You' },
] as const;

const shown = { keys: ApiKeys, public: PublicKeys, webhooks: Webhooks, grants: Grants, you: You };

export default function SettingsPage() {
  const asked = useRoute().query.get('tab');
  const current = tabs.find(({ id }) => id === asked)?.id ?? 'keys';
  const Current = shown[current];
  return (
    <Page title="Settings">
      <Tabs
        label="Settings"
        tabs={tabs}
        current={current}
        onChange={(id) => replaceQuery({ tab: id === 'keys' ? undefined : id })}
      >
        <Current />
      </Tabs>
    </Page>
  );
}
