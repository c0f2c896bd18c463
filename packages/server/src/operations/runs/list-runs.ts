import type { Page, Run, RunFilter } from '@holdpoint/protocol';
import type { Caller } from '../../domain/caller.ts';
import type { Context } from '../context.ts';
import { authorize, page, pageLimit } from '../perform.ts';

export async function listRuns({ store }: Context, caller: Caller, filter: RunFilter): Promise<Page<Run>> {
  authorize(caller, 'listRuns');
  const { order = 'oldest', limit } = filter;
  return page(await store.listRuns({ ...filter, orgId: caller.orgId, order, limit: pageLimit(limit) }));
}
