import { type Delivery, fail } from '@holdpoint/protocol';
import type { Caller } from '../../domain/caller.ts';
import { replayDelivery as replayOf, startReplay } from '../../domain/webhooks/replay.ts';
import { shownWebhook } from '../../domain/webhooks/webhook.ts';
import type { Context, Operation } from '../context.ts';
import { page, pageLimit, perform } from '../perform.ts';
import { changeWebhook, loadWebhook, webhookChange } from './webhooks.ts';

export const getDelivery: Operation<'getDelivery'> = async (context, caller, { webhookId, deliveryId }) => {
  await loadWebhook(context, caller, webhookId);
  return loadDelivery(context, caller, webhookId, deliveryId);
};

export const listDeliveries: Operation<'listDeliveries'> = async (context, caller, input) => {
  const { order = 'newest', limit, ...filter } = input;
  await loadWebhook(context, caller, filter.webhookId);
  const { orgId } = caller;
  return page(await context.store.listDeliveries({ ...filter, orgId, order, limit: pageLimit(limit) }));
};

/** Makes a new delivery of the same event. Also changes the webhook, so that the node with its lease looks for deliveries. */
export const replayDelivery: Operation<'replayDelivery'> = async (context, caller, input) => {
  const { clock, webhooks, newId } = context;
  const { webhookId, deliveryId } = input;
  const replay = await perform(context, caller, {
    verb: 'replayDelivery',
    input,
    attempt: async () => {
      const webhook = await loadWebhook(context, caller, webhookId);
      const delivery = await loadDelivery(context, caller, webhookId, deliveryId);
      if (delivery.status === 'pending') fail('delivery-pending', `The delivery ${delivery.id} is still pending.`);
      const { again, old } = replayOf(delivery, { id: newId(), now: clock.now() });
      return {
        change: {
          documents: [webhookChange(webhook, { ...webhook.record, replayed: webhook.record.replayed + 1 })],
          newDeliveries: [again],
          changedDeliveries: [{ record: old, from: old.status }],
        },
        resource: { type: 'delivery', id: again.id },
        result: again,
      };
    },
    reload: (id) => loadDelivery(context, caller, webhookId, id),
  });
  webhooks.changed();
  return replay;
};

/** Starts a replay. The node with the webhook's lease makes the deliveries as there is room (`replayNextPage`). */
export const replayDeliveries: Operation<'replayDeliveries'> = (context, caller, input) =>
  changeWebhook(context, caller, {
    verb: 'replayDeliveries',
    input,
    decide: async (webhook) => {
      if (webhook.record.replay) fail('replay-under-way', 'Another replay is running. Retry when it is done.');
      const stored = startReplay(webhook.record, input, context.newId());
      return { change: { documents: [webhookChange(webhook, stored)] }, result: shownWebhook(stored) };
    },
  });

async function loadDelivery({ store }: Context, { orgId }: Caller, webhookId: string, id: string): Promise<Delivery> {
  const delivery = await store.getDelivery({ orgId, webhookId, id });
  return delivery ?? fail('delivery-not-found', `The webhook ${webhookId} has no delivery ${id}.`);
}
