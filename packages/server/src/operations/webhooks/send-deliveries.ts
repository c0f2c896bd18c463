/**
 * The writes of the node that holds a webhook's lease and sends its deliveries (`delivery/webhooks`). Each applies a rule of
 * `domain/webhooks` to the webhook as that node last loaded it, and commits. If another call has changed the webhook since,
 * nothing is saved and the node loads it again.
 */
import type { Attempt, Delivery, LogEvent } from '@holdpoint/protocol';
import { newDelivery } from '../../domain/webhooks/delivery.ts';
import { replayPage } from '../../domain/webhooks/replay.ts';
import {
  disable,
  notice,
  noticesThreadId,
  reasonToDisable,
  showFailing,
} from '../../domain/webhooks/webhook-health.ts';
import type { Document, DocumentChange } from '../../stores/documents.ts';
import type { Store } from '../../stores/store.ts';
import type { Context } from '../context.ts';
import type { OrgChange } from '../perform.ts';
import { webhookChange } from './webhooks.ts';

type Tools = Pick<Context, 'store' | 'clock' | 'newId'>;

export interface HeldWebhook {
  orgId: string;
  /** As it was loaded. */
  webhook: Document<'webhook'>;
}

/** Makes a delivery of each event, and saves them with the moved cursor. Undefined: another node has moved the cursor. */
export async function enqueueDeliveries(
  { store, clock, newId }: Tools,
  { orgId, webhookId, events }: { orgId: string; webhookId: string; events: readonly LogEvent[] },
  moved: DocumentChange<'reader'>,
): Promise<{ event: LogEvent; delivery: Delivery }[] | undefined> {
  const now = clock.now();
  const enqueued = events.map((event) => ({ event, delivery: newDelivery(event, { id: newId(), webhookId, now }) }));
  const newDeliveries = enqueued.map(({ delivery }) => delivery);
  const { ok } = await store.commit({ orgId, documents: [moved], newDeliveries });
  return ok ? enqueued : undefined;
}

/** Saves attempts. A delivery that was settled meanwhile stays settled. */
export async function saveAttempts(
  { store }: Pick<Tools, 'store'>,
  orgId: string,
  deliveries: readonly Delivery[],
): Promise<void> {
  await store.commit({ orgId, changedDeliveries: deliveries.map((record) => ({ record, from: 'pending' })) });
}

/** Makes the next page of deliveries of a replay. Undefined: there is no replay. */
export async function replayNextPage(
  { store, clock, newId }: Tools,
  { orgId, webhook }: HeldWebhook,
  limit: number,
): Promise<Delivery[] | undefined> {
  const { replay } = webhook.record;
  if (!replay) return undefined;
  const { items, next } = await store.listDeliveries({
    ...{ orgId, webhookId: webhook.id, order: 'oldest', cursor: replay.after, limit },
    ...(replay.includesDelivered ? {} : { status: 'dead' }),
  });
  const replayed = replayPage(webhook.record, { items, hasMore: next !== undefined, now: clock.now(), newId });
  const { stored, newDeliveries, changedDeliveries } = replayed;
  const documents = [webhookChange(webhook, stored)];
  const { ok } = await store.commit({ orgId, documents, newDeliveries, changedDeliveries });
  return ok ? newDeliveries : [];
}

/** Saves since when the endpoint fails, once that is to be shown or no longer. Reports whether there was something to save. */
export async function saveFailingSince(
  { store, clock }: Pick<Tools, 'store' | 'clock'>,
  { orgId, webhook }: HeldWebhook,
  failingSince: number | undefined,
): Promise<boolean> {
  const shown = showFailing(webhook.record, failingSince, clock.now());
  if (shown) await store.commit({ orgId, documents: [webhookChange(webhook, shown)] });
  return shown !== undefined;
}

/** Disables the webhook if the attempt was its last. Reports whether it tried to. */
export async function disableIfFailing(
  { store, clock }: Pick<Tools, 'store' | 'clock'>,
  { orgId, webhook }: HeldWebhook,
  { attempt, failingSince }: { attempt: Attempt; failingSince: number | undefined },
): Promise<boolean> {
  const now = clock.now();
  const reason = reasonToDisable(attempt, failingSince, now);
  if (!reason) return false;
  const disabled = disable(webhook.record, { reason, now });
  await store.commit({ orgId, ...(await disabledChange(store, orgId, webhook, disabled)) });
  return true;
}

export async function disabledChange(
  store: Pick<Store, 'getThread'>,
  orgId: string,
  before: Document<'webhook'>,
  { stored, event }: ReturnType<typeof disable>,
): Promise<OrgChange> {
  const hasThread = (await store.getThread({ orgId, id: noticesThreadId })) !== undefined;
  return {
    documents: [webhookChange(before, stored)],
    timers: [{ kind: 'webhook', id: before.id, dueAt: null }],
    ...notice(event, hasThread),
  };
}
