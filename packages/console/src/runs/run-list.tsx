/** Runs as a table: whose, how they stand, what they wait for. */
import type { Run } from '@holdpoint/protocol';
import { shortId, useThread } from '../look-up.ts';
import { Time } from '../parts/time.tsx';
import { href } from '../route.ts';
import { RunStatusBadge, WaitsFor } from './run-status.tsx';

export function RunList({ runs, isInThread = false }: { runs: readonly Run[]; isInThread?: boolean }) {
  return (
    <div class="table-scroll">
      <table class="table stacks runs-table">
        <thead>
          <tr>
            <th scope="col">Run</th>
            <th scope="col">Status</th>
            <th scope="col">Waits for</th>
            <th scope="col" class="number">
              Journal
            </th>
            <th scope="col" class="end">
              Changed
            </th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={run.id}>
              <td>
                <a class="cell-main" href={href('runs', run.id)}>
                  {isInThread ? shortId(run.id) : run.agent}
                </a>
                {!isInThread && <ThreadOf id={run.threadId} />}
              </td>
              <td>
                <RunStatusBadge status={run.status} />
              </td>
              <td class="run-waits">
                <WaitsFor run={run} />
              </td>
              <td class="number">
                {run.entries} {run.entries === 1 ? 'entry' : 'entries'}
              </td>
              <td class="end">
                <Time at={run.updatedAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ThreadOf({ id }: { id: string }) {
  const thread = useThread(id);
  return (
    <span class="cell-sub">
      in <a href={href('threads', id)}>{thread?.title ?? shortId(id)}</a>
    </span>
  );
}
