/** One page of a replay: what is sent again, and where the next page begins. */
import type { Delivery } from '@holdpoint/protocol';
import { replayDelivery } from './new-delivery.ts';
import type { StoredWebhook } from './stored-webhook.ts';

export interface ReplayPage {
  /** The next deliveries after those that were looked at, the oldest first. */
  items: readonly Delivery[];
  hasMore: boolean;
  now: number;
  newId(): string;
}

export interface Replayed {
  stored: StoredWebhook;
  newDeliveries: Delivery[];
  changedDeliveries: { record: Delivery; from: Delivery['status'] }[];
}

/** What is pending is coming anyway, and what was replayed before has a younger one that stands for it. */
export function replayPage(webhook: StoredWebhook, { items, hasMore, now, newId }: ReplayPage): Replayed {
  const { replay: job, ...rest } = webhook;
  if (!job) return { stored: webhook, newDeliveries: [], changedDeliveries: [] };
  const meant = items.filter(({ id }) => id < job.before);
  const replays = meant
    .filter(({ status, replayedBy }) => isMeant(status, job.includesDelivered) && replayedBy === undefined)
    .map((old) => replayDelivery(old, { id: newId(), now }));
  const after = meant.at(-1)?.id;
  const isDone = !hasMore || after === undefined || meant.length < items.length;
  return {
    stored: isDone ? rest : { ...rest, replay: { ...job, after } },
    newDeliveries: replays.map(({ again }) => again),
    changedDeliveries: replays.map(({ old }) => ({ record: old, from: old.status })),
  };
}

const isMeant = (status: Delivery['status'], includesDelivered: boolean): boolean =>
  status === 'dead' || (includesDelivered && status === 'delivered');
