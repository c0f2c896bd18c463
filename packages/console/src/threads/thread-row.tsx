/** One row of the thread list. Visible rows load their last message and their number of pending requests. */
import type { Message, Thread } from '@holdpoint/protocol';
import { useLoad } from '../load.ts';
import { shortId } from '../look-up.ts';
import { Badge, Time, VisibleText } from '../parts/inline.tsx';

import { href } from '../route.ts';
import { service } from '../service.ts';
import { wordsOf } from './describe-event.ts';

/** Many events in one thread cause one reload. */
const settleMs = 400;

export function ThreadRow({ thread, stirs }: { thread: Thread; stirs: number }) {
  const { id, title, agent, createdAt, updatedAt, archivedAt } = thread;
  const { data } = useLoad(async () => {
    if (stirs > 0) await new Promise((resolve) => setTimeout(resolve, settleMs));
    return lately(id);
  }, [id, stirs]);
  const at = data?.at && data.at > updatedAt ? data.at : updatedAt;
  return (
    <div class="thread-row">
      <a class="thread-link" href={href('threads', id)}>
        <span class="thread-title clip">
          <VisibleText text={title ?? shortId(id)} />
        </span>
        <span class="thread-said clip">
          <VisibleText text={data?.said ?? (at === createdAt ? 'No messages yet' : ' ')} />
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

interface Lately {
  pending: number;
  said?: string;
  at?: string;
}

async function lately(threadId: string): Promise<Lately> {
  const newest = { threadId, order: 'newest', limit: 1 } as const;
  const [{ count }, messages, questions] = await Promise.all([
    service.countInteractions({ threadId, status: 'pending' }),
    service.listMessages(newest),
    service.listInteractions(newest),
  ]);
  const [message] = messages.data;
  const [question] = questions.data;
  const isQuestionLast = question && (!message || question.updatedAt > message.at);
  if (isQuestionLast) return { pending: count, said: `Request: ${question.title}`, at: question.updatedAt };
  return { pending: count, ...(message ? { said: textOf(message), at: message.at } : {}) };
}

function textOf(message: Message): string {
  const who = message.role === 'user' ? 'User' : 'Agent';
  return `${who}: ${wordsOf(message) ?? 'image or card'}`.slice(0, 200);
}
