/** One run: its status, what it waits for, and its journal. */
import type { JournalEntry, LogEvent, Run } from '@holdpoint/protocol';
import { newKey } from '@holdpoint/protocol/new-key';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { useLoad } from '../load.ts';
import { shortId, useThread } from '../look-up.ts';
import { Code, CopyButton } from '../parts/code.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { durationOf, Time } from '../parts/inline.tsx';
import { Page } from '../parts/page.tsx';
import { Empty, Shown } from '../parts/states.tsx';
import { toast } from '../parts/toasts.tsx';
import { go, href } from '../route.ts';
import { followEvents, service } from '../service.ts';
import { callsOf, JournalView } from './journal.tsx';
import { RunStatusBadge, WaitsFor } from './run-list.tsx';
import { runEvents } from './use-runs.ts';

/** Reads at most 5,000 entries. A journal may have a hundred thousand. */
const pageSize = 200;
const maxPages = 25;

interface Read {
  run: Run;
  entries: readonly JournalEntry[];
  hasMore: boolean;
}

async function read(runId: string): Promise<Read> {
  const run = await service.getRun({ runId });
  const entries: JournalEntry[] = [];
  for (let page = 0; page < maxPages; page++) {
    const { data, next } = await service.readJournal({ runId, after: entries.length, limit: pageSize });
    entries.push(...data);
    if (next === undefined) return { run, entries, hasMore: false };
  }
  return { run, entries, hasMore: true };
}

export default function RunPage({ id = '' }: { id?: string }) {
  const loaded = useLoad(() => read(id), [id]);
  const [asked, ask] = useState<'cancel' | 'restart'>();
  const threadId = loaded.data?.run.threadId;
  useEffect(() => {
    if (threadId === undefined) return;
    const stop = new AbortController();
    const take = (data: LogEvent['data']) => 'run' in data && data.run.id === id && loaded.reload();
    followEvents({ types: runEvents, threadId }, ({ data }) => void take(data as LogEvent['data']), stop.signal);
    return () => stop.abort();
  }, [id, threadId]);
  const run = loaded.data?.run;
  const isOpen = run?.status === 'running' || run?.status === 'waiting';
  const mayRestart = run?.status === 'failed' || run?.status === 'cancelled';
  return (
    <Page
      title={run ? `Run of ${run.agent}` : 'Run'}
      parent={{ page: 'runs', title: 'Runs' }}
      actions={
        <>
          <CopyButton text={id} what="the id of the run" label="Copy id" />
          {isOpen && (
            <button type="button" class="button" onClick={() => ask('cancel')}>
              Cancel run…
            </button>
          )}
          {mayRestart && (
            <button type="button" class="button primary" onClick={() => ask('restart')}>
              Restart run…
            </button>
          )}
        </>
      }
    >
      <Shown of={loaded}>{(data) => <RunView {...data} />}</Shown>
      {asked === 'cancel' && (
        <Confirm
          title="Cancel this run?"
          verb="Cancel run"
          dismiss="Keep run"
          onConfirm={async () => {
            await service.cancelRun({ runId: id, idempotencyKey: newKey() });
            toast('Run cancelled.');
            loaded.reload();
          }}
          onClose={() => ask(undefined)}
        >
          <p>The run stops, and its pending requests are cancelled. Completed steps are not undone.</p>
        </Confirm>
      )}
      {asked === 'restart' && (
        <Confirm
          title="Restart this run?"
          verb="Restart run"
          isDanger={false}
          onConfirm={async () => {
            const again = await service.restartRun({ runId: id, idempotencyKey: newKey() });
            toast('Started a new run.');
            go(href('runs', again.id));
          }}
          onClose={() => ask(undefined)}
        >
          <p>A new run starts with the same input and an empty journal, so it repeats every step.</p>
        </Confirm>
      )}
    </Page>
  );
}

function RunView({ run, entries, hasMore }: Read) {
  const calls = useMemo(() => callsOf(entries), [entries]);
  const thread = useThread(run.threadId);
  const { status, createdAt, endedAt, updatedAt, error, result, restartOf, waitingFor } = run;
  return (
    <>
      <section class="card run-facts" aria-label="Details">
        <dl class="facts">
          <div>
            <dt>Status</dt>
            <dd>
              <RunStatusBadge status={status} />
            </dd>
          </div>
          {waitingFor && (
            <div>
              <dt>Waiting for</dt>
              <dd>
                <WaitsFor run={run} />
              </dd>
            </div>
          )}
          <div>
            <dt>Thread</dt>
            <dd>
              <a href={href('threads', run.threadId)}>{thread?.title ?? shortId(run.threadId)}</a>
            </dd>
          </div>
          <div>
            <dt>Started</dt>
            <dd>
              <Time at={createdAt} />
            </dd>
          </div>
          <div>
            <dt>{endedAt ? 'Duration' : 'Updated'}</dt>
            <dd>{endedAt ? durationOf(Date.parse(endedAt) - Date.parse(createdAt)) : <Time at={updatedAt} />}</dd>
          </div>
          {restartOf && (
            <div>
              <dt>Restart of</dt>
              <dd>
                <a href={href('runs', restartOf)}>{shortId(restartOf)}</a>
              </dd>
            </div>
          )}
          {run.cancelReason && (
            <div>
              <dt>Reason</dt>
              <dd>{run.cancelReason}</dd>
            </div>
          )}
        </dl>
        {error && (
          <div class="failed">
            <p>
              <b>{error.code}</b>
              {error.call !== undefined && ` at call ${error.call}`}: {error.message}
            </p>
          </div>
        )}
        {result !== undefined && <Code text={JSON.stringify(result, null, 2)} what="the result" />}
      </section>
      <section class="card" aria-labelledby="journal">
        <header class="card-head">
          <h2 id="journal">Journal</h2>
          <p>
            {calls.length} {calls.length === 1 ? 'call' : 'calls'}
            {hasMore && `, from the first ${entries.length} of ${run.entries} entries`}
          </p>
        </header>
        {calls.length > 0 ? (
          <JournalView calls={calls} />
        ) : (
          <Empty title="No calls yet">
            <p>The function has not reached its first call.</p>
          </Empty>
        )}
      </section>
    </>
  );
}
