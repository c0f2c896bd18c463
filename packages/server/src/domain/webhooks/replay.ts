/** Sends events again: one delivery, or all since a time in pages. */
import type { Delivery, Replay } from '@holdpoint/protocol';
import { firstIdAt } from '../state.ts';
import { newDelivery } from './delivery.ts';
import type { StoredWebhook } from './webhook.ts';

/** Makes a new delivery of the same event. The old one names it, so that it is not replayed twice. */
export function replayDelivery(old: Delivery, { id, now }: { id: string; now: number }) {
  const { webhookId } = old;
  return {
    again: { ...newDelivery(old.event, { id, webhookId, now }), replayOf: old.id },
    old: { ...old, replayedBy: id },
  };
}

/** Stores which deliveries to replay. There may be more than fit, so the sending node makes them as there is room. */
export function startReplay(before: StoredWebhook, { since, status }: Replay, newId: string): StoredWebhook {
  const includesDelivered = status === 'all';
  return { ...before, replay: { includesDelivered, after: firstIdOf(Date.parse(since)), before: newId } };
}

export interface ReplayPage {
  /** The next deliveries after those of the last page, the oldest first. */
  items: readonly Delivery[];
  hasMore: boolean;
  now: number;
  newId(): string;
}

/** Leaves out pending deliveries, which are sent anyway, and those that were replayed before. */
export function replayPage(webhook: StoredWebhook, { items, hasMore, now, newId }: ReplayPage) {
  const { replay: job, ...rest } = webhook;
  if (!job) return { stored: webhook, newDeliveries: [], changedDeliveries: [] };
  const inRange = items.filter(({ id }) => id < job.before);
  const replays = inRange
    .filter(({ status, replayedBy }) => isWanted(status, job.includesDelivered) && replayedBy === undefined)
    .map((old) => replayDelivery(old, { id: newId(), now }));
  const after = inRange.at(-1)?.id;
  const isDone = !hasMore || after === undefined || inRange.length < items.length;
  const stored: StoredWebhook = isDone ? rest : { ...rest, replay: { ...job, after } };
  return {
    stored,
    newDeliveries: replays.map(({ again }) => again),
    changedDeliveries: replays.map(({ old }) => ({ record: old, from: old.status })),
  };
}

const isWanted = (status: Delivery['status'], includesDelivered: boolean): boolean =>
  status === 'dead' || (includesDelivered && status === 'delivered');

/** Returns the smallest UUID of a time. */
export const firstIdOf = (ms: number): string => `${firstIdAt(ms)}-0000-0000-000000000000`;
