import type { Page, PageRequest, Webhook } from '@holdpoint/protocol';
import type { Caller } from '../../domain/caller.ts';
import type { Context } from '../context.ts';
import { page, pageLimit } from '../page.ts';
import { authorize } from '../perform.ts';
import { shown } from './load-webhook.ts';

export async function listWebhooks({ store }: Context, caller: Caller, request: PageRequest): Promise<Page<Webhook>> {
  authorize(caller, 'listWebhooks');
  const { orgId } = caller;
  const { items, ...rest } = await store.listDocuments({
    ...request,
    orgId,
    type: 'webhook',
    limit: pageLimit(request.limit),
  });
  return page({ ...rest, items: items.map(({ record }) => shown(record)) });
}
