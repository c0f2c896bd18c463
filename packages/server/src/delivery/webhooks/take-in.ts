/** Makes a page of events into deliveries, which are saved with the moved cursor in one change. */
import type { Delivery, LogEvent } from '@holdpoint/protocol';
import { newDelivery } from '../../domain/webhooks/new-delivery.ts';
import type { Clock } from '../../operations/context.ts';
import type { DocumentChange, Store } from '../../stores/store.ts';

interface TakeIn {
  orgId: string;
  webhookId: string;
  store: Pick<Store, 'commit'>;
  clock: Clock;
  newId(): string;
  /** Is given each delivery that was made, with its event. */
  onMade(delivery: Delivery, event: LogEvent): void;
}

export const takeIn =
  ({ orgId, webhookId, store, clock, newId, onMade }: TakeIn) =>
  async (events: readonly LogEvent[], moved: DocumentChange<'reader'>) => {
    const now = clock.now();
    const made = events.map((event) => ({ event, delivery: newDelivery(event, { id: newId(), webhookId, now }) }));
    const newDeliveries = made.map(({ delivery }) => delivery);
    const { ok } = await store.commit({ orgId, documents: [moved], newDeliveries });
    if (!ok) return 'overtaken';
    for (const { delivery, event } of made) onMade(delivery, event);
    return 'saved';
  };
