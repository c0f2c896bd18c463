/** The list of threads, and the dialog that creates one. */

import { defined } from '@holdpoint/protocol';
import { newKey } from '@holdpoint/protocol/new-key';
import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { wordsFor } from '../error-text.ts';
import { Code } from '../parts/code.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/form.tsx';
import { Page } from '../parts/page.tsx';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import { VirtualList } from '../parts/virtual-list.tsx';
import { go, href } from '../route.ts';
import { service } from '../service.ts';
import { ThreadRow } from './thread-row.tsx';
import { useThreads } from './use-threads.ts';

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
      Create thread
    </button>
  );
  return (
    <Page
      title="Threads"
      width="wide"
      lead="A thread is one conversation: its messages, its requests, and every event in order."
      actions={threads.length > 0 && newThread}
    >
      {error !== undefined && <Failed error={error} />}
      {threads.length === 0 && isLoading && <Loading rows={6} what="Loading threads" />}
      {threads.length === 0 && !isLoading && error === undefined && <NoThreads>{newThread}</NoThreads>}
      {threads.length > 0 && (
        <div class="card threads">
          <div class="threads-bar">
            <input
              type="search"
              class="control"
              aria-label="Search threads"
              placeholder="Search title, agent or ID"
              value={text}
              onInput={({ currentTarget }) => setText(currentTarget.value)}
            />
            {hasMore && text !== '' && (
              <span class="hint">
                Searched the newest {threads.length}.{' '}
                <button type="button" class="link-button" onClick={more}>
                  Load more
                </button>
              </span>
            )}
          </div>
          {shown.length === 0 && <p class="threads-none hint">No threads match “{text}”.</p>}
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
  -H "Authorization: Bearer $HOLDPOINT_API_KEY" \\
  -H "content-type: application/json" \\
  -d '{"id": "release", "title": "Release 4.2"}'`;
  return (
    <Empty title="No threads yet" icon="threads">
      <p>
        Messages and requests belong to a thread. Create one here, or let your agent create it. If you name an agent,
        its workers receive the messages.
      </p>
      {children}
      <Code text={example} what="the command" />
    </Empty>
  );
}

function NewThread({ onClose }: { onClose(): void }) {
  const [title, setTitle] = useState('');
  const [agent, setAgent] = useState('');
  const [fault, setFault] = useState('');
  const [isBusy, setBusy] = useState(false);
  const create = async () => {
    if (isBusy) return;
    setBusy(true);
    try {
      const { id } = await service.createThread({
        ...defined({ title: title.trim() || undefined, agent: agent.trim() || undefined }),
        idempotencyKey: newKey(),
      });
      go(href('threads', id));
    } catch (error) {
      setFault(wordsFor(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title="Create thread" onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <Field label="Title" hint="For example “Release 4.2”." maxLength={1_000} value={title} onValue={setTitle} />
        <Field
          label="Agent"
          hint="Its workers receive the messages and answers. Leave this empty if your own code sends the requests."
          maxLength={255}
          value={agent}
          onValue={setAgent}
        />
        {fault && (
          <p class="fault" role="alert">
            {fault}
          </p>
        )}
        <div class="actions">
          <button type="submit" class="button primary" aria-disabled={isBusy || undefined}>
            Create thread
          </button>
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}
