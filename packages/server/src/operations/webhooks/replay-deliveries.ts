import { fail, type Replay, type Webhook, type Write } from '@holdpoint/protocol';
import type { Caller } from '../../domain/caller.ts';
import { firstIdOf } from '../../domain/webhooks/first-id-of.ts';
import type { StoredWebhook } from '../../domain/webhooks/stored-webhook.ts';
import type { Context } from '../context.ts';
import { perform } from '../perform.ts';
import { loadWebhook, shown, shownById } from './load-webhook.ts';

/** Only notes what is to be replayed: it may be more than fits, so the node that sends does it as there is room. */
export async function replayDeliveries(
  context: Context,
  caller: Caller,
  input: { webhookId: string } & Replay & Write,
): Promise<Webhook> {
  const { webhooks, newId } = context;
  const webhook = await perform(context, caller, {
    verb: 'replayDeliveries',
    input,
    attempt: async () => {
      const { id, revision, record: before } = await loadWebhook(context, caller, input.webhookId);
      if (before.replay) fail('replay-under-way', 'Another replay is under way; try again when it is done.');
      const stored: StoredWebhook = {
        ...before,
        replay: {
          includesDelivered: input.status === 'all',
          after: firstIdOf(Date.parse(input.since)),
          before: newId(),
        },
      };
      return {
        change: { documents: [{ type: 'webhook', id, record: stored, expected: revision }] },
        resource: { type: 'webhook', id },
        result: shown(stored),
      };
    },
    reload: (id) => shownById(context, caller, id),
  });
  webhooks.changed();
  return webhook;
}
