/** One run: its status, what it waits for, and its journal. */
import type { JournalEntry } from '@holdpoint/protocol';
import { newKey } from '@holdpoint/protocol/new-key';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { useLoad } from '../load.ts';
import { shortId, useThread } from '../look-up.ts';
import { useMe } from '../me.ts';
import { Button } from '../parts/button.tsx';
import { Code, CopyButton } from '../parts/code.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { durationOf, Time } from '../parts/inline.tsx';
import { Page } from '../parts/page.tsx';
import { Empty, Shown } from '../parts/states.tsx';
import { Fact } from '../parts/table.tsx';
import { go, href } from '../route.ts';
import { followEvents, service } from '../service.ts';
import { callsOf, JournalView } from './journal.tsx';
import { RunStatusBadge, runEvents, WaitsFor } from './run-list.tsx';

/** Reads at most 5,000 entries. A journal may have a hundred thousand. */
const pageSize = 200;
const maxPages = 25;

async function read(runId: string) {
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
    return followEvents({ types: runEvents, threadId }, ({ data }) => {
      if ('run' in data && data.run.id === id) loaded.reload();
    });
  }, [id, threadId]);
  const run = loaded.data?.run;
  const { isAdmin } = useMe();
  const isOpen = run?.status === 'running' || run?.status === 'waiting';
  const mayRestart = run?.status === 'failed' || run?.status === 'cancelled';
  return (
    <Page
      title={run ? `Run of ${run.agent}` : 'Run'}
      parent={{ page: 'runs', title: 'Runs' }}
      actions={
        <>
          <CopyButton text={id} what="the id of the run" label="Copy id" />
          {isAdmin && isOpen && <Button text="Cancel run…" onClick={() => ask('cancel')} />}
          {isAdmin && mayRestart && <Button text="Restart run…" look="primary" onClick={() => ask('restart')} />}
        </>
      }
    >
      <Shown of={loaded}>{(data) => <RunView {...data} />}</Shown>
      {asked === 'cancel' && (
        <Confirm
          title="Cancel this run?"
          verb="Cancel run"
          dismiss="Keep run"
          onConfirm={() => service.cancelRun({ runId: id, idempotencyKey: newKey() })}
          done="Run cancelled."
          onDone={loaded.reload}
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
            go(href('runs', again.id));
          }}
          done="Started a new run."
          onClose={() => ask(undefined)}
        >
          <p>A new run starts with the same input and an empty journal, so it repeats every step.</p>
        </Confirm>
      )}
    </Page>
  );
}

function RunView({ run, entries, hasMore }: Awaited<ReturnType<typeof read>>) {
  const calls = useMemo(() => callsOf(entries), [entries]);
  const { threadId, status, createdAt, endedAt, updatedAt, error, result, restartOf, waitingFor } = run;
  const thread = useThread(threadId);
  return (
    <>
      <section class="card run-facts" aria-label="Details">
        <dl class="facts">
          <Fact name="Status" value={<RunStatusBadge status={status} />} />
          <Fact name="Waiting for" value={waitingFor && <WaitsFor run={run} />} />
          <Fact name="Thread" value={<a href={href('threads', threadId)}>{thread?.title ?? shortId(threadId)}</a>} />
          <Fact name="Started" value={<Time at={createdAt} />} />
          {endedAt ? (
            <Fact name="Duration" value={durationOf(Date.parse(endedAt) - Date.parse(createdAt))} />
          ) : (
            <Fact name="Updated" value={<Time at={updatedAt} />} />
          )}
          <Fact name="Restart of" value={restartOf && <a href={href('runs', restartOf)}>{shortId(restartOf)}</a>} />
          <Fact name="Reason" value={run.cancelReason} />
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
          <Empty title="No calls yet">The function has not reached its first call.</Empty>
        )}
      </section>
    </>
  );
}
