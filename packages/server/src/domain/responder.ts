/** Decides if a responder may answer: by the assignees, the person behind the responder, and the requesters. */
import {
  type Actor,
  type ActorRef,
  type Answer,
  type Claim,
  defined,
  type Fault,
  type Interaction,
  sameActor,
} from '@holdpoint/protocol';
import type { Absent, Responder } from './command.ts';
import { groupAssignee, groupIdOf, isGroup, nameKey } from './people/assignee.ts';
import { currentState, isAsked } from './state.ts';

/** A responder who may answer, and through which assignee. */
export interface Standing extends Pick<Responder, 'by' | 'countsAs' | 'keyOwner' | 'emails'> {
  names: readonly string[];
  assignee?: string;
}

const keyOf = ({ type, id }: ActorRef): string => `${type} ${nameKey(id)}`;
const human = (id: string): string => keyOf({ type: 'human', id });

type Voter = Pick<Answer, 'by' | 'countsAs' | 'keyOwner'> & Pick<Responder, 'emails'>;

/** Returns everybody whose vote this is. A deputy's vote is also that of the absent person, who cannot vote again. */
function peopleOf({ by, countsAs, emails }: Voter): string[] {
  const others = [countsAs, by.onBehalfOf].filter((id) => id !== undefined);
  const known = [by.id, ...others].flatMap((id) => emailOf(emails, id));
  return [keyOf(by), ...[...others, ...known].map(human)];
}

/** Somebody may have voted under their email before they were invited as a person. */
const emailOf = (emails: Responder['emails'] = {}, id: string): string[] =>
  Object.hasOwn(emails, id) ? [emails[id] as string] : [];

/** Reports whether two votes, or a vote and a claim, are of one person. */
export function isSamePerson(a: Voter, b: Voter): boolean {
  const people = peopleOf(a);
  return peopleOf(b).some((one) => people.includes(one));
}

/**
 * Reports whether two votes count once. A person who votes cannot also vote through their key under another name. Tokens
 * count for their holder alone, because one key creates the tokens of all users of an application.
 */
function countsOnce(a: Voter, b: Voter): boolean {
  const isOwner = ({ keyOwner, emails }: Voter, other: Voter) =>
    keyOwner !== undefined &&
    [keyOwner, ...emailOf(emails, keyOwner)].some((id) => peopleOf(other).includes(human(id)));
  return isSamePerson(a, b) || isOwner(a, b) || isOwner(b, a);
}

/** Returns the groups of the quorum that a responder is in, or undefined if the question has no such quorum. */
export function quorumGroups(
  { resolution }: Pick<Interaction, 'resolution'>,
  names: readonly string[],
): string[] | undefined {
  if (!('of' in resolution)) return undefined;
  return resolution.of.map(({ group }) => group).filter((group) => names.includes(groupAssignee(group)));
}

/**
 * Returns how a responder may answer: as themselves if they can, otherwise on behalf of an absent person. Returns a fault
 * if they are not asked, requested the question, have voted, or somebody else has claimed it.
 */
export function findStanding(state: Interaction, responder: Responder, now: number): Standing | Fault {
  const asked = standings(state, responder);
  if (asked.length === 0) return wrongResponder(state, responder.by);
  const allowed = asked.filter((standing) => !isRequester(state, standing, responder.requesters));
  if (allowed.length === 0) return notRequester(state, responder);
  const standing = allowed.find((each) => !state.votes.some((vote) => countsOnce(vote, each)));
  if (!standing) return alreadyVoted(state, allowed[0] as Standing);
  const claim = claimAt(state, now);
  return claim && !isSamePerson(claim, standing) ? claimed(state, claim) : standing;
}

function standings(state: Interaction, responder: Responder): Standing[] {
  const { by, names = [], absent = [], countsAs, keyOwner, emails } = responder;
  const { assignees } = state.responder;
  const candidates = [
    { by, names: isGroup(by.id) ? names : [by.id, ...names], emails },
    // A deputy answers what names the absent person. What anybody may answer names nobody.
    ...(assignees ? absent.map((each) => onBehalfOf(each, by)) : []),
  ];
  return candidates
    .filter((each) => isAsked(state, each.by, each.names))
    .map((each) => {
      const assignee = assignees && each.names.find((name) => assignees.includes(name));
      return { ...each, ...defined({ countsAs, keyOwner, emails: { ...emails, ...each.emails }, assignee }) };
    });
}

const onBehalfOf = ({ personId, names, email }: Absent, by: Actor) => ({
  ...{ by: { ...by, onBehalfOf: personId }, names },
  emails: defined({ [personId]: email }),
});

/** Reports whether a responder may not answer because they requested the question. Agents never may. */
export function isRequester(
  { responder, createdBy }: Pick<Interaction, 'responder' | 'createdBy'>,
  voter: Voter,
  requesters: readonly ActorRef[] = [],
): boolean {
  if (!responder.notRequester) return false;
  const { by } = voter;
  const everybody = [createdBy, ...requesters].map(keyOf);
  return by.type !== 'human' || isOneOf(everybody, voter) || isIssuedByOneOf(everybody, createdBy, by);
}

function isOneOf(requesters: readonly string[], voter: Voter): boolean {
  const { by, keyOwner } = voter;
  const own = peopleOf(voter);
  if (keyOwner !== undefined) own.push(human(keyOwner));
  // A key acts for its owner, even if it names somebody else.
  if (by.via === 'key' && by.keyId !== undefined) own.push(keyOf({ type: 'agent', id: by.keyId }));
  return own.some((one) => requesters.includes(one));
}

/**
 * Reports whether the key that asked, or a requester in a session, created the token or the sign-in link of an actor: they
 * could answer with it themselves. Other keys of a requester do not matter, because an application creates the tokens of
 * all its users with one key.
 */
function isIssuedByOneOf(requesters: readonly string[], createdBy: Actor, { keyId, issuedBy = [] }: Actor): boolean {
  const isOfAskingKey = createdBy.via === 'key' && keyId !== undefined && keyId === createdBy.keyId;
  return isOfAskingKey || issuedBy.some((id) => requesters.includes(human(id)));
}

/** Returns the claim that stands at this time. It ends by itself. */
export const claimAt = ({ claim }: Interaction, now: number): Claim | undefined =>
  claim && Date.parse(claim.until) > now ? claim : undefined;

export const claimed = (state: Interaction, claim: Claim): Fault => ({
  code: 'interaction-claimed',
  detail: `${nameOf(claim.by)} has claimed the question until ${claim.until}. Wait, or ask them to release it.`,
  current: { ...currentState(state), claim },
});

const nameOf = ({ type, id, name }: Actor): string => (name === undefined ? `${type} ${id}` : name);

function alreadyVoted(state: Interaction, standing: Standing): Fault {
  const { by } = standing;
  const vote = state.votes.find((each) => countsOnce(each, standing));
  const as = vote && !sameActor(vote.by, by) ? ` The vote of ${nameOf(vote.by)} at ${vote.at} counts for both.` : '';
  const detail = `${by.name ?? by.id} has already voted; every responder votes once.${as}`;
  return { code: 'already-voted', detail, current: currentState(state) };
}

/** The names of people and groups by their assignees, as far as they are known. */
export type Names = Readonly<Record<string, string>>;

const responderFaults = ['wrong-responder', 'not-requester'] as const;

/** Writes a refusal again, with the names of the people and groups that could answer. */
export function withNames(fault: Fault, state: Interaction, responder: Responder, names: Names): Fault {
  if (fault.code === 'wrong-responder') return wrongResponder(state, responder.by, names);
  return fault.code === 'not-requester' ? notRequester(state, responder, names) : fault;
}

export const namesResponders = ({ code }: Fault): boolean => responderFaults.some((each) => each === code);

function wrongResponder(state: Interaction, by: Actor, names: Names = {}): Fault {
  const detail = `The question is for ${whoCould(state, names)}. You are ${by.type} ${by.name ?? by.id}.`;
  return { code: 'wrong-responder', detail, current: { ...currentState(state), ...responders(state, names) } };
}

function notRequester(state: Interaction, responder: Responder, names: Names = {}): Fault {
  const { by, requesters = [] } = responder;
  const everybody = [state.createdBy, ...requesters].map(keyOf);
  const why =
    by.type !== 'human'
      ? 'Only people may answer this question, and you are not a person. Ask'
      : isOneOf(everybody, responder)
        ? 'You asked this question, or started its run or thread, yourself or with a key, token or link that you created, so somebody else must answer it'
        : issuedByRequester[by.via === 'token' ? 'token' : 'link'];
  const detail = `${why}: ${whoCould(state, names)}, except the requester.`;
  return { code: 'not-requester', detail, current: { ...currentState(state), ...responders(state, names) } };
}

const issuedByRequester = {
  token:
    'Somebody who requested this question created your token, so it must be answered with another one, or by somebody else',
  link: 'Somebody who requested this question created your sign-in link. Sign in with a passkey or an identity provider, or ask somebody else',
};

const responders = ({ responder }: Interaction, names: Names) => ({
  responders: responder.assignees?.map((assignee) => ({
    assignee,
    ...defined({ name: nameIn(names, assignee) }),
  })),
});

const nameIn = (names: Names, assignee: string): string | undefined =>
  Object.hasOwn(names, assignee) ? names[assignee] : undefined;

/** Enough names to find somebody. `current` has all of them. */
const mostNames = 20;

function whoCould({ responder: { type, assignees, notRequester } }: Interaction, names: Names): string {
  if (assignees?.length === 0) return 'nobody at present';
  if (!assignees) return notRequester ? 'any person' : `a responder of type ${type}`;
  const words = assignees.slice(0, mostNames).map((assignee) => {
    const name = nameIn(names, assignee);
    if (isGroup(assignee)) return `the group ${name ?? groupIdOf(assignee)}`;
    return name ?? assignee;
  });
  const rest = assignees.length - words.length;
  return `${type === 'any' ? '' : `${type} `}${words.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
