import type { Grant, Page, PageRequest } from '@holdpoint/protocol';
import type { Caller } from '../domain/caller.ts';
import type { Context } from './context.ts';
import { page, pageLimit } from './page.ts';
import { authorize } from './perform.ts';

export async function listGrants(
  { store }: Context,
  caller: Caller,
  request: PageRequest & { key?: string },
): Promise<Page<Grant>> {
  authorize(caller, 'listGrants');
  return page(await store.listGrants({ ...request, orgId: caller.orgId, limit: pageLimit(request.limit) }));
}
