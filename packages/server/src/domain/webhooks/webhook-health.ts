/** Whether an endpoint accepts deliveries: since when it does not, when the webhook shows that, and when it is disabled. */
import { type Actor, type Attempt, defined, type Thread, type Webhook } from '@holdpoint/protocol';
import type { NewEvent } from '../command.ts';
import { systemActor, timestamp } from '../state.ts';
import { isGone, isTaken } from './delivery.ts';
import type { StoredWebhook } from './webhook.ts';

/** A shorter failure is not shown. */
const shownAfterMs = 60_000;
const disabledAfterMs = 3 * 24 * 3_600_000;

/** Returns since when the endpoint has accepted nothing, after one more attempt. Undefined: it accepted that one. */
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

export interface Disabling {
  reason: NonNullable<Webhook['disabledReason']>;
  now: number;
  by?: Actor;
}

export function disable(stored: StoredWebhook, { reason, now, by = systemActor('webhooks') }: Disabling) {
  const at = timestamp(now);
  const record: Webhook = {
    ...stored.record,
    status: 'disabled',
    disabledReason: reason,
    disabledAt: at,
    updatedAt: at,
  };
  const { id, description } = record;
  const event: NewEvent = {
    type: 'webhook.disabled',
    at,
    actor: by,
    data: { webhook: { id, ...defined({ description }) }, reason },
  };
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
  if (hasThread) return { log: { threadId: noticesThreadId, events: [event] } };
  const { at } = event;
  const actor = systemActor('holdpoint');
  const created = { version: 1, createdBy: actor, createdAt: at, updatedAt: at };
  const thread: Thread = { id: noticesThreadId, title: 'Holdpoint', ...created };
  const threadCreated: NewEvent = { type: 'thread.created', at, actor, data: { thread } };
  return { newThread: thread, log: { threadId: noticesThreadId, events: [threadCreated, event] } };
}
