import type { UpdateWebhook } from '@holdpoint/protocol';
import { actorOf, type Caller } from '../../domain/caller.ts';
import { checkUpdate } from '../../domain/webhooks/check-webhook.ts';
import { skip } from '../../domain/webhooks/delivery.ts';
import { editWebhook, readerOf, type StoredWebhook, shownWebhook } from '../../domain/webhooks/webhook.ts';
import { disable, enable } from '../../domain/webhooks/webhook-health.ts';
import type { Document, DocumentChange } from '../../stores/documents.ts';
import type { DeliveryChange } from '../../stores/store.ts';
import type { Context, Operation } from '../context.ts';
import { type OrgChange, pagesOf } from '../perform.ts';
import { disabledChange } from './send-deliveries.ts';
import { changeWebhook, refuseBadWebhook, webhookChange, webhookEvent } from './webhooks.ts';

export const updateWebhook: Operation<'updateWebhook'> = (context, caller, { webhookId, ...update }) =>
  changeWebhook(context, caller, {
    verb: 'updateWebhook',
    input: { webhookId },
    decide: async (before) => {
      await refuseBadWebhook(context, caller, update.url, checkUpdate(before.record, update));
      const edited = editWebhook(before.record, update, context.clock.now());
      const { stored, change } = await switched(context, caller, before, edited, update);
      const { documents = [], ...rest } = change;
      // The names alone: a header or the address may hold a secret.
      const updated = webhookEvent(context, caller, 'webhook.updated', stored, { changed: Object.keys(update) });
      return { change: { ...rest, documents: [...documents, updated] }, result: shownWebhook(stored) };
    },
  });

/** Enables or disables the webhook if the update asks for it. */
async function switched(
  { store, clock }: Context,
  caller: Caller,
  before: Document<'webhook'>,
  edited: StoredWebhook,
  { status, from = 'last' }: UpdateWebhook,
): Promise<{ stored: StoredWebhook; change: OrgChange }> {
  const { orgId } = caller;
  const { id } = before;
  const now = clock.now();
  const isSwitched = status !== undefined && status !== before.record.record.status;
  if (isSwitched && status === 'disabled') {
    const disabled = disable(edited, { reason: 'asked', now, by: actorOf(caller) });
    return { stored: disabled.stored, change: await disabledChange(store, orgId, before, disabled) };
  }
  if (!isSwitched) return { stored: edited, change: { documents: [webhookChange(before, edited)] } };
  const stored = enable(edited, now);
  const documents: DocumentChange[] = [webhookChange(before, stored)];
  const timers = [{ kind: 'webhook', id, dueAt: now } as const];
  if (from === 'last') return { stored, change: { documents, timers } };
  const reader = await store.getDocument({ orgId, type: 'reader', id: readerOf(id) });
  const cursor = await store.headCursor();
  if (reader) documents.push({ type: 'reader', id: reader.id, record: { cursor }, expected: reader.revision });
  // Gives up all pending deliveries, also during an attempt.
  const changedDeliveries: DeliveryChange[] = [];
  const pending = { orgId, webhookId: id, status: 'pending', order: 'oldest', limit: 1_000 } as const;
  for await (const items of pagesOf((from) => store.listDeliveries({ ...pending, ...from })))
    changedDeliveries.push(...items.map((delivery) => ({ record: skip(delivery, now), from: delivery.status })));
  return { stored, change: { documents, timers, changedDeliveries } };
}
