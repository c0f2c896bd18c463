import type { Answer, Interaction } from '@holdpoint/protocol';
import type { CommandOf, Decided } from './command.ts';
import { acceptsAtDeadline } from './deadline-approval.ts';
import { readAnswer } from './read-answer.ts';
import { bound, closeWithAnswer, interactionEvent, next, systemActor, timestamp } from './state.ts';

const deadline = systemActor('deadline');

/** The deadline has come: expire, take the recommended answer, or decline, as the asker said beforehand. */
export function decideExpire(state: Interaction, { answerId }: CommandOf<'elapse'>, now: number): Decided {
  const base = { id: answerId, by: deadline, at: timestamp(now), automatic: 'deadline', ...bound(state) } as const;
  const outcome = state.deadline?.outcome;
  if (outcome === 'decline') {
    const answer: Answer = { ...base, decision: 'declined', values: {}, reason: 'Nobody answered in time.' };
    return { ok: true, outcome: closeWithAnswer(state, state.votes, answer, now) };
  }
  const isVotedDown = acceptsAtDeadline(state) && state.votes.some(({ decision }) => decision === 'declined');
  // Recommendations are checked when the question is asked, so a failure here only means: nothing to take.
  const read =
    outcome === 'recommended' && !isVotedDown ? readAnswer(state, { values: state.recommendations ?? {} }) : undefined;
  if (read?.ok) {
    const answer: Answer = { ...base, ...read.answer };
    return { ok: true, outcome: closeWithAnswer(state, state.votes, answer, now) };
  }
  const interaction = next(state, now, {
    status: 'expired',
    closedReason: 'deadline',
    closedAt: timestamp(now),
    closedBy: deadline,
  });
  return {
    ok: true,
    outcome: { interaction, events: [interactionEvent(interaction, 'interaction.expired', deadline, {})] },
  };
}
