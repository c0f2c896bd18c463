/** The vote of the person who looks at a question; every person has one. */
import type { Answer, Interaction } from '@holdpoint/protocol';

export const isBy = ({ by }: Answer, responderId: string | undefined): boolean =>
  by.type === 'human' && by.id === responderId;

export const voteOf = ({ votes }: Interaction, responderId: string | undefined): Answer | undefined =>
  votes.find((vote) => isBy(vote, responderId));
