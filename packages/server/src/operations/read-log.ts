import type { LogEvent, Page } from '@holdpoint/protocol';
import type { Caller } from '../domain/caller.ts';
import type { Context } from './context.ts';
import { loadThread } from './load.ts';
import { pageLimit } from './page.ts';
import { authorize } from './perform.ts';

export async function readLog(
  context: Context,
  caller: Caller,
  input: { threadId: string; after?: number; limit?: number },
): Promise<Page<LogEvent>> {
  authorize(caller, 'readLog');
  const { id: threadId } = await loadThread(context, caller, input.threadId);
  const limit = pageLimit(input.limit);
  const after = input.after ?? 0;
  // One more than asked for tells whether this is the last page.
  const { items, next } = await context.store.readLog({ orgId: caller.orgId, threadId, after, limit: limit + 1 });
  const data = items.slice(0, limit);
  return { data, ...(next === undefined ? {} : { next: String(data.at(-1)?.seq) }) };
}
