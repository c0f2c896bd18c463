import { type CreatedWebhook, type CreateWebhook, fail, limits, type Write } from '@holdpoint/protocol';
import type { Caller } from '../../domain/caller.ts';
import { checkHeaders, checkSecret } from '../../domain/webhooks/check-webhook.ts';
import { newWebhook, readerOf } from '../../domain/webhooks/webhook.ts';
import type { Context } from '../context.ts';
import { perform } from '../perform.ts';
import { newSecret, refuseBadWebhook, reloadWebhook } from './webhooks.ts';

/** The webhook gets events from now on. A repeated call returns it without its secret, which is shown once. */
export async function createWebhook(
  context: Context,
  caller: Caller,
  input: CreateWebhook & Write,
): Promise<CreatedWebhook> {
  const { store, clock, webhooks } = context;
  const { orgId } = caller;
  const created = await perform<CreatedWebhook>(context, caller, {
    verb: 'createWebhook',
    input,
    attempt: async () => {
      const { idempotencyKey: _, ...given } = input;
      const { secret = newSecret(), headers = {}, format = 'standard', url } = given;
      const limit = limits.webhooksPerOrg;
      const { items } = await store.listDocuments({ orgId, type: 'webhook', limit });
      if (items.length >= limit)
        fail('too-many-webhooks', `An org has at most ${limit} webhooks. Delete one that is not needed.`);
      await refuseBadWebhook(context, caller, url, [...checkHeaders(headers), ...checkSecret(secret, format)]);
      const now = clock.now();
      const id = context.newId();
      const record = newWebhook(id, { ...given, secret }, now);
      return {
        change: {
          documents: [
            { type: 'webhook', id, record, expected: null },
            { type: 'reader', id: readerOf(id), record: { cursor: await store.headCursor() }, expected: null },
          ],
          timers: [{ kind: 'webhook', id, dueAt: now }],
        },
        resource: { type: 'webhook', id },
        result: { ...record.record, secret },
      };
    },
    reload: (id) => reloadWebhook(context, caller, id),
  });
  webhooks.changed();
  return created;
}
