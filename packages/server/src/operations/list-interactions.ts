import { fail, type Interaction, type InteractionFilter, type Page } from '@holdpoint/protocol';
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

/** What was asked for, narrowed to the thread that a token reaches. */
export function withinReach<T extends { threadId?: string }>(caller: Caller, filter: T): T {
  const threadId = filter.threadId ?? (caller.kind === 'responder' ? caller.reach.threadId : undefined);
  if (threadId === undefined) return filter;
  if (!reachesThread(caller, threadId)) fail('thread-not-found', `There is no thread ${threadId}.`);
  return { ...filter, threadId };
}
