/** What was said last in the thread. It is no call: whatever is made of it is kept by the call that reads it. */
import { limits, type Message } from '@holdpoint/protocol';
import { reach } from '../engine/breaks.ts';
import type { Place } from './say.ts';

export async function history({ service, threadId }: Place, limit = 50): Promise<Message[]> {
  const asked = { threadId, order: 'newest', limit: Math.min(limit, limits.pageSize) } as const;
  const { data } = await reach(() => service.listMessages(asked));
  return data.reverse();
}
