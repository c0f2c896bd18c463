import { fail, type Interaction, type InteractionCount, type InteractionFilter, type Page } from '@holdpoint/protocol';
import { type Caller, reachesThread } from '../domain/caller.ts';
import type { Context } from './context.ts';
import { page, pageLimit } from './page.ts';
import { authorize } from './perform.ts';

export async function listInteractions(
  { store }: Context,
  caller: Caller,
  filter: InteractionFilter,
): Promise<Page<Interaction>> {
  authorize(caller, 'listInteractions');
  const limit = pageLimit(filter.limit);
  return page(await store.listInteractions({ ...withinReach(caller, filter), orgId: caller.orgId, limit }));
}

/** What was asked for, narrowed to the thread that a token reaches, or to what waits for the person. */
export function withinReach<T extends InteractionCount>(caller: Caller, filter: T): T {
  if (caller.kind === 'key') return filter;
  const { reach, responderId } = caller;
  if ('inbox' in reach) return { ...filter, assignee: responderId };
  const threadId = filter.threadId ?? reach.threadId;
  if (!reachesThread(caller, threadId)) fail('thread-not-found', `There is no thread ${threadId}.`);
  return { ...filter, threadId };
}
