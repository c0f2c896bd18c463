/** Whether an endpoint accepts deliveries: since when it does not, when the webhook shows that, and when it is disabled. */
import { type Actor, type Attempt, defined, type Thread, type Webhook } from '@holdpoint/protocol';
import type { NewEvent } from '../command.ts';
import { systemActor, timestamp } from '../state.ts';
import { newThread } from '../thread.ts';
import { isGone, isTaken } from './delivery.ts';
import type { StoredWebhook } from './webhook.ts';

/** A shorter failure is not shown. */
const shownAfterMs = 60_000;
const disabledAfterMs = 3 * 24 * 3_600_000;

/** Returns since when the endpoint has accepted nothing, after one more attempt. Undefined: it accepted that attempt. */
export const failingSince = (since: number | undefined, attempt: Attempt, now: number): number | undefined =>
  isTaken(attempt) ? undefined : (since ?? now);

/** Returns why the webhook must be disabled after an attempt, if so. */
export function reasonToDisable(
  attempt: Attempt,
  since: number | undefined,
  now: number,
): Webhook['disabledReason'] | undefined {
  if (isGone(attempt)) return 'gone';
  return since !== undefined && now - since >= disabledAfterMs ? 'failing' : undefined;
}

/** Sets or removes `failingSince`. Returns undefined if the webhook is right as it is. */
export function showFailing(stored: StoredWebhook, since: number | undefined, now: number): StoredWebhook | undefined {
  const { failingSince: shown, ...record } = stored.record;
  const isShown = since !== undefined && now - since >= shownAfterMs;
  if (isShown === (shown !== undefined)) return undefined;
  return { ...stored, record: isShown ? { ...record, failingSince: timestamp(since) } : record };
}

export function disable(
  stored: StoredWebhook,
  { reason, now, by }: { reason: NonNullable<Webhook['disabledReason']>; now: number; by?: Actor },
) {
  const at = timestamp(now);
  const disabled = { status: 'disabled', disabledReason: reason, disabledAt: at, updatedAt: at } as const;
  const record: Webhook = { ...stored.record, ...disabled };
  const { id, description } = record;
  const data = { webhook: { id, ...defined({ description }) }, reason };
  const event: NewEvent = { type: 'webhook.disabled', at, actor: by ?? systemActor('webhooks'), data };
  return { stored: { ...stored, record }, event };
}

export function enable(stored: StoredWebhook, now: number): StoredWebhook {
  const { disabledReason: _, disabledAt: __, failingSince: ___, ...rest } = stored.record;
  return { ...stored, enabledAt: now, record: { ...rest, status: 'enabled', updatedAt: timestamp(now) } };
}

/** The thread in which the server writes notices to an org. No caller can create a thread with such an id. */
export const noticesThreadId = '_holdpoint';

/** Appends a notice, and creates the thread for the first one. */
export function notice(
  event: NewEvent,
  hasThread: boolean,
): { newThread?: Thread; log: { threadId: string; events: NewEvent[] } } {
  const threadId = noticesThreadId;
  if (hasThread) return { log: { threadId, events: [event] } };
  const by = systemActor('holdpoint');
  const created = newThread({ id: threadId, title: 'Holdpoint' }, { by, now: Date.parse(event.at) });
  return { ...created, log: { threadId, events: [...created.log.events, event] } };
}
