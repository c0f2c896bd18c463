/** Reads how a question ended, and whether an approval was given. */
import type { FreeObject } from './base-schemas.ts';
import type { AnswerOf } from './builders.ts';
import { isEmptyValue, visibleFields } from './fields/visible-fields.ts';
import type { Answer, Interaction } from './interaction.ts';
import { jsonEqual } from './json.ts';
import { pickedOptions, pickName } from './pick.ts';
import type { Question } from './question.ts';

/**
 * The source of an answer that no person gave: a deadline, a grant that a person gave earlier, or votes that did not
 * agree.
 */
type Automatic = Answer['automatic'];

export type Outcome<V> = { automatic?: Automatic | undefined; interaction: Interaction } & (
  | { status: 'answered'; values: V; answer: Answer }
  | { status: 'declined'; reason?: string }
  | { status: 'expired' }
  | { status: 'cancelled'; reason?: string }
);

export interface ReadingOptions {
  /**
   * Counts an approval that only a deadline accepted as approved. Otherwise it is `expired`, because nobody approved
   * it.
   */
  countDeadlineAsApproval?: boolean | undefined;
}

/** The type of the values of an answer. The compiler knows it if a builder made the question. */
export type ValuesOf<Q> = [AnswerOf<Q>] extends [never] ? FreeObject : AnswerOf<Q>;

/** Returns the outcome of a closed question. Throws if it is still pending. */
export function outcomeOf<V>(interaction: Interaction, { countDeadlineAsApproval }: ReadingOptions = {}): Outcome<V> {
  const { kind, status, answer, cancelReason } = interaction;
  if (status === 'pending') throw new TypeError('The question is still open.');
  const { automatic, decision, reason = cancelReason } = answer ?? {};
  const end = { automatic, interaction, ...(reason && { reason }) };
  const isByNobody = kind === 'approval' && automatic === 'deadline' && !countDeadlineAsApproval;
  // Closed without an answer: expired or cancelled.
  if (!answer) return { ...end, status: status as 'expired' };
  if (decision !== 'accepted') return { ...end, status: 'declined' };
  return isByNobody
    ? { ...end, status: 'expired' }
    : { ...end, status: 'answered', values: answer.values as V, answer };
}

export interface Approval<A extends object = FreeObject> {
  approved: boolean;
  /** A grant approves like the person who gave it. A deadline approves only with `countDeadlineAsApproval`. */
  automatic?: Automatic | undefined;
  /** The arguments as the person left them: without removed ones, and with filled in ones. */
  arguments: Partial<A>;
  edited: boolean;
  outcome: Outcome<FreeObject>;
}

/** Reads whether the action was approved, and with which arguments. */
export function approvalOf<A extends object = FreeObject>(outcome: Outcome<FreeObject>): Approval<A> {
  const { automatic, interaction, status } = outcome;
  const { arguments: proposed = {} } = interaction;
  const args = status === 'answered' ? argumentsLeft(interaction, outcome.values, pickName.approval) : proposed;
  const edited = !jsonEqual(args, proposed);
  return { approved: status === 'answered', automatic, arguments: args as Partial<A>, edited, outcome };
}

/** Names how a question ended. A denial is an answer: only a responder who picked no option has declined. */
export function endedAs(interaction: Interaction): Interaction['status'] | 'declined' {
  const { status, closedReason, answer } = interaction;
  const isDeclined = closedReason === 'declined' && pickedOptions(interaction, answer?.values ?? {}).length === 0;
  return isDeclined ? 'declined' : status;
}

type Named = { name?: string };

/**
 * Returns the proposed arguments with the values that the person filled in, and without those that the person emptied.
 * The value of `pick`, the field that decides, is not an argument; an argument may have the same name.
 */
export function argumentsLeft(
  question: Pick<Question, 'fields' | 'arguments'>,
  values: Readonly<FreeObject>,
  pick: string,
): FreeObject {
  const { [pick]: _picked, ...given } = values;
  const left: FreeObject = { ...question.arguments, ...given };
  for (const { name } of visibleFields(question.fields, values) as Named[])
    if (name && !Object.hasOwn(values, name) && !isEmptyValue(left[name])) delete left[name];
  return left;
}
