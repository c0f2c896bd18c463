/** Says after each vote whether the question is answered, or can no longer be. */
import { type Answer, agreeing, type Interaction, isDecided } from '@holdpoint/protocol';
import { bareId } from './people/assignee.ts';
import { allAssignees, voterCount } from './state.ts';

/** `answer`: the last vote decides. `split`: no agreement is possible any more. `open`: more votes are needed. */
export type Tally = 'answer' | 'split' | 'open';

export function tally(interaction: Interaction, votes: readonly Answer[]): Tally {
  if (isDecided(interaction, votes)) return 'answer';
  const isPossible =
    interaction.resolution.mode === 'unanimous'
      ? mostAgreeing(interaction, votes) === votes.length
      : canAgree(interaction, votes);
  return isPossible ? 'open' : 'split';
}

/** Reports whether the votes can still reach the count, if every assignee who has not voted agrees. */
export function canAgree(interaction: Interaction, votes: readonly Answer[]): boolean {
  const { resolution } = interaction;
  if (resolution.mode === 'first' || 'of' in resolution) return true;
  return mostAgreeing(interaction, votes) + votersLeft(interaction, votes) >= resolution.count;
}

const mostAgreeing = (interaction: Interaction, votes: readonly Answer[]): number =>
  Math.max(0, ...votes.map((vote) => agreeing(interaction, votes, vote).length));

/** Returns how many assignees may still vote, now or after an escalation. Somebody who voted may no longer be an assignee. */
function votersLeft(asked: Interaction, votes: readonly Answer[]): number {
  if (voterCount(asked) === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY;
  const voted = votes.flatMap(({ by, assignee, countsAs, keyOwner }) =>
    [by.id, by.onBehalfOf, assignee, countsAs, keyOwner].filter((id) => id !== undefined),
  );
  const used = new Set(voted.map(bareId));
  return new Set([...allAssignees(asked)].map(bareId).filter((id) => !used.has(id))).size;
}
