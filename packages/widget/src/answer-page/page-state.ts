/** What the page shows of a question: undefined where the question itself says it. */
import type { Interaction } from '@holdpoint/protocol';
import { endedAs } from '@holdpoint/protocol/answers';
import type { ApiError } from '../connection/api.ts';
import { isBy, voteOf } from '../request/own-vote.ts';
import type { PageState } from './words.ts';

/** Who has answered is told to nobody but the one who has. */
export function stateOf(interaction: Interaction, responderId: string): PageState | undefined {
  const { status, answer } = interaction;
  if (status === 'pending') return undefined;
  if (status !== 'answered') return status;
  if (voteOf(interaction, responderId) || (answer && isBy(answer, responderId))) return 'sent';
  return endedAs(interaction) === 'declined' ? 'declined' : 'answered';
}

export function stateOfRefusal({ status }: ApiError): PageState {
  if (status === 401 || status === 403) return 'linkOver';
  return status === 404 ? 'gone' : 'unreachable';
}
