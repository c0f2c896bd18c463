/** How a question ended, for whoever asked it; and an approval, read. */
import type { AnswerOf } from './builders.ts';
import { canonicalJson } from './canonical-json.ts';
import type { FreeObject } from './free-json.ts';
import type { Answer, Interaction } from './interaction.ts';

export type Outcome<V> =
  | { status: 'answered'; values: V; answer: Answer; interaction: Interaction }
  | { status: 'declined'; reason?: string; interaction: Interaction }
  | { status: 'expired'; interaction: Interaction }
  | { status: 'cancelled'; reason?: string; interaction: Interaction };

/** The values of an answer to a question: known to the compiler where a builder made it. */
export type ValuesOf<Q> = [AnswerOf<Q>] extends [never] ? FreeObject : AnswerOf<Q>;

/** Of a question that is closed; one that is pending has none yet. */
export function outcomeOf<V>(interaction: Interaction): Outcome<V> {
  const { status, answer, cancelReason } = interaction;
  if (status === 'pending') throw new TypeError('The question is still open.');
  if (status === 'expired') return { status, interaction };
  if (status !== 'answered' || !answer)
    return { status: 'cancelled', ...(cancelReason === undefined ? {} : { reason: cancelReason }), interaction };
  if (answer.decision === 'accepted') return { status, values: answer.values as V, answer, interaction };
  return { status: 'declined', ...(answer.reason === undefined ? {} : { reason: answer.reason }), interaction };
}

export interface Approval {
  approved: boolean;
  /** As the person left them: without those they have taken away, with those they have filled in. */
  arguments: FreeObject;
  edited: boolean;
  outcome: Outcome<FreeObject>;
}

/** Whether it may be done, and with which arguments. */
export function approvalOf(outcome: Outcome<FreeObject>): Approval {
  const proposed = outcome.interaction.arguments ?? {};
  if (outcome.status !== 'answered') return { approved: false, arguments: proposed, edited: false, outcome };
  const { decision: _, ...left } = outcome.values;
  const unasked = { ...proposed };
  // What was asked for and is not in the answer, the person has taken away.
  for (const field of outcome.interaction.fields) if ('name' in field) delete unasked[field.name];
  const args = { ...unasked, ...left };
  return { approved: true, arguments: args, edited: canonicalJson(args) !== canonicalJson(proposed), outcome };
}
