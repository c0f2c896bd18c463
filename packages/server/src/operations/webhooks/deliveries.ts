import {
  type Delivery,
  type DeliveryFilter,
  fail,
  type Page,
  type Replay,
  type Webhook,
  type Write,
} from '@holdpoint/protocol';
import type { Caller } from '../../domain/caller.ts';
import { replayDelivery as replayOf, startReplay } from '../../domain/webhooks/replay.ts';
import { shownWebhook } from '../../domain/webhooks/webhook.ts';
import type { Context } from '../context.ts';
import { authorize, page, pageLimit, perform } from '../perform.ts';
import { loadWebhook, reloadWebhook } from './webhooks.ts';

interface DeliveryIds {
  webhookId: string;
  deliveryId: string;
}

export async function getDelivery(context: Context, caller: Caller, input: DeliveryIds): Promise<Delivery> {
  authorize(caller, 'getDelivery');
  await loadWebhook(context, caller, input.webhookId);
  return loadDelivery(context, caller, input);
}

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

/** Makes a new delivery of the same event. Also changes the webhook, which tells the node with its lease to look. */
export async function replayDelivery(context: Context, caller: Caller, input: DeliveryIds & Write): Promise<Delivery> {
  const { clock, webhooks, newId } = context;
  const { webhookId } = input;
  const replay = await perform<Delivery>(context, caller, {
    verb: 'replayDelivery',
    input,
    attempt: async () => {
      const { id, revision, record } = await loadWebhook(context, caller, webhookId);
      const delivery = await loadDelivery(context, caller, input);
      if (delivery.status === 'pending') fail('delivery-pending', `The delivery ${delivery.id} is still pending.`);
      const { again, old } = replayOf(delivery, { id: newId(), now: clock.now() });
      const stored = { ...record, replayed: record.replayed + 1 };
      return {
        change: {
          documents: [{ type: 'webhook', id, record: stored, expected: revision }],
          newDeliveries: [again],
          changedDeliveries: [{ record: old, from: old.status }],
        },
        resource: { type: 'delivery', id: again.id },
        result: again,
      };
    },
    reload: (deliveryId) => loadDelivery(context, caller, { webhookId, deliveryId }),
  });
  webhooks.changed();
  return replay;
}

/** Starts a replay. The node with the webhook's lease makes the deliveries as there is room (`replayNextPage`). */
export async function replayDeliveries(
  context: Context,
  caller: Caller,
  input: { webhookId: string } & Replay & Write,
): Promise<Webhook> {
  const webhook = await perform(context, caller, {
    verb: 'replayDeliveries',
    input,
    attempt: async () => {
      const { id, revision, record: before } = await loadWebhook(context, caller, input.webhookId);
      if (before.replay) fail('replay-under-way', 'Another replay is under way. Retry when it is done.');
      const stored = startReplay(before, input, context.newId());
      return {
        change: { documents: [{ type: 'webhook', id, record: stored, expected: revision }] },
        resource: { type: 'webhook', id },
        result: shownWebhook(stored),
      };
    },
    reload: (id) => reloadWebhook(context, caller, id),
  });
  context.webhooks.changed();
  return webhook;
}

async function loadDelivery(
  { store }: Context,
  { orgId }: Caller,
  { webhookId, deliveryId }: DeliveryIds,
): Promise<Delivery> {
  const delivery = await store.getDelivery({ orgId, webhookId, id: deliveryId });
  return delivery ?? fail('delivery-not-found', `The webhook ${webhookId} has no delivery ${deliveryId}.`);
}
