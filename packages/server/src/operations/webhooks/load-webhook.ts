/** Loads a webhook or one of its deliveries, and shows what callers may see. */
import { type Delivery, fail, type Webhook } from '@holdpoint/protocol';
import type { Caller } from '../../domain/caller.ts';
import type { StoredWebhook } from '../../domain/webhooks/stored-webhook.ts';
import type { Document } from '../../stores/store.ts';
import type { Context } from '../context.ts';

export async function loadWebhook({ store }: Context, { orgId }: Caller, id: string): Promise<Document<'webhook'>> {
  const webhook = await store.getDocument({ orgId, type: 'webhook', id });
  return webhook ?? fail('webhook-not-found', `There is no webhook ${id}.`);
}

export async function loadDelivery(
  { store }: Context,
  { orgId }: Caller,
  { webhookId, deliveryId }: { webhookId: string; deliveryId: string },
): Promise<Delivery> {
  const delivery = await store.getDelivery({ orgId, webhookId, id: deliveryId });
  return delivery ?? fail('delivery-not-found', `The webhook ${webhookId} has no delivery ${deliveryId}.`);
}

/** Neither its secrets nor the values of its headers. */
export const shown = ({ record, replay }: StoredWebhook): Webhook => ({
  ...record,
  ...(replay ? { isReplaying: true } : {}),
});

export const shownById = async (context: Context, caller: Caller, id: string): Promise<Webhook> =>
  shown((await loadWebhook(context, caller, id)).record);
