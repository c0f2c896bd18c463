import type { Webhook } from '@holdpoint/protocol';
import type { Caller } from '../../domain/caller.ts';
import { readerOf } from '../../domain/webhooks/stored-webhook.ts';
import type { Context } from '../context.ts';
import { perform } from '../perform.ts';
import { loadWebhook, shown, shownById } from './load-webhook.ts';

export async function deleteWebhook(context: Context, caller: Caller, input: { webhookId: string }): Promise<Webhook> {
  const { store, webhooks } = context;
  const deleted = await perform(context, caller, {
    verb: 'deleteWebhook',
    input: {},
    attempt: async () => {
      const { id, revision, record } = await loadWebhook(context, caller, input.webhookId);
      const reader = await store.getDocument({ orgId: caller.orgId, type: 'reader', id: readerOf(id) });
      return {
        change: {
          documents: [
            { type: 'webhook', id, record: null, expected: revision },
            ...(reader ? [{ type: 'reader', id: reader.id, record: null, expected: reader.revision } as const] : []),
          ],
          timers: [{ kind: 'webhook', id, dueAt: null }],
        },
        resource: { type: 'webhook', id },
        result: shown(record),
      };
    },
    reload: (id) => shownById(context, caller, id),
  });
  webhooks.changed();
  return deleted;
}
