/** An endpoint that takes nothing: since when, when that is shown, and when it is enough. */
import type { Attempt, Webhook } from '@holdpoint/protocol';
import { timestamp } from '../state.ts';
import { isGone, isTaken } from './settle.ts';
import type { StoredWebhook } from './stored-webhook.ts';

/** A failure that is over sooner is nobody's news. */
const shownAfterMs = 60_000;
const longMs = 3 * 24 * 3_600_000;

/** Since when it has taken nothing, after one more attempt; undefined: it took that one. */
export const failingSince = (since: number | undefined, attempt: Attempt, now: number): number | undefined =>
  isTaken(attempt) ? undefined : (since ?? now);

/** Why nothing more should be sent to it, after an attempt. */
export function reasonToDisable(
  attempt: Attempt,
  since: number | undefined,
  now: number,
): Webhook['disabledReason'] | undefined {
  if (isGone(attempt)) return 'gone';
  return since !== undefined && now - since >= longMs ? 'failing' : undefined;
}

/** The webhook as it says so, or no longer says so; undefined: it is right as it is. */
export function showFailing(stored: StoredWebhook, since: number | undefined, now: number): StoredWebhook | undefined {
  const { failingSince: shown, ...record } = stored.record;
  const isShown = since !== undefined && now - since >= shownAfterMs;
  if (isShown === (shown !== undefined)) return undefined;
  return { ...stored, record: isShown ? { ...record, failingSince: timestamp(since) } : record };
}
