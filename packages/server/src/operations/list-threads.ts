import type { Page, PageRequest, Thread } from '@holdpoint/protocol';
import type { Caller } from '../domain/caller.ts';
import type { Context } from './context.ts';
import { page, pageLimit } from './page.ts';
import { authorize } from './perform.ts';

export async function listThreads({ store }: Context, caller: Caller, request: PageRequest): Promise<Page<Thread>> {
  authorize(caller, 'listThreads');
  return page(await store.listThreads({ ...request, orgId: caller.orgId, limit: pageLimit(request.limit) }));
}
