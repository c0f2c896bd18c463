/** The list of runs. */
import { defined, type RunStatus } from '@holdpoint/protocol';
import { Code } from '../parts/code.tsx';
import { Page } from '../parts/page.tsx';
import { Empty, Listed } from '../parts/states.tsx';
import { Segments } from '../parts/tabs.tsx';
import { replaceQuery, useChoice, useRoute } from '../route.ts';
import { RunList, useRuns } from './run-list.tsx';

const statuses: Record<RunStatus | '', string> = {
  '': 'All',
  waiting: 'Waiting',
  running: 'Running',
  failed: 'Failed',
  completed: 'Completed',
  cancelled: 'Cancelled',
};

export default function RunsPage() {
  const { query } = useRoute();
  const [status, choose] = useChoice('status', statuses);
  const agent = query.get('agent') ?? '';
  const runs = useRuns(defined({ status: status || undefined, agent: agent || undefined }));
  const isNarrowed = status !== '' || agent !== '';
  return (
    <Page
      title="Runs"
      width="wide"
      lead="A run is one execution of an agent on a thread. Its journal records every step, so it continues after a crash."
    >
      <div class="runs-bar">
        <Segments legend="Status" name="status" options={statuses} current={status} onChange={choose} />
        <input
          type="search"
          class="control runs-agent"
          aria-label="Agent"
          placeholder="Filter by agent"
          value={agent}
          onChange={({ currentTarget }) => replaceQuery({ status, agent: currentTarget.value.trim() })}
        />
      </div>
      <Listed of={runs} rows={5} empty={isNarrowed ? noMatches : noRuns}>
        {(all) => (
          <div class="card">
            <RunList runs={all} />
          </div>
        )}
      </Listed>
    </Page>
  );
}

const noMatches = (
  <Empty title="No matching runs" icon="search">
    Choose another status or agent.
  </Empty>
);

const example = `// deploy.ts, run by: npm start -- --agent ./deploy.ts
import { agent } from '@holdpoint/agents';

export default agent('deploy', async (ctx) => {
  const { approved } = await ctx.approve({ title: 'Deploy 4.2?', arguments: { env: 'production' } });
  if (!approved) return 'not approved';
  await ctx.step('deploy', ({ idempotencyKey }) => startDeployment(idempotencyKey));
});`;

const noRuns = (
  <Empty title="No runs yet" icon="runs" more={<Code text={example} what="the agent" />}>
    A run starts when somebody writes in a thread that has an agent. To start one, save this agent and run the server
    with it, then create a thread with the agent deploy and write a message.
  </Empty>
);
