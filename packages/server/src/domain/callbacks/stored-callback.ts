/** A callback as it is stored, under the id of its interaction. */
import type { Callback, Interaction } from '@holdpoint/protocol';
import { interactionSummary } from '../interaction-summary.ts';

export interface StoredCallback extends Omit<Callback, 'interactionId'> {
  /** Id of the key that asked. Its secret signs; once it is revoked, nothing is sent. */
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

/** Makes the request body: the closing event as a webhook sends it, without its place in the log. Secret values are in no record. */
export function callbackMessage(interaction: Interaction): { id: string; body: string } {
  const { id, threadId, version, answer, cancelReason, closedBy, updatedAt } = interaction;
  const type = `interaction.${answer?.decision === 'declined' ? 'declined' : interaction.status}`;
  const data = { version, ...(answer ? { answer } : {}), ...(cancelReason ? { reason: cancelReason } : {}) };
  const event = { threadId, type, at: updatedAt, actor: closedBy, interactionId: id, data };
  const told = { type, timestamp: updatedAt, data: { ...event, interaction: interactionSummary(interaction) } };
  return { id: `callback_${id}`, body: JSON.stringify(told) };
}
