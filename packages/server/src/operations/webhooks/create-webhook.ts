import { type CreatedWebhook, type CreateWebhook, fail, limits, type Write } from '@holdpoint/protocol';
import type { Caller } from '../../domain/caller.ts';
import { timestamp } from '../../domain/state.ts';
import { checkHeaders, checkSecret } from '../../domain/webhooks/check-webhook.ts';
import { readerOf, type StoredWebhook } from '../../domain/webhooks/stored-webhook.ts';
import type { Context } from '../context.ts';
import { perform } from '../perform.ts';
import { shownById } from './load-webhook.ts';
import { newSecret } from './new-secret.ts';
import { refuseBadWebhook } from './refuse-bad-webhook.ts';

/** It begins with what is committed from now on. A repeated call gets the webhook without its secret, which is shown once. */
export async function createWebhook(
  context: Context,
  caller: Caller,
  input: CreateWebhook & Write,
): Promise<CreatedWebhook> {
  const { store, clock, webhooks } = context;
  const created = await perform<CreatedWebhook>(context, caller, {
    verb: 'createWebhook',
    input,
    attempt: async () => {
      const { idempotencyKey: _, secret = newSecret(), headers = {}, ...given } = input;
      const format = given.format ?? 'standard';
      const { items } = await store.listDocuments({
        orgId: caller.orgId,
        type: 'webhook',
        limit: limits.webhooksPerOrg,
      });
      if (items.length >= limits.webhooksPerOrg)
        fail(
          'too-many-webhooks',
          `An org has at most ${limits.webhooksPerOrg} webhooks; delete one that is not needed.`,
        );
      await refuseBadWebhook(context, caller, given.url, [...checkHeaders(headers), ...checkSecret(secret, format)]);
      const now = clock.now();
      const id = context.newId();
      const stored: StoredWebhook = {
        record: {
          id,
          order: 'none',
          concurrency: 8,
          timeoutMs: 15_000,
          ...given,
          format,
          headerNames: Object.keys(headers),
          status: 'enabled',
          createdAt: timestamp(now),
          updatedAt: timestamp(now),
        },
        secrets: [{ secret }],
        headers,
        enabledAt: now,
        replayed: 0,
      };
      return {
        change: {
          documents: [
            { type: 'webhook', id, record: stored, expected: null },
            { type: 'reader', id: readerOf(id), record: { cursor: await store.headCursor() }, expected: null },
          ],
          timers: [{ kind: 'webhook', id, dueAt: now }],
        },
        resource: { type: 'webhook', id },
        result: { ...stored.record, secret },
      };
    },
    reload: (id) => shownById(context, caller, id),
  });
  webhooks.changed();
  return created;
}
