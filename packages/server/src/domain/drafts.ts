/** Drafts: the values that a responder has entered and not sent yet. */
import {
  type ActorRef,
  type Draft,
  type Fault,
  type FreeObject,
  hasSecret,
  type Interaction,
  isInputField,
  isSecretField,
  type SaveDraft,
} from '@holdpoint/protocol';
import { timestamp } from './state.ts';
import { refusal } from './transitions.ts';

/** An abandoned draft is deleted after this time. */
const keptMs = 30 * 86_400_000;

export interface StoredDraft {
  values: FreeObject;
  payload?: unknown;
  savedAt: string;
}

/** Each responder has one draft for each interaction. No id that the server makes has a space in it. */
export const draftId = (interactionId: string, { type, id }: ActorRef): string => `${interactionId} ${type} ${id}`;

/** Keeps half-typed values. Leaves out unknown names, secrets, and payloads with secrets. */
export function newDraft(
  interaction: Interaction,
  { values = {}, payload }: SaveDraft,
  now: number,
): StoredDraft | Fault {
  const fault = refusal(interaction, 'answer');
  if (fault) return fault;
  const kept = interaction.fields
    .filter(isInputField)
    .filter((field) => !isSecretField(field) && Object.hasOwn(values, field.name))
    .map(({ name }) => [name, values[name]] as const);
  const { payloadSchema } = interaction;
  const isPayloadKept = payloadSchema !== undefined && payload !== undefined && !hasSecret(payloadSchema);
  return { values: Object.fromEntries(kept), ...(isPayloadKept ? { payload } : {}), savedAt: timestamp(now) };
}

/** A closed question shows no draft. */
export const shownDraft = ({ status }: Interaction, draft: StoredDraft | undefined): Draft =>
  status === 'pending' && draft ? draft : {};

export const droppedAt = ({ savedAt }: StoredDraft): number => Date.parse(savedAt) + keptMs;
