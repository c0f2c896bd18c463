/** Drafts: what is kept of an answer that is not one yet. */
import {
  type Actor,
  type Draft,
  type Fault,
  type FreeObject,
  hasSecret,
  type Interaction,
  isInputField,
  isSecretField,
  type SaveDraft,
} from '@holdpoint/protocol';
import { closedDetail, currentState, timestamp } from './state.ts';
import { transitions } from './transitions.ts';

/** One that nobody comes back to is dropped after this. */
const keptMs = 30 * 86_400_000;

export interface StoredDraft {
  values: FreeObject;
  payload?: unknown;
  savedAt: string;
}

/** Each responder has one of their own for each interaction. No id of ours has a space in it. */
export const draftId = (interactionId: string, { type, id }: Actor): string => `${interactionId} ${type} ${id}`;

/** Half-typed values are kept as they are, but for names that were not asked for, for secrets, and for payloads with some. */
export function newDraft(
  interaction: Interaction,
  { values = {}, payload }: SaveDraft,
  now: number,
): StoredDraft | Fault {
  const cell = transitions[interaction.status].answer;
  if (cell !== 'decide') return { code: cell, detail: closedDetail(interaction), current: currentState(interaction) };
  const kept = interaction.fields
    .filter(isInputField)
    .filter((field) => !isSecretField(field) && Object.hasOwn(values, field.name))
    .map(({ name }) => [name, values[name]] as const);
  const { payloadSchema } = interaction;
  const isPayloadKept = payloadSchema !== undefined && payload !== undefined && !hasSecret(payloadSchema);
  return { values: Object.fromEntries(kept), ...(isPayloadKept ? { payload } : {}), savedAt: timestamp(now) };
}

/** A question that is closed has no use for one. */
export const shownDraft = ({ status }: Interaction, draft: StoredDraft | undefined): Draft =>
  status === 'pending' && draft ? draft : {};

export const droppedAt = ({ savedAt }: StoredDraft): number => Date.parse(savedAt) + keptMs;
