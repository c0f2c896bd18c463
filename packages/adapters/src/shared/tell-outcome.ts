/** How a question ended, in what a model reads of it: no record, and no secret. */

import type { Approval, FreeObject, Outcome } from '@holdpoint/protocol';
import { defined } from '@holdpoint/protocol';

export type ToldOutcome<V = FreeObject> = Pick<Approval, 'automatic'> &
  ({ status: 'answered'; values: V } | { status: 'declined' | 'expired' | 'cancelled'; reason?: string });

export function tellOutcome<V>(outcome: Outcome<V>): ToldOutcome<V> {
  const { automatic } = outcome;
  const by = automatic === undefined ? {} : { automatic };
  if (outcome.status === 'answered') return { status: 'answered', values: outcome.values, ...by };
  const reason = outcome.status === 'expired' ? 'Nobody answered in time.' : outcome.reason;
  return { status: outcome.status, ...defined({ reason }), ...by };
}

/** Why something was not done, as a sentence: `declined: Not on a Friday.` */
export function tellRefusal(outcome: Outcome<unknown>): string {
  const told = tellOutcome(outcome);
  if (told.status === 'answered') return 'declined';
  return told.reason === undefined ? told.status : `${told.status}: ${told.reason}`;
}

/** To the model, whose call is not what it was any more. */
export const tellEdit = (tool: string, proposed: unknown, edited: unknown): string =>
  `A person approved the call of ${tool} with other arguments than yours. ` +
  `You proposed ${JSON.stringify(proposed)}; it runs with ${JSON.stringify(edited)}.`;
