/** The list of threads, and the dialog that creates one. */
import { defined } from '@holdpoint/protocol';
import { newKey } from '@holdpoint/protocol/new-key';
import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { Code } from '../parts/code.tsx';
import { Field, FormDialog, useSubmit } from '../parts/form.tsx';
import { Page } from '../parts/page.tsx';
import { Empty, Shown } from '../parts/states.tsx';
import { VirtualList } from '../parts/virtual-list.tsx';
import { go, href } from '../route.ts';
import { service } from '../service.ts';
import { ThreadRow } from './thread-row.tsx';
import { useThreads } from './use-threads.ts';

const rowHeight = 64;

export default function ThreadsPage() {
  const { changesOf, ...loaded } = useThreads();
  const { data: threads = [], more } = loaded;
  const [text, setText] = useState('');
  const [isCreating, setCreating] = useState(false);
  const shown = useMemo(() => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    return threads.filter(({ id, title = '', agent = '' }) => {
      const all = `${title}\n${agent}\n${id}`.toLowerCase();
      return words.every((word) => all.includes(word));
    });
  }, [threads, text]);
  const create = <Button text="Create thread" look="primary" onClick={() => setCreating(true)} />;
  return (
    <Page
      title="Threads"
      width="wide"
      lead="A thread is one conversation: its messages, its requests, and every event in order."
      actions={threads.length > 0 && create}
    >
      <Shown of={loaded} rows={6}>
        {({ length }) =>
          length === 0 ? (
            <NoThreads>{create}</NoThreads>
          ) : (
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
                {more && text !== '' && (
                  <span class="hint">
                    Searched the newest {length}.{' '}
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
                render={(thread) => <ThreadRow thread={thread} changes={changesOf(thread.id)} />}
                {...defined({ onEnd: text === '' ? more : undefined })}
              />
            </div>
          )
        }
      </Shown>
      {isCreating && <NewThread onClose={() => setCreating(false)} />}
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
  const submit = useSubmit(['title', 'agent'], async () => {
    const { id } = await service.createThread({
      ...defined({ title: title.trim() || undefined, agent: agent.trim() || undefined }),
      idempotencyKey: newKey(),
    });
    go(href('threads', id));
  });
  const { of } = submit.faults;
  return (
    <FormDialog title="Create thread" verb="Create thread" {...{ submit, onClose }}>
      <Field
        label="Title"
        hint="For example “Release 4.2”."
        fault={of.title}
        maxLength={1_000}
        value={title}
        onValue={setTitle}
      />
      <Field
        label="Agent"
        hint="Its workers receive the messages and answers. Leave this empty if your own code sends the requests."
        fault={of.agent}
        maxLength={255}
        value={agent}
        onValue={setAgent}
      />
    </FormDialog>
  );
}
