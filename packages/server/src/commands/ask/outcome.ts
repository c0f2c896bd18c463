/** The result of a request: the printed JSON, and the exit code. */
import {
  defined,
  type FreeObject,
  type Interaction,
  isInputField,
  pickField,
  type ReadingOptions,
  outcomeOf as readOutcome,
} from '@holdpoint/protocol';
import { exitCodes } from '../command.ts';
import { jsonOf, lines } from '../terminal-text.ts';

type OutcomeStatus = 'answered' | 'declined' | 'expired' | 'cancelled' | 'pending';

export interface PrintedOutcome {
  interactionId: string;
  threadId: string;
  status: OutcomeStatus;
  [more: string]: unknown;
}

const codes: Record<OutcomeStatus, number> = {
  answered: exitCodes.done,
  declined: exitCodes.declined,
  expired: exitCodes.expired,
  cancelled: exitCodes.cancelled,
  pending: exitCodes.unanswered,
};

export const exitCodeOf = ({ status }: PrintedOutcome): number => codes[status];

export function outcomeOf(
  interaction: Interaction,
  secrets: FreeObject = {},
  reading: ReadingOptions = {},
): PrintedOutcome {
  const { id, threadId, answer, cancelReason, closedAt } = interaction;
  const { status } = interaction.status === 'pending' ? interaction : readOutcome(interaction, reading);
  const ids = { interactionId: id, threadId, status };
  if (!answer) return { ...ids, ...defined({ reason: cancelReason || undefined, at: closedAt || undefined }) };
  const { values, payload, reason, by, at, automatic } = answer;
  return {
    ...ids,
    ...defined({ values: status === 'answered' ? { ...values, ...secrets } : undefined, payload, reason }),
    by,
    at,
    ...defined({ automatic }),
  };
}

/** The value of a request with one field, one line per selected value. For an approval, the decision. */
export function plainOf(interaction: Interaction, secrets: FreeObject = {}): string {
  const values = { ...interaction.answer?.values, ...secrets };
  const name = plainField(interaction);
  const value = name === undefined ? undefined : values[name];
  return [value ?? []]
    .flat()
    .map((each) => `${typeof each === 'string' ? each : jsonOf(each)}\n`)
    .join('');
}

/** A program gets the exact text. A terminal would interpret control characters. */
export const plainFor = ({ isTTY }: { isTTY?: boolean }, plain: string): string => (isTTY ? lines(plain) : plain);

/** The name of that field. Undefined if there are several. */
export function plainField(question: Pick<Interaction, 'kind' | 'fields'>): string | undefined {
  const pick = pickField(question);
  if (pick) return pick.name;
  const inputs = question.fields.filter(isInputField);
  return inputs.length === 1 ? inputs[0]?.name : undefined;
}
