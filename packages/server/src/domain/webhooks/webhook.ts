/** A webhook as it is stored, and the commands of callers on it. */
import type { CreateWebhook, UpdateWebhook, Webhook } from '@holdpoint/protocol';
import { timestamp } from '../state.ts';

export interface StoredWebhook {
  /** The part that callers see. */
  record: Webhook;
  /** The newest first. An older one signs too, until its time. */
  secrets: readonly WebhookSecret[];
  headers: Readonly<Record<string, string>>;
  /** Milliseconds since 1970. Deliveries that were pending before are retried for three days from then. */
  enabledAt: number;
  /** Counts the deliveries that callers have made. The node with the webhook's lease looks for them when it changes. */
  replayed: number;
  /** The replay under way. The node with the webhook's lease works it off in pages. */
  replay?: ReplayJob;
}

interface WebhookSecret {
  secret: string;
  until?: number;
}

interface ReplayJob {
  includesDelivered: boolean;
  /** The id of the last delivery that was looked at. */
  after: string;
  /** Later deliveries are not replayed: otherwise a replay that fails would be replayed without end. */
  before: string;
}

/** The id of the document with the webhook's cursor in the log. */
export const readerOf = (webhookId: string): string => `webhook ${webhookId}`;

/** The secrets that sign at this time. The newest always does. */
export const validSecrets = ({ secrets }: Pick<StoredWebhook, 'secrets'>, now: number): string[] =>
  secrets.filter(({ until }, index) => index === 0 || until === undefined || until > now).map(({ secret }) => secret);

export function newWebhook(
  id: string,
  { secret, headers = {}, format = 'standard', ...given }: CreateWebhook & { secret: string },
  now: number,
): StoredWebhook {
  const at = timestamp(now);
  const record: Webhook = {
    id,
    order: 'none',
    concurrency: 8,
    timeoutMs: 15_000,
    ...given,
    format,
    headerNames: Object.keys(headers),
    status: 'enabled',
    createdAt: at,
    updatedAt: at,
  };
  return { record, secrets: [{ secret }], headers, enabledAt: now, replayed: 0 };
}

/** Changes what the caller named; null removes a property. The status is changed by `enable` and `disable`. */
export function editWebhook(before: StoredWebhook, update: UpdateWebhook, now: number): StoredWebhook {
  const { headers, status: _status, from: _from, ...given } = update;
  const record = Object.fromEntries(
    Object.entries({ ...before.record, ...given, updatedAt: timestamp(now) }).filter(([, value]) => value !== null),
  ) as Webhook;
  if (!headers) return { ...before, record };
  return { ...before, headers, record: { ...record, headerNames: Object.keys(headers) } };
}

/** The previous secret also signs for a while. An even older secret is removed, because a receiver could not handle three. */
export function rotateSecret(
  before: StoredWebhook,
  { secret, keepOldForSeconds }: { secret: string; keepOldForSeconds: number },
  now: number,
): StoredWebhook {
  const until = now + keepOldForSeconds * 1_000;
  const old = before.secrets.slice(0, 1).map((last) => ({ secret: last.secret, until }));
  return {
    ...before,
    record: { ...before.record, updatedAt: timestamp(now) },
    secrets: [{ secret }, ...(keepOldForSeconds > 0 ? old : [])],
  };
}

/** The webhook as callers see it, without its secrets and the values of its headers. */
export const shownWebhook = ({ record, replay }: StoredWebhook): Webhook =>
  replay ? { ...record, isReplaying: true } : record;
