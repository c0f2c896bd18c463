import type { UpdateWebhook, Webhook } from '@holdpoint/protocol';
import { actorOf, type Caller } from '../../domain/caller.ts';
import { checkUpdate } from '../../domain/webhooks/check-webhook.ts';
import { skip } from '../../domain/webhooks/delivery.ts';
import { editWebhook, readerOf, type StoredWebhook, shownWebhook } from '../../domain/webhooks/webhook.ts';
import { disable, enable } from '../../domain/webhooks/webhook-health.ts';
import type { Change, DeliveryChange, Document, DocumentChange } from '../../stores/store.ts';
import type { Context } from '../context.ts';
import { perform } from '../perform.ts';
import { disabledChange } from './send-deliveries.ts';
import { loadWebhook, refuseBadWebhook, reloadWebhook } from './webhooks.ts';

type Update = UpdateWebhook & { webhookId: string };

export async function updateWebhook(
  context: Context,
  caller: Caller,
  { webhookId, ...update }: Update,
): Promise<Webhook> {
  const updated = await perform(context, caller, {
    verb: 'updateWebhook',
    input: {},
    attempt: async () => {
      const before = await loadWebhook(context, caller, webhookId);
      await refuseBadWebhook(context, caller, update.url, checkUpdate(before.record, update));
      const edited = editWebhook(before.record, update, context.clock.now());
      const { stored, change } = await switched(context, caller, { before, edited, update });
      return { change, resource: { type: 'webhook', id: before.id }, result: shownWebhook(stored) };
    },
    reload: (id) => reloadWebhook(context, caller, id),
  });
  context.webhooks.changed();
  return updated;
}

interface Edited {
  before: Document<'webhook'>;
  edited: StoredWebhook;
  update: UpdateWebhook;
}

/** Enables or disables the webhook if the update asks for it. */
async function switched(
  { store, clock }: Context,
  caller: Caller,
  { before, edited, update: { status, from = 'last' } }: Edited,
): Promise<{ stored: StoredWebhook; change: Omit<Change, 'orgId'> }> {
  const { orgId } = caller;
  const { id, revision: expected } = before;
  const now = clock.now();
  if (status === 'disabled' && before.record.record.status !== status) {
    const disabled = disable(edited, { reason: 'asked', now, by: actorOf(caller) });
    return { stored: disabled.stored, change: await disabledChange(store, orgId, before, disabled) };
  }
  const isEnabling = status === 'enabled' && before.record.record.status !== status;
  const stored = isEnabling ? enable(edited, now) : edited;
  const document: DocumentChange = { type: 'webhook', id, record: stored, expected };
  if (!isEnabling) return { stored, change: { documents: [document] } };
  const timers = [{ kind: 'webhook', id, dueAt: now } as const];
  if (from === 'last') return { stored, change: { documents: [document], timers } };
  const reader = await store.getDocument({ orgId, type: 'reader', id: readerOf(id) });
  const cursor = await store.headCursor();
  const moved: DocumentChange[] = reader
    ? [{ type: 'reader', id: reader.id, record: { cursor }, expected: reader.revision }]
    : [];
  const changedDeliveries = await skippedDeliveries(store, { orgId, webhookId: id, now });
  return { stored, change: { documents: [document, ...moved], timers, changedDeliveries } };
}

/** Gives up all pending deliveries. An attempt that is in flight does not change that. */
async function skippedDeliveries(
  store: Context['store'],
  { now, ...by }: { orgId: string; webhookId: string; now: number },
): Promise<DeliveryChange[]> {
  const all: DeliveryChange[] = [];
  let from = {};
  for (;;) {
    const pending = { ...by, status: 'pending', order: 'oldest', limit: 1_000 } as const;
    const { items, next: cursor } = await store.listDeliveries({ ...pending, ...from });
    all.push(...items.map((delivery) => ({ record: skip(delivery, now), from: delivery.status })));
    if (cursor === undefined) return all;
    from = { cursor };
  }
}
