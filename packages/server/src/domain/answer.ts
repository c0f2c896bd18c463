/** Answering and declining: who may, what counts, and when it closes the interaction. */
import { type Answer, type Fault, type Interaction, sameActor } from '@holdpoint/protocol';
import { type CommandOf, type Decided, type Outcome, refuse } from './command.ts';
import { namedFiles, withStoredFiles } from './files/upload-fields.ts';
import { grantFrom } from './grants.ts';
import { readAnswer } from './read-answer.ts';
import {
  bound,
  closeWithAnswer,
  currentState,
  interactionEvent,
  isAsked,
  isDue,
  next,
  systemActor,
  timestamp,
  tooLate,
} from './state.ts';
import { tally } from './tally.ts';

export function decideAnswer(state: Interaction, command: CommandOf<'answer'>, now: number): Decided {
  const fault = mayAnswer(state, command, now);
  if (fault) return refuse(fault);
  const stored = withStoredFiles(state, command.values, command.files ?? []);
  const read = readAnswer(state, { ...command, values: stored.values });
  const problems = [...stored.problems, ...(read.ok ? [] : read.problems)];
  if (!read.ok || problems.length > 0)
    return refuse({
      code: 'invalid-answer',
      detail: problems.map(({ message }) => message).join(' '),
      problems,
    });
  const vote: Answer = {
    id: command.answerId,
    ...read.answer,
    ...remarks(command),
    ...bound(state),
    by: command.by,
    at: timestamp(now),
  };
  const outcome = castVote(state, vote, command.splitId, now);
  const isAnswer = outcome.interaction.answer?.id === vote.id;
  const answeredFiles = namedFiles(state.fields, { ...read.secrets, ...read.answer.values });
  const grant = isAnswer ? grantFrom(outcome.interaction, command.grantId, now) : undefined;
  return {
    ok: true,
    outcome: {
      interaction: outcome.interaction,
      events: grant ? [...outcome.events, grant.event] : outcome.events,
      ...(grant ? { grant: grant.grant } : {}),
      ...(isAnswer && read.secrets ? { secrets: read.secrets } : {}),
      ...(answeredFiles.length > 0 ? { answeredFiles } : {}),
    },
  };
}

export function decideDecline(state: Interaction, command: CommandOf<'decline'>, now: number): Decided {
  const fault = mayAnswer(state, command, now);
  if (fault) return refuse(fault);
  const vote: Answer = {
    id: command.answerId,
    decision: 'declined',
    values: {},
    ...remarks(command),
    ...bound(state),
    by: command.by,
    at: timestamp(now),
  };
  return { ok: true, outcome: castVote(state, vote, command.splitId, now) };
}

const remarks = ({ reason, metadata }: Pick<Answer, 'reason' | 'metadata'>): Pick<Answer, 'reason' | 'metadata'> => ({
  ...(reason === undefined ? {} : { reason }),
  ...(metadata === undefined ? {} : { metadata }),
});

function mayAnswer(
  state: Interaction,
  { by, digest = state.digest }: Pick<CommandOf<'answer'>, 'by' | 'digest'>,
  now: number,
): Fault | undefined {
  if (isDue(state, now)) return tooLate(state);
  if (!isAsked(state, by)) {
    const { type, assignees } = state.responder;
    const whom = assignees
      ? `${type === 'any' ? '' : `${type} `}${assignees.join(', ')}`
      : `a responder of type ${type}`;
    const detail = `The question is for ${whom}; you are ${by.type} ${by.id}.`;
    return { code: 'wrong-responder', detail, current: currentState(state) };
  }
  if (state.votes.some((vote) => sameActor(vote.by, by)))
    return {
      code: 'already-voted',
      detail: `${by.id} has already voted; every responder votes once.`,
      current: currentState(state),
    };
  if (digest !== state.digest)
    return {
      code: 'question-changed',
      detail: `The question has changed since it was shown; it is at version ${state.version} now.`,
      current: { ...currentState(state), digest: state.digest },
    };
  return undefined;
}

function castVote(state: Interaction, vote: Answer, splitId: string, now: number): Outcome {
  const votes = [...state.votes, vote];
  const result = tally(state, votes);
  if (result === 'answer') return closeWithAnswer(state, votes, vote, now);
  if (result === 'split') {
    const answer: Answer = {
      id: splitId,
      decision: 'declined',
      values: {},
      reason: 'The votes did not agree.',
      ...bound(state),
      by: systemActor('resolution'),
      at: timestamp(now),
      automatic: 'resolution',
    };
    const voted = interactionEvent(next(state, now, { votes }), 'interaction.voted', vote.by, { vote });
    const closed = closeWithAnswer(state, votes, answer, now);
    return { ...closed, events: [voted, ...closed.events] };
  }
  const interaction = next(state, now, { votes });
  return { interaction, events: [interactionEvent(interaction, 'interaction.voted', vote.by, { vote })] };
}
