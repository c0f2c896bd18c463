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
  const threadId = filter.threadId ?? (caller.kind === 'responder' ? caller.reach.threadId : undefined);
  if (threadId !== undefined && !reachesThread(caller, threadId))
    fail('thread-not-found', `There is no thread ${threadId}.`);
  const limit = pageLimit(filter.limit);
  return page(
    await store.listInteractions({ ...filter, orgId: caller.orgId, limit, ...(threadId ? { threadId } : {}) }),
  );
}
