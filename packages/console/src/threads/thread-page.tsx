/** One thread: the conversation, the log, the runs and the details. */
import type { Thread } from '@holdpoint/protocol';
import { useEffect, useState } from 'preact/hooks';
import { DemoBar, isOfDemo } from '../demo/demo-bar.tsx';
import { useLoad } from '../load.ts';
import { shortId } from '../look-up.ts';
import { useMe } from '../me.ts';
import { Code, CopyButton } from '../parts/code.tsx';
import { Time } from '../parts/inline.tsx';
import { Page } from '../parts/page.tsx';
import { Listed, Shown } from '../parts/states.tsx';
import { Fact } from '../parts/table.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { ActorName } from '../parts/who.tsx';
import { WidgetElement } from '../parts/widget-element.tsx';
import { YouAnswer } from '../parts/you-answer.tsx';
import { href, useRoute } from '../route.ts';
import { RunList, useRuns } from '../runs/run-list.tsx';
import { service } from '../service.ts';
import { EventLog } from './event-log.tsx';
import { ForOthers, useMine } from './for-others.tsx';
import { useThreadLog } from './thread-log.ts';

const tabs = { log: 'Log', runs: 'Runs', about: 'Details' };

export default function ThreadPage({ id = '' }: { id?: string }) {
  const loaded = useLoad(() => service.getThread({ threadId: id }), [id]);
  const [tab, setTab] = useState<keyof typeof tabs>('log');
  const log = useThreadLog(id);
  const runs = useRuns({ threadId: id });
  const me = useMe();
  const mine = useMine();
  const wanted = Number(useRoute().query.get('event')) || undefined;
  useEffect(() => {
    if (wanted !== undefined) setTab('log');
  }, [wanted]);
  const { data: thread } = loaded;
  return (
    <Page
      title={thread?.title ?? (thread ? shortId(id) : 'Thread')}
      width="wide"
      parent={{ page: 'threads', title: 'Threads' }}
      lead={thread?.agent ? `Agent: ${thread.agent}` : undefined}
      actions={
        <>
          <CopyButton text={id} what="the id of the thread" label="Copy id" />
          <a class="button small" href={href('inbox', undefined, { thread: id })}>
            Open in inbox
          </a>
        </>
      }
    >
      {thread && me.isAdmin && isOfDemo(thread) && <DemoBar threadId={id} />}
      <Shown of={loaded}>
        {(thread) => (
          <div class="thread-view">
            <section class="thread-chat" aria-labelledby="conversation">
              <h2 id="conversation" class="visually-hidden">
                Conversation
              </h2>
              <ForOthers threadId={id} {...{ log, mine }} />
              {me.isAdmin && <YouAnswer verb="write and answer" />}
              <WidgetElement
                name="holdpoint-chat"
                of={{ thread: id, ...(me.isAdmin ? {} : { 'read-only': '' }) }}
                mayAnswer={mine}
              />
            </section>
            <section class="card thread-side" aria-labelledby="about">
              <h2 id="about" class="visually-hidden">
                Log, runs and details
              </h2>
              <Tabs label="About this thread" tabs={tabs} current={tab} onChange={(to) => setTab(to)}>
                {tab === 'log' && <EventLog {...{ log, wanted }} threadId={id} />}
                {tab === 'runs' && (
                  <Listed of={runs} empty={noRuns}>
                    {(all) => <RunList runs={all} isInThread />}
                  </Listed>
                )}
                {tab === 'about' && <About thread={thread} />}
              </Tabs>
            </section>
          </div>
        )}
      </Shown>
    </Page>
  );
}

const noRuns = <p class="hint">No runs yet. A run starts when a worker of the thread's agent handles a message.</p>;

function About({ thread }: { thread: Thread }) {
  const { id, agent, createdAt, createdBy } = thread;
  const created = (
    <>
      <Time at={createdAt} /> by <ActorName actor={createdBy} />
    </>
  );
  return (
    <>
      <dl class="facts">
        <Fact name="Id" value={<span class="mono">{id}</span>} />
        <Fact
          name="Agent"
          value={agent ?? 'None. Workers without an agent name receive the messages of this thread.'}
        />
        <Fact name="Created" value={created} />
      </dl>
      <Code text={JSON.stringify(thread, null, 2)} what="the thread" />
    </>
  );
}
