/** How a question ended, for whoever asked it; and an approval, read. */
import { argumentsLeft } from './arguments-left.ts';
import type { AnswerOf } from './builders.ts';
import type { FreeObject } from './free-json.ts';
import type { Answer, Interaction } from './interaction.ts';
import { jsonEqual } from './json-equal.ts';
import { pickName } from './pick.ts';

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

/** The values of an answer to a question: known to the compiler where a builder made it. */
export type ValuesOf<Q> = [AnswerOf<Q>] extends [never] ? FreeObject : AnswerOf<Q>;

/** Of a question that is closed; one that is pending has none yet. */
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
  /** As the person left them: without those they have taken away, with those they have filled in. */
  arguments: Partial<A>;
  edited: boolean;
  outcome: Outcome<FreeObject>;
}

/** Whether it may be done, and with which arguments. */
export function approvalOf<A extends object = FreeObject>(outcome: Outcome<FreeObject>): Approval<A> {
  const { automatic, interaction, status } = outcome;
  const { arguments: proposed = {} } = interaction;
  const args = status === 'answered' ? argumentsLeft(interaction, outcome.values, pickName.approval) : proposed;
  const edited = !jsonEqual(args, proposed);
  return { approved: status === 'answered', automatic, arguments: args as Partial<A>, edited, outcome };
}
