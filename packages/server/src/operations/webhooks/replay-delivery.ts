import { type Delivery, fail, type Write } from '@holdpoint/protocol';
import type { Caller } from '../../domain/caller.ts';
import { replayDelivery as replayOf } from '../../domain/webhooks/new-delivery.ts';
import type { Context } from '../context.ts';
import { perform } from '../perform.ts';
import { loadDelivery, loadWebhook } from './load-webhook.ts';

/** A new delivery of the same event. It changes the webhook too: that is how the node that sends for it hears of it. */
export async function replayDelivery(
  context: Context,
  caller: Caller,
  input: { webhookId: string; deliveryId: string } & Write,
): Promise<Delivery> {
  const { clock, webhooks, newId } = context;
  const { webhookId } = input;
  const replay = await perform<Delivery>(context, caller, {
    verb: 'replayDelivery',
    input,
    attempt: async () => {
      const { id, revision, record } = await loadWebhook(context, caller, webhookId);
      const delivery = await loadDelivery(context, caller, input);
      if (delivery.status === 'pending')
        fail('delivery-pending', `The delivery ${delivery.id} is neither taken nor given up yet.`);
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
