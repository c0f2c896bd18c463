/** What was said last in the thread. It is no call: whatever is made of it is kept by the call that reads it. */
import { limits, type Message } from '@holdpoint/protocol';
import { reach } from '../engine/breaks.ts';
import type { Place } from './say.ts';

/** Continues after a short page (L20), because a few megabytes of messages fill one. */
export async function history({ service, threadId }: Place, limit = 50): Promise<Message[]> {
  const wanted = Math.min(limit, limits.pageSize);
  const messages: Message[] = [];
  for (let from = {}; messages.length < wanted; ) {
    const asked = { threadId, order: 'newest', limit: wanted - messages.length, ...from } as const;
    const { data, next } = await reach(() => service.listMessages(asked));
    messages.push(...data);
    if (next === undefined) break;
    from = { cursor: next };
  }
  return messages.reverse();
}
