/** An approval, read: whether it may be done, and with which arguments. */
import { type FreeObject, jsonEqual } from '@holdpoint/protocol';
import type { Approval, Outcome } from '../agent.ts';

export function toApproval(outcome: Outcome<FreeObject>): Approval {
  const proposed = outcome.interaction.arguments ?? {};
  if (outcome.status !== 'answered') return { approved: false, arguments: proposed, edited: false, outcome };
  const { decision: _, ...edits } = outcome.values;
  const args = { ...proposed, ...edits };
  return { approved: true, arguments: args, edited: !jsonEqual(args, proposed), outcome };
}
