/** Answering and declining: who may do so, which answer is valid, and when it closes the interaction. */
import { type Answer, defined, type Fault, type Interaction } from '@holdpoint/protocol';
import { lacksAssurance } from './assurance.ts';
import { accept, type CommandOf, type Decided, type Outcome, refuse, refuseInput } from './command.ts';
import { namedFiles, withStoredFiles } from './files/upload-fields.ts';
import { grantFrom } from './grants.ts';
import { readAnswer } from './read-answer.ts';
import { findStanding, quorumGroups, type Standing } from './responder.ts';
import {
  closeWithAnswer,
  currentState,
  interactionEvent,
  isDue,
  newAnswer,
  next,
  outcomeOf,
  systemActor,
  tooLate,
} from './state.ts';
import { tally } from './tally.ts';

export function decideAnswer(state: Interaction, command: CommandOf<'answer'>, now: number): Decided {
  const standing = mayAnswer(state, command, now);
  if ('code' in standing) return refuse(standing);
  const stored = withStoredFiles(state, command.values, command.files ?? []);
  const read = readAnswer(state, { ...command, values: stored.values });
  const problems = [...stored.problems, ...(read.ok ? [] : read.problems)];
  if (!read.ok || problems.length > 0) return refuseInput(problems, 'invalid-answer');
  const lacking = lacksAssurance(state, command.proof);
  if (lacking) return refuse(lacking);
  const { answerId: id, reason, metadata, proof } = command;
  const remarks = defined({ reason, metadata, signature: proof?.signature });
  const given = { id, ...read.answer, ...remarks, ...voterOf(state, standing) };
  const vote = newAnswer(state, given, now);
  const outcome = castVote(state, vote, command.splitId, now);
  const isAnswer = outcome.interaction.answer?.id === vote.id;
  const answeredFiles = namedFiles(state.fields, { ...read.secrets, ...read.answer.values });
  // A grant would later answer without the person, so it would be a weaker answer than this one.
  const grant = isAnswer && !state.assurance ? grantFrom(outcome.interaction, command.grantId, now) : undefined;
  return accept({
    interaction: outcome.interaction,
    events: grant ? [...outcome.events, grant.event] : outcome.events,
    ...(grant ? { grant: grant.grant } : {}),
    ...(isAnswer && read.secrets ? { secrets: read.secrets } : {}),
    ...(answeredFiles.length > 0 ? { answeredFiles } : {}),
  });
}

export function decideDecline(state: Interaction, command: CommandOf<'decline'>, now: number): Decided {
  const standing = mayAnswer(state, command, now);
  if ('code' in standing) return refuse(standing);
  const lacking = lacksAssurance(state, command.proof);
  if (lacking) return refuse(lacking);
  const { answerId: id, reason, metadata, proof } = command;
  const remarks = defined({ reason, metadata, signature: proof?.signature });
  const declined = { id, decision: 'declined', values: {}, ...remarks } as const;
  const vote = newAnswer(state, { ...declined, ...voterOf(state, standing) }, now);
  return accept(castVote(state, vote, command.splitId, now));
}

/** Records who voted, and through which assignee, so that the vote can be checked later. */
const voterOf = (state: Interaction, { by, assignee, names, countsAs, keyOwner }: Standing) => ({
  ...defined({ assignee, groups: quorumGroups(state, names), countsAs, keyOwner }),
  by,
});

function mayAnswer(state: Interaction, command: CommandOf<'answer' | 'decline'>, now: number): Standing | Fault {
  if (isDue(state, now)) return tooLate(state);
  const standing = findStanding(state, command, now);
  const { digest = state.digest } = command;
  if ('code' in standing || digest === state.digest) return standing;
  const detail = `The question has changed since it was shown. Its current version is ${state.version}.`;
  return { code: 'question-changed', detail, current: { ...currentState(state), digest: state.digest } };
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
