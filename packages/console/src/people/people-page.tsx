/** People of the org, their groups, and the log of admin actions. */
import { Page } from '../parts/page.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { useChoice } from '../route.ts';
import { AdminLog } from './admin-log.tsx';
import { Groups } from './groups.tsx';
import { PeopleList } from './people-list.tsx';

const tabs = { people: 'People', groups: 'Groups', log: 'Admin log' };
const shown = { people: PeopleList, groups: Groups, log: AdminLog };

export default function PeoplePage() {
  const [current, choose] = useChoice('tab', tabs);
  const Current = shown[current];
  return (
    <Page title="People">
      <Tabs label="People" tabs={tabs} current={current} onChange={choose}>
        <Current />
      </Tabs>
    </Page>
  );
}
