/** The setting of an org for its approvals: how certain it must be who answers. */
import type { OrgSettings } from '@holdpoint/protocol';
import { useState } from 'preact/hooks';
import { useLoad } from '../load.ts';
import { useMe } from '../me.ts';
import { useAction } from '../parts/button.tsx';
import { Section } from '../parts/page.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { Segments } from '../parts/tabs.tsx';
import { toast } from '../parts/toasts.tsx';
import { service } from '../service.ts';

const levels = { any: 'Anyone who may answer', 'signed-in': 'A person who has signed in', passkey: 'A passkey' };

export function Approvals() {
  const { isAdmin } = useMe();
  const settings = useLoad(() => service.getOrgSettings({}), []);
  return (
    <Section
      isTitleHidden
      title="Approvals"
      lead="The least that every new approval needs. A request may need more. Existing requests stay as they are."
    >
      <div class="card-body">
        {settings.error !== undefined && <Failed error={settings.error} onRetry={settings.reload} />}
        {settings.data && <Minimum key={settings.data.approvalAssurance} {...{ isAdmin, before: settings.data }} />}
        {!settings.data && settings.error === undefined && <Loading rows={1} />}
      </div>
    </Section>
  );
}

function Minimum({ before, isAdmin }: { before: OrgSettings; isAdmin: boolean }) {
  const [current, setCurrent] = useState(before.approvalAssurance);
  const [fault, setFault] = useState<unknown>();
  const [save] = useAction(async (approvalAssurance: OrgSettings['approvalAssurance']) => {
    setFault(undefined);
    setCurrent((await service.updateOrgSettings({ approvalAssurance })).approvalAssurance);
    toast('Settings saved.');
  }, setFault);
  if (!isAdmin) return <p>{levels[current]}</p>;
  return (
    <>
      {fault !== undefined && <Failed error={fault} />}
      <Segments
        legend="Who may approve"
        name="assurance"
        options={levels}
        current={current}
        onChange={save}
        isLegendShown
      />
    </>
  );
}
