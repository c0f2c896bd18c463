/** Deliveries as they begin. */
import type { Delivery, LogEvent } from '@holdpoint/protocol';
import { timestamp } from '../state.ts';

export interface NewDelivery {
  id: string;
  webhookId: string;
  now: number;
}

export function newDelivery(
  { cursor, threadId, seq, type }: Pick<LogEvent, 'cursor' | 'threadId' | 'seq' | 'type'>,
  { id, webhookId, now }: NewDelivery,
): Delivery {
  const event = { cursor, threadId, seq, type };
  return { id, webhookId, event, status: 'pending', attempts: [], createdAt: timestamp(now) };
}

/** The same event once more. The old one says by which, so that it is not replayed twice. */
export function replayDelivery(old: Delivery, { id, now }: Pick<NewDelivery, 'id' | 'now'>) {
  const { webhookId } = old;
  return {
    again: { ...newDelivery(old.event, { id, webhookId, now }), replayOf: old.id },
    old: { ...old, replayedBy: id },
  };
}
