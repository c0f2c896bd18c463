import type { Delivery } from '@holdpoint/protocol';
import type { Caller } from '../../domain/caller.ts';
import type { Context } from '../context.ts';
import { authorize } from '../perform.ts';
import { loadDelivery, loadWebhook } from './load-webhook.ts';

export async function getDelivery(
  context: Context,
  caller: Caller,
  input: { webhookId: string; deliveryId: string },
): Promise<Delivery> {
  authorize(caller, 'getDelivery');
  await loadWebhook(context, caller, input.webhookId);
  return loadDelivery(context, caller, input);
}
