/** The threads: conversations of people and agents, with what waits in each. */
import { defined } from '@holdpoint/protocol';
import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { Code } from '../parts/code.tsx';
import { Empty } from '../parts/empty.tsx';
import { Page } from '../parts/page.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { VirtualList } from '../parts/virtual-list.tsx';
import { NewThread } from '../threads/new-thread.tsx';
import { ThreadRow } from '../threads/thread-row.tsx';
import { useThreads } from '../threads/use-threads.ts';

const rowHeight = 64;

export default function ThreadsPage() {
  const { threads, hasMore, isLoading, error, more, stirsOf } = useThreads();
  const [text, setText] = useState('');
  const [isOpening, open] = useState(false);
  const shown = useMemo(() => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    return threads.filter(({ id, title = '', agent = '' }) => {
      const all = `${title}\n${agent}\n${id}`.toLowerCase();
      return words.every((word) => all.includes(word));
    });
  }, [threads, text]);
  const newThread = (
    <button type="button" class="button primary" onClick={() => open(true)}>
      New thread
    </button>
  );
  return (
    <Page
      title="Threads"
      width="wide"
      lead="A thread is one conversation: what was said, what was asked, and every event in order."
      actions={threads.length > 0 && newThread}
    >
      {error !== undefined && <Failed error={error} />}
      {threads.length === 0 && isLoading && <Loading rows={6} what="Loading the threads" />}
      {threads.length === 0 && !isLoading && error === undefined && <NoThreads>{newThread}</NoThreads>}
      {threads.length > 0 && (
        <div class="card threads">
          <div class="threads-bar">
            <input
              type="search"
              class="control"
              aria-label="Search threads"
              placeholder="Search title, agent or id"
              value={text}
              onInput={({ currentTarget }) => setText(currentTarget.value)}
            />
            {hasMore && text !== '' && (
              <span class="hint">
                Among the newest {threads.length}.{' '}
                <button type="button" class="link-button" onClick={more}>
                  Load more
                </button>
              </span>
            )}
          </div>
          {shown.length === 0 && <p class="threads-none hint">No thread fits “{text}”.</p>}
          <VirtualList
            items={shown}
            rowHeight={rowHeight}
            label="Threads"
            class="threads-list"
            keyOf={({ id }) => id}
            render={(thread) => <ThreadRow thread={thread} stirs={stirsOf(thread.id)} />}
            {...defined({ onEnd: text === '' ? more : undefined })}
          />
        </div>
      )}
      {isOpening && <NewThread onClose={() => open(false)} />}
    </Page>
  );
}

function NoThreads({ children }: { children: ComponentChildren }) {
  const example = `curl ${location.origin}/v1/threads \\
  -H "Authorization: Bearer $HOLDPOINT_KEY" \\
  -H "content-type: application/json" \\
  -d '{"id": "release", "title": "Release 4.2"}'`;
  return (
    <Empty title="No conversation yet" icon="threads">
      <p>
        Everything is said and asked in a thread. Open one here and write in it, or let your agent open it. With the
        name of an agent, its workers are handed whatever people say in it.
      </p>
      {children}
      <Code text={example} what="the command" />
    </Empty>
  );
}
