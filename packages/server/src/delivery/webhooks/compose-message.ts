import type { Delivery, LogEvent } from '@holdpoint/protocol';
import type { StoredWebhook } from '../../domain/webhooks/stored-webhook.ts';
import type { Store } from '../../stores/store.ts';
import { messageOf, type WebhookMessage } from './message.ts';

interface Composed {
  orgId: string;
  webhook: StoredWebhook;
  delivery: Delivery;
  /** If it was read just now. */
  event?: LogEvent | undefined;
}

/** Reads what a message says. Undefined where the format of the webhook has no such event. */
export async function composeMessage(
  store: Pick<Store, 'readLog' | 'getInteraction'>,
  { orgId, webhook, delivery, event: known }: Composed,
): Promise<WebhookMessage | undefined> {
  const { threadId, seq } = delivery.event;
  const event = known ?? (await store.readLog({ orgId, threadId, after: seq - 1, limit: 1 })).items[0];
  if (!event) return undefined;
  const id = event.interactionId;
  const interaction = id === undefined ? undefined : await store.getInteraction({ orgId, id });
  return messageOf(webhook, event, interaction);
}
