/** A webhook as it is kept: what callers see of it, and what they do not. */
import type { Webhook } from '@holdpoint/protocol';

export interface StoredWebhook {
  record: Webhook;
  /** The newest first; an older one signs too, until its time. */
  secrets: readonly WebhookSecret[];
  headers: Readonly<Record<string, string>>;
  /** Milliseconds since 1970; what was pending before has its three days from then. */
  enabledAt: number;
  /** Counts the deliveries that callers have made; the node that has the webhook looks for them when it has changed. */
  replayed: number;
  /** What is being sent again; the node that has the webhook works it off in pages. */
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
  /** No delivery that was made later, or a replay that fails would be replayed without end. */
  before: string;
}

/** Those that sign at this time. The newest always does. */
export const validSecrets = ({ secrets }: Pick<StoredWebhook, 'secrets'>, now: number): string[] =>
  secrets.filter(({ until }, index) => index === 0 || until === undefined || until > now).map(({ secret }) => secret);

/** The id of the document that says how far the webhook has come in the log. */
export const readerOf = (webhookId: string): string => `webhook ${webhookId}`;
