/** How a question ended, for whoever asked it; and an approval, read. */
import type { AnswerOf } from './builders.ts';
import { isEmptyValue, visibleFields } from './fields/visible-fields.ts';
import type { FreeObject } from './free-json.ts';
import type { Answer, Interaction } from './interaction.ts';
import { jsonEqual } from './json-equal.ts';
import { pickName } from './pick.ts';

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

type Named = { name?: string };

export interface Approval<A extends object = FreeObject> {
  approved: boolean;
  /** As the person left them: without those they have taken away, with those they have filled in. */
  arguments: Partial<A>;
  edited: boolean;
  outcome: Outcome<FreeObject>;
}

/** Whether it may be done, and with which arguments. */
export function approvalOf<A extends object = FreeObject>(outcome: Outcome<FreeObject>): Approval<A> {
  const proposed = outcome.interaction.arguments ?? {};
  const read = (approved: boolean, args: FreeObject): Approval<A> => {
    return { approved, arguments: args as Partial<A>, edited: !jsonEqual(args, proposed), outcome };
  };
  if (outcome.status !== 'answered') return read(false, proposed);
  const { [pickName.approval]: _, ...left } = outcome.values;
  const args = { ...proposed, ...left };
  // What they were shown filled in and is not in their answer, the person has taken away.
  for (const { name = pickName.approval } of visibleFields(outcome.interaction.fields, outcome.values) as Named[])
    if (name !== pickName.approval && !Object.hasOwn(left, name) && !isEmptyValue(args[name])) delete args[name];
  return read(true, args);
}
