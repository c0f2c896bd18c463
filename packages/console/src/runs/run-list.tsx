/** Runs: reading them, and a table with their status. */
import { defined, type Run, type RunStatus, type RunWait } from '@holdpoint/protocol';
import { useLiveList } from '../load.ts';
import { shortId, useInteraction, useThread } from '../look-up.ts';
import { Badge, Time, type Tone, VisibleText } from '../parts/inline.tsx';
import { Table } from '../parts/table.tsx';
import { href } from '../route.ts';
import { service } from '../service.ts';
import { eventTypes } from '../threads/describe-event.ts';

export const runEvents = eventTypes.filter((type) => type.startsWith('run.'));

export function useRuns({ threadId, ...filter }: { threadId?: string; status?: RunStatus; agent?: string }) {
  const input = { ...filter, ...defined({ threadId }) };
  return useLiveList<Run>({
    load: (page) => service.listRuns({ ...input, order: 'newest', limit: 100, ...page }),
    input,
    filter: { types: runEvents, ...defined({ threadId }) },
    onEvent({ data }, update) {
      if (!('run' in data)) return;
      const { run } = data;
      const fits = Object.entries(filter).every(([name, value]) => run[name as keyof Run] === value);
      update((before) => {
        if (fits && !before.has(run.id)) return new Map([[run.id, run], ...before]);
        const after = new Map(before);
        if (fits) after.set(run.id, run);
        else after.delete(run.id);
        return after;
      });
    },
  });
}

export function RunList({ runs, isInThread = false }: { runs: readonly Run[]; isInThread?: boolean }) {
  return (
    <div class="table-scroll">
      <Table
        class="stacks runs-table"
        heads={['Run', 'Status', 'Waits for', ['Journal', 'number'], ['Changed', 'end']]}
      >
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
      </Table>
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

const badges: Record<RunStatus, [Tone, string]> = {
  running: ['info', 'Running'],
  waiting: ['warn', 'Waiting'],
  completed: ['good', 'Completed'],
  failed: ['bad', 'Failed'],
  cancelled: ['plain', 'Cancelled'],
};

export function RunStatusBadge({ status }: { status: RunStatus }) {
  const [tone, word] = badges[status];
  return <Badge tone={tone}>{word}</Badge>;
}

export function WaitsFor({ run }: { run: Run }) {
  const { waitingFor = [], error, status, cancelReason } = run;
  if (status === 'failed') return <span class="run-fault">{error?.message}</span>;
  if (status === 'cancelled') return <span>{cancelReason ?? ''}</span>;
  return (
    <>
      {waitingFor.map((wait, index) => (
        <span key={JSON.stringify(wait)}>
          {index > 0 && ' or '}
          <Wait wait={wait} />
        </span>
      ))}
    </>
  );
}

function Wait({ wait }: { wait: RunWait }) {
  const question = useInteraction(wait.type === 'interaction' ? wait.interactionId : undefined);
  if (wait.type === 'message') return <>the next message</>;
  if (wait.type === 'time')
    return (
      <>
        a time, <Time at={wait.until} />
      </>
    );
  return (
    <a href={href('inbox', wait.interactionId)}>
      <VisibleText text={question ? `“${question.title}”` : 'an answer'} />
    </a>
  );
}
