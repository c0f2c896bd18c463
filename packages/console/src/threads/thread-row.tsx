/** One row of the thread list. Visible rows load their last message and their number of pending requests. */
import type { Thread } from '@holdpoint/protocol';
import { useLoad } from '../load.ts';
import { shortId } from '../look-up.ts';
import { Badge, Time, VisibleText } from '../parts/inline.tsx';
import { href } from '../route.ts';
import { service } from '../service.ts';
import { wordsOf } from './describe-event.ts';

/** Many events in one thread cause one reload. */
const settleMs = 400;

/** `changes` counts the events that change the row. */
export function ThreadRow({ thread, changes }: { thread: Thread; changes: number }) {
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
