/** Disabling a webhook, and the event that says so. */
import type { Actor, Thread, Webhook } from '@holdpoint/protocol';
import type { NewEvent } from '../command.ts';
import { systemActor, timestamp } from '../state.ts';
import type { StoredWebhook } from './stored-webhook.ts';

/** Where an org hears of its server. No caller can make a thread with such an id. */
export const noticesThreadId = '_holdpoint';

/** Appends a notice, and makes the thread for the first. */
export function notice(event: NewEvent, hasThread: boolean): { newThread?: Thread; log: NoticeLog } {
  if (hasThread) return { log: { threadId: noticesThreadId, events: [event] } };
  const { at } = event;
  const actor = systemActor('holdpoint');
  const made = { version: 1, createdBy: actor, createdAt: at, updatedAt: at };
  const thread: Thread = { id: noticesThreadId, title: 'Holdpoint', ...made };
  const created: NewEvent = { type: 'thread.created', at, actor, data: { thread } };
  return { newThread: thread, log: { threadId: noticesThreadId, events: [created, event] } };
}

interface NoticeLog {
  threadId: string;
  events: NewEvent[];
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
    data: { webhook: { id, ...(description === undefined ? {} : { description }) }, reason },
  };
  return { stored: { ...stored, record }, event };
}

/** As if it had never been disabled. */
export function enable(stored: StoredWebhook, now: number): StoredWebhook {
  const { disabledReason: _, disabledAt: __, failingSince: ___, ...rest } = stored.record;
  return { ...stored, enabledAt: now, record: { ...rest, status: 'enabled', updatedAt: timestamp(now) } };
}
