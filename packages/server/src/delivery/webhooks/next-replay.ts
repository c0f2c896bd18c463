/** Reads the next page of events to send to a webhook again. */
import { type Replayed, replayPage } from '../../domain/webhooks/replay-page.ts';
import type { StoredWebhook } from '../../domain/webhooks/stored-webhook.ts';
import type { Clock } from '../../operations/context.ts';
import type { Store } from '../../stores/store.ts';
import { pageSize } from '../log-reader.ts';

interface NextReplay {
  orgId: string;
  stored: StoredWebhook;
  store: Pick<Store, 'listDeliveries'>;
  clock: Clock;
  newId(): string;
}

/** Returns undefined if there is nothing to send again. */
export async function nextReplay({ orgId, stored, store, clock, newId }: NextReplay): Promise<Replayed | undefined> {
  if (!stored.replay) return undefined;
  const { after: cursor, includesDelivered } = stored.replay;
  const { items, next } = await store.listDeliveries({
    ...{ orgId, webhookId: stored.record.id, order: 'oldest', cursor, limit: pageSize },
    ...(includesDelivered ? {} : { status: 'dead' }),
  });
  return replayPage(stored, { items, hasMore: next !== undefined, now: clock.now(), newId });
}
