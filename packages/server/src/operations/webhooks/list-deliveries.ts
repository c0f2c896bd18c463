import type { Delivery, DeliveryFilter, Page } from '@holdpoint/protocol';
import type { Caller } from '../../domain/caller.ts';
import type { Context } from '../context.ts';
import { page, pageLimit } from '../page.ts';
import { authorize } from '../perform.ts';
import { loadWebhook } from './load-webhook.ts';

export async function listDeliveries(
  context: Context,
  caller: Caller,
  { order = 'newest', limit, ...filter }: DeliveryFilter,
): Promise<Page<Delivery>> {
  authorize(caller, 'listDeliveries');
  await loadWebhook(context, caller, filter.webhookId);
  const { orgId } = caller;
  return page(await context.store.listDeliveries({ ...filter, orgId, order, limit: pageLimit(limit) }));
}
