/** The list of threads, newest first, and the dialog that creates one. */
import { defined, type EventType, type Thread } from '@holdpoint/protocol';
import { newKey } from '@holdpoint/protocol/new-key';
import { useMemo, useState } from 'preact/hooks';
import { useLiveList, useLoad } from '../load.ts';
import { shortId } from '../look-up.ts';
import { useMe } from '../me.ts';
import { Button } from '../parts/button.tsx';
import { Code } from '../parts/code.tsx';
import { Field, FormDialog, useForm } from '../parts/form.tsx';
import { Badge, Time, VisibleText } from '../parts/inline.tsx';
import { Page } from '../parts/page.tsx';
import { Empty, Shown } from '../parts/states.tsx';
import { VirtualList } from '../parts/virtual-list.tsx';
import { go, href } from '../route.ts';
import { service } from '../service.ts';
import { wordsOf } from './describe-event.ts';

const rowHeight = 64;

export default function ThreadsPage() {
  const { changesOf, ...loaded } = useThreads();
  const { data: threads = [], more } = loaded;
  const { isAdmin } = useMe();
  const [text, setText] = useState('');
  const [isCreating, setCreating] = useState(false);
  const shown = useMemo(() => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    return threads.filter(({ id, title = '', agent = '' }) => {
      const all = `${title}\n${agent}\n${id}`.toLowerCase();
      return words.every((word) => all.includes(word));
    });
  }, [threads, text]);
  return (
    <Page
      title="Threads"
      width="wide"
      lead="A thread is one conversation: its messages, its requests, and every event in order."
      actions={isAdmin && <Button text="Create thread" look="primary" onClick={() => setCreating(true)} />}
    >
      <Shown of={loaded} rows={6}>
        {({ length }) =>
          length === 0 ? (
            <NoThreads isAdmin={isAdmin} />
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

const example = () => `curl ${location.origin}/v1/threads \\
  -H "Authorization: Bearer $HOLDPOINT_API_KEY" \\
  -H "content-type: application/json" \\
  -d '{"id": "release", "title": "Release 4.2"}'`;

const NoThreads = ({ isAdmin }: { isAdmin: boolean }) =>
  isAdmin ? (
    <Empty title="No threads yet" icon="threads" more={<Code text={example()} what="the command" />}>
      Messages and requests belong to a thread. Create one here, or let your agent create it. If you name an agent, its
      workers receive the messages.
    </Empty>
  ) : (
    <Empty title="No threads yet" icon="threads">
      Messages and requests belong to a thread. Threads appear here when agents create them.
    </Empty>
  );

function NewThread({ onClose }: { onClose(): void }) {
  const form = useForm({ title: '', agent: '' }, async ({ title, agent }) => {
    const { id } = await service.createThread({
      ...defined({ title: title || undefined, agent: agent || undefined }),
      idempotencyKey: newKey(),
    });
    go(href('threads', id));
  });
  return (
    <FormDialog title="Create thread" verb="Create thread" {...{ form, onClose }}>
      <Field label="Title" hint="For example “Release 4.2”." {...form.field('title')} maxLength={1_000} />
      <Field
        label="Agent"
        hint="Its workers receive the messages and answers. Leave this empty if your own code sends the requests."
        {...form.field('agent')}
        maxLength={255}
      />
    </FormDialog>
  );
}

/** The events that change the row of a thread. */
const types: readonly EventType[] = [
  'thread.created',
  'thread.updated',
  'message.created',
  'message.completed',
  'interaction.created',
  'interaction.answered',
  'interaction.declined',
  'interaction.cancelled',
  'interaction.expired',
];

function useThreads() {
  const [changes, setChanges] = useState<ReadonlyMap<string, number>>(new Map());
  const threads = useLiveList<Thread>({
    load: (page) => service.listThreads({ limit: 100, ...page }),
    input: undefined,
    filter: { types },
    onEvent({ threadId, type, data }, update) {
      if ('thread' in data) {
        const { thread } = data;
        if (type === 'thread.created') update((before) => new Map([[threadId, thread], ...before]));
        else update((before) => (before.has(threadId) ? new Map(before).set(threadId, thread) : before));
      }
      setChanges((before) => new Map(before).set(threadId, (before.get(threadId) ?? 0) + 1));
    },
  });
  /** The number of events of a thread since the page opened. */
  const changesOf = (threadId: string) => changes.get(threadId) ?? 0;
  return { ...threads, changesOf };
}

/** Many events in one thread cause one reload. */
const settleMs = 400;

/** `changes` counts the events that change the row. */
function ThreadRow({ thread, changes }: { thread: Thread; changes: number }) {
  const { id, title, agent, createdAt, updatedAt, archivedAt } = thread;
  const { data } = useLoad(async () => {
    if (changes > 0) await new Promise((resolve) => setTimeout(resolve, settleMs));
    return lately(id);
  }, [id, changes]);
  const at = data?.at && data.at > updatedAt ? data.at : updatedAt;
  return (
    <div class="thread-row">
      <a class="thread-link" href={href('threads', id)}>
        <span class="thread-title clip">
          <VisibleText text={title ?? shortId(id)} />
        </span>
        <span class="thread-said clip">
          <VisibleText text={data?.text ?? (at === createdAt ? 'No messages yet' : ' ')} />
        </span>
      </a>
      <span class="thread-facts">
        {data && data.pending > 0 && <Badge tone="info">{`${data.pending} pending`}</Badge>}
        {archivedAt && <Badge>Archived</Badge>}
        {agent && <span class="thread-agent clip">{agent}</span>}
        <Time at={at} />
      </span>
    </div>
  );
}

/** The last message or request of a thread, and its number of pending requests. */
async function lately(threadId: string): Promise<{ pending: number; text?: string; at?: string }> {
  const newest = { threadId, order: 'newest', limit: 1 } as const;
  const [{ count: pending }, messages, requests] = await Promise.all([
    service.countInteractions({ threadId, status: 'pending' }),
    service.listMessages(newest),
    service.listInteractions(newest),
  ]);
  const [message] = messages.data;
  const [request] = requests.data;
  if (request && (!message || request.updatedAt > message.at))
    return { pending, text: `Request: ${request.title}`, at: request.updatedAt };
  if (!message) return { pending };
  const author = message.role === 'user' ? 'User' : 'Agent';
  return { pending, text: `${author}: ${wordsOf(message) ?? 'image or card'}`.slice(0, 200), at: message.at };
}
