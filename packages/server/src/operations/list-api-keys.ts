import type { ApiKey, Page, PageRequest } from '@holdpoint/protocol';
import type { Caller } from '../domain/caller.ts';
import type { Context } from './context.ts';
import { page, pageLimit } from './page.ts';
import { authorize } from './perform.ts';

export async function listApiKeys({ store }: Context, caller: Caller, request: PageRequest): Promise<Page<ApiKey>> {
  authorize(caller, 'listApiKeys');
  return page(await store.listApiKeys({ ...request, orgId: caller.orgId, limit: pageLimit(request.limit) }));
}
