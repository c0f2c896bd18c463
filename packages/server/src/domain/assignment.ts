/** Assigns a pending question: claim, release, reassign, delegate. None of them counts as a vote. */
import {
  type ActorRef,
  defined,
  type Fault,
  type Interaction,
  isApproval,
  limits,
  type Problem,
} from '@holdpoint/protocol';
import { accept, type CommandOf, type Decided, refuse, refuseInput } from './command.ts';
import { bareId, isGroup } from './people/assignee.ts';
import { acceptsAtDeadline, checkResolution, onlyAdmins } from './policy.ts';
import { claimAt, claimed, findStanding, isRequester, isSamePerson, type Standing } from './responder.ts';
import { currentState, isDue, next, outcomeOf, timestamp, tooLate, withoutClaim } from './state.ts';
import { canAgree } from './tally.ts';

/** A claim is for a limited time. A second claim of the same person begins a new time. */
export function decideClaim(state: Interaction, command: CommandOf<'claim'>, now: number): Decided {
  const standing = mayWorkOn(state, command, now);
  if ('code' in standing) return refuse(standing);
  const { by, countsAs } = standing;
  const claim = { by, at: timestamp(now), until: timestamp(now + command.forMs), ...defined({ countsAs }) };
  return accept(outcomeOf(next(state, now, { claim }), 'interaction.claimed', by, { claim }));
}

export function decideRelease(state: Interaction, command: CommandOf<'release'>, now: number): Decided {
  const claim = claimAt(state, now);
  if (!claim) {
    const detail = 'Nobody holds a claim on the question.';
    return refuse({ code: 'interaction-not-claimed', detail, current: currentState(state) });
  }
  if (!command.isAdmin && !isSamePerson(claim, command)) return refuse(claimed(state, claim));
  return accept(outcomeOf(withoutClaim(next(state, now, {})), 'interaction.released', command.by, {}));
}

/** Replaces the assignees. Votes stay, also those of people who are no longer assignees. */
export function decideReassign(state: Interaction, command: CommandOf<'reassign'>, now: number): Decided {
  if (isDue(state, now)) return refuse(tooLate(state));
  const { by, isAdmin, reason } = command;
  const isGuarded = (isApproval(state) && state.responder.type !== 'human') || acceptsAtDeadline(state);
  if (isGuarded && !isAdmin) return refuse({ ...onlyAdmins.reassign, current: currentState(state) });
  const assignees = [...new Set(command.assignees)];
  const ruled = checkNoQuorum(state, '/assignees');
  const problems = ruled.length > 0 ? ruled : checkVoters(state, assignees);
  if (problems.length > 0) return refuseInput(problems, 'invalid-input');
  return accept(moved(withoutClaim(state), { assignees, by, ...defined({ reason }) }, command, now));
}

/** A responder hands their place to a colleague. Of a group they give away only their own part, so the group stays. */
export function decideDelegate(state: Interaction, command: CommandOf<'delegate'>, now: number): Decided {
  const standing = mayWorkOn(state, command, now);
  if ('code' in standing) return refuse(standing);
  const { to, reason } = command;
  const { by, assignee } = standing;
  if (by.type !== 'human' && isApproval(state)) return refuse({ ...onlyAdmins.delegate, current: currentState(state) });
  const colleague: ActorRef = { type: 'human', id: bareId(to) };
  const problems = [...checkNoQuorum(state, '/to'), ...checkColleague(state, command)];
  if (problems.length > 0) return refuseInput(problems, 'invalid-input');
  if (isRequester(state, { by: { ...colleague, via: 'unknown' } }, command.requesters)) {
    const detail = `${to} requested this question, so it must be answered by somebody else. Choose another colleague.`;
    return refuse({ code: 'not-requester', detail, current: currentState(state) });
  }
  const { assignees: before = [] } = state.responder;
  const from = assignee === undefined || isGroup(assignee) ? undefined : assignee;
  const assignees = from === undefined ? [...before, to] : before.map((each) => (each === from ? to : each));
  // The number of people who may still vote never gets smaller, so only the limit needs a check.
  const overfull = checkNumber(assignees, '/to');
  if (overfull.length > 0) return refuseInput(overfull, 'invalid-input');
  const isOwnClaim = state.claim !== undefined && isSamePerson(state.claim, standing);
  const kept = isOwnClaim ? withoutClaim(state) : state;
  return accept(moved(kept, { assignees, by, ...defined({ reason, from }) }, command, now));
}

function mayWorkOn(state: Interaction, command: CommandOf<'claim' | 'delegate'>, now: number): Standing | Fault {
  return isDue(state, now) ? tooLate(state) : findStanding(state, command, now);
}

const problem = (pointer: string, code: string, message: string): Problem => ({ pointer, code, message });

const checkNoQuorum = ({ resolution }: Interaction, pointer: string): Problem[] =>
  'of' in resolution
    ? [problem(pointer, 'not-allowed', 'The groups of the quorum decide who may answer. Add people to a group.')]
    : [];

function checkColleague(state: Interaction, { to, by, names }: CommandOf<'delegate'>): Problem[] {
  const { assignees } = state.responder;
  if (isGroup(to)) return [problem('/to', 'person', 'Name one person, not a group.')];
  if (!assignees) return [problem('/to', 'not-allowed', 'Anybody may answer this question already.')];
  const id = bareId(to);
  if (id === bareId(by.id) || names?.includes(to)) return [problem('/to', 'same', 'This is you. Name a colleague.')];
  if (assignees.some((each) => bareId(each) === id))
    return [problem('/to', 'same', 'This colleague may answer the question already.')];
  const hasVoted = state.votes.some((vote) => isSamePerson(vote, { by: { type: 'human', id, via: 'unknown' } }));
  return hasVoted ? [problem('/to', 'voted', 'This colleague has voted already.')] : [];
}

/** The question must stay answerable: enough assignees must be left who have not voted. */
function checkVoters(state: Interaction, assignees: string[]): Problem[] {
  const pointer = '/assignees';
  const changed = { ...state, responder: { ...state.responder, assignees } };
  const problems = checkResolution(changed).map((each) => ({ ...each, pointer }));
  const found = [...checkNumber(assignees, pointer), ...problems];
  if (found.length > 0 || canAgree(changed, state.votes)) return found;
  return [problem(pointer, 'max', 'With the votes so far, too few of these responders could still agree.')];
}

const checkNumber = (assignees: readonly string[], pointer: string): Problem[] =>
  assignees.length > limits.assignees
    ? [problem(pointer, 'max', `A question has at most ${limits.assignees} assignees.`)]
    : [];

interface Move {
  assignees: string[];
  by: CommandOf<'reassign'>['by'];
  reason?: string;
  from?: string;
}

/** The digest names the people who may answer, so it changes with them. */
function moved(
  state: Interaction,
  { by, assignees, ...why }: Move,
  { digestOf }: Pick<CommandOf<'reassign'>, 'digestOf'>,
  now: number,
) {
  const before = state.responder.assignees ?? [];
  const changed = next(state, now, { responder: { ...state.responder, assignees } });
  const interaction = { ...changed, digest: digestOf(changed) };
  const added = assignees.filter((each) => !before.includes(each));
  const removed = before.filter((each) => !assignees.includes(each));
  return outcomeOf(interaction, 'interaction.reassigned', by, { added, removed, assignees, ...why });
}
