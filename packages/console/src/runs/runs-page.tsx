/** The list of runs. */
import { defined, type RunStatus } from '@holdpoint/protocol';
import { Code } from '../parts/code.tsx';
import { Page } from '../parts/page.tsx';
import { Empty, Listed } from '../parts/states.tsx';
import { Segments } from '../parts/tabs.tsx';
import { replaceQuery, useRoute } from '../route.ts';
import { RunList } from './run-list.tsx';
import { useRuns } from './use-runs.ts';

const statuses: readonly { id: RunStatus | ''; title: string }[] = [
  { id: '', title: 'All' },
  { id: 'waiting', title: 'Waiting' },
  { id: 'running', title: 'Running' },
  { id: 'failed', title: 'Failed' },
  { id: 'completed', title: 'Completed' },
  { id: 'cancelled', title: 'Cancelled' },
];

export default function RunsPage() {
  const { query } = useRoute();
  const status = statuses.find(({ id }) => id === query.get('status'))?.id ?? '';
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
        <Segments
          legend="Status"
          name="status"
          options={statuses}
          current={status}
          onChange={(to) => replaceQuery({ status: to, agent })}
        />
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
    <p>Choose another status or agent.</p>
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
  <Empty title="No runs yet" icon="runs">
    <p>
      A run starts when somebody writes in a thread that has an agent. To start one, save this agent and run the server
      with it, then create a thread with the agent deploy and write a message.
    </p>
    <Code text={example} what="the agent" />
  </Empty>
);
