/** Answering and declining: who may do so, which answer is valid, and when it closes the interaction. */
import { type Answer, defined, type Fault, type Interaction, sameActor } from '@holdpoint/protocol';
import { accept, type CommandOf, type Decided, type Outcome, refuse, refuseInput } from './command.ts';
import { namedFiles, withStoredFiles } from './files/upload-fields.ts';
import { grantFrom } from './grants.ts';
import { readAnswer } from './read-answer.ts';
import {
  closeWithAnswer,
  currentState,
  interactionEvent,
  isAsked,
  isDue,
  newAnswer,
  next,
  outcomeOf,
  systemActor,
  tooLate,
} from './state.ts';
import { tally } from './tally.ts';

export function decideAnswer(state: Interaction, command: CommandOf<'answer'>, now: number): Decided {
  const fault = mayAnswer(state, command, now);
  if (fault) return refuse(fault);
  const stored = withStoredFiles(state, command.values, command.files ?? []);
  const read = readAnswer(state, { ...command, values: stored.values });
  const problems = [...stored.problems, ...(read.ok ? [] : read.problems)];
  if (!read.ok || problems.length > 0) return refuseInput(problems, 'invalid-answer');
  const { answerId: id, by, reason, metadata } = command;
  const vote = newAnswer(state, { id, ...read.answer, ...defined({ reason, metadata }), by }, now);
  const outcome = castVote(state, vote, command.splitId, now);
  const isAnswer = outcome.interaction.answer?.id === vote.id;
  const answeredFiles = namedFiles(state.fields, { ...read.secrets, ...read.answer.values });
  const grant = isAnswer ? grantFrom(outcome.interaction, command.grantId, now) : undefined;
  return accept({
    interaction: outcome.interaction,
    events: grant ? [...outcome.events, grant.event] : outcome.events,
    ...(grant ? { grant: grant.grant } : {}),
    ...(isAnswer && read.secrets ? { secrets: read.secrets } : {}),
    ...(answeredFiles.length > 0 ? { answeredFiles } : {}),
  });
}

export function decideDecline(state: Interaction, command: CommandOf<'decline'>, now: number): Decided {
  const fault = mayAnswer(state, command, now);
  if (fault) return refuse(fault);
  const { answerId: id, by, reason, metadata } = command;
  const declined = { id, decision: 'declined', values: {}, ...defined({ reason, metadata }), by } as const;
  return accept(castVote(state, newAnswer(state, declined, now), command.splitId, now));
}

function mayAnswer(
  state: Interaction,
  { by, names, digest = state.digest }: Pick<CommandOf<'answer'>, 'by' | 'names' | 'digest'>,
  now: number,
): Fault | undefined {
  if (isDue(state, now)) return tooLate(state);
  const current = currentState(state);
  if (!isAsked(state, by, names)) {
    const { type, assignees } = state.responder;
    const responders = assignees
      ? `${type === 'any' ? '' : `${type} `}${assignees.join(', ')}`
      : `a responder of type ${type}`;
    const detail = `The question is for ${responders}. You are ${by.type} ${by.name ?? by.id}.`;
    return { code: 'wrong-responder', detail, current };
  }
  if (state.votes.some((vote) => sameActor(vote.by, by))) {
    const detail = `${by.name ?? by.id} has already voted; every responder votes once.`;
    return { code: 'already-voted', detail, current };
  }
  if (digest === state.digest) return undefined;
  const detail = `The question has changed since it was shown. Its current version is ${state.version}.`;
  return { code: 'question-changed', detail, current: { ...current, digest: state.digest } };
}

function castVote(state: Interaction, vote: Answer, splitId: string, now: number): Outcome {
  const votes = [...state.votes, vote];
  const result = tally(state, votes);
  if (result === 'answer') return closeWithAnswer(state, votes, vote, now);
  const voted = next(state, now, { votes });
  if (result === 'open') return outcomeOf(voted, 'interaction.voted', vote.by, { vote });
  const reason = 'The votes did not agree.';
  const by = systemActor('resolution', 'rule');
  const split = { id: splitId, decision: 'declined', values: {}, reason, by, automatic: 'resolution' } as const;
  const closed = closeWithAnswer(state, votes, newAnswer(state, split, now), now);
  return { ...closed, events: [interactionEvent(voted, 'interaction.voted', vote.by, { vote }), ...closed.events] };
}
