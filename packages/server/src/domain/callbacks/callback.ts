/** A callback: the one request that is sent when a question closes. It is stored under the id of its interaction. */
import { type Callback, defined, type Interaction } from '@holdpoint/protocol';
import { interactionSummary } from '../state.ts';
import { type Attempted, giveUp, isGone, type Settling, settle } from '../webhooks/delivery.ts';

export interface StoredCallback extends Omit<Callback, 'interactionId'> {
  /** Id of the key that asked. Its secret signs. Once the key is revoked, nothing is sent. */
  keyId: string;
}

export const newCallback = (url: string, keyId: string): StoredCallback => ({
  ...{ url, keyId },
  status: 'waiting',
  attempts: [],
});

export const shownCallback = (interactionId: string, { keyId: _, ...shown }: StoredCallback): Callback => ({
  interactionId,
  ...shown,
});

/** Reports whether there may be something left to send. */
export const isUnsettled = ({ status }: StoredCallback): boolean => status === 'waiting' || status === 'pending';

/** Adds an attempt. An address that answers 410 gets no other. */
export function settleCallback(
  callback: StoredCallback,
  attempted: Attempted,
  settling: Omit<Settling, 'enabledAt'>,
): StoredCallback {
  const settled = settle(callback, attempted, { ...settling, enabledAt: 0 });
  if (settled.status !== 'pending' || !isGone(attempted)) return settled;
  return giveUp(settled, 'The address accepts no more requests (status 410).', settling.now);
}

/** Makes the request body: the closing event as a webhook sends it, without its place in the log. Secret values are in no record. */
export function callbackMessage(interaction: Interaction): { id: string; body: string } {
  const { id, threadId, version, answer, cancelReason, closedBy, updatedAt } = interaction;
  const type = `interaction.${answer?.decision === 'declined' ? 'declined' : interaction.status}`;
  const data = { version, ...defined({ answer }), ...(cancelReason ? { reason: cancelReason } : {}) };
  const event = { threadId, type, at: updatedAt, actor: closedBy, interactionId: id, data };
  const payload = { type, timestamp: updatedAt, data: { ...event, interaction: interactionSummary(interaction) } };
  return { id: `callback_${id}`, body: JSON.stringify(payload) };
}
