/** The signed-in person, with their rights. The pages leave out what the person may not do. */
import type { Claim, Interaction, Person, PersonRole } from '@holdpoint/protocol';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { SignedIn } from './session.ts';

export interface Myself {
  person: Person;
  orgId: string;
  sessionId: string;
  /** The base of the addresses that the server gives to others. Undefined if it does not know its address. */
  publicUrl: string | undefined;
  /** Manages the org, and may change everything that the pages show. */
  isAdmin: boolean;
  /** Sees every thread, run and delivery. */
  seesOrg: boolean;
  /** Answers questions. Auditors only read. */
  answers: boolean;
}

export function myself({ person, orgId, sessionId }: SignedIn, publicUrl?: string): Myself {
  const has = (role: PersonRole) => person.roles.includes(role);
  const isAdmin = has('admin');
  return {
    person,
    orgId,
    sessionId,
    publicUrl,
    isAdmin,
    seesOrg: isAdmin || has('auditor'),
    answers: isAdmin || has('member'),
  };
}

const Me = createContext<Myself | undefined>(undefined);
export const MeProvider = Me.Provider;

export function useMe(): Myself {
  const me = useContext(Me);
  if (!me) throw new Error('Nobody is signed in.');
  return me;
}

export const roleWords: Record<PersonRole, string> = { admin: 'Admin', member: 'Member', auditor: 'Auditor' };

export const rolesOf = ({ roles }: Pick<Person, 'roles'>): string => roles.map((role) => roleWords[role]).join(', ');

type Named = Pick<Interaction, 'responder'>;

/** Reports whether the question names this person as an assignee. */
export const isAssigned = ({ responder }: Named, { id, email }: Person): boolean => {
  const names = [id, `person:${id}`, ...(email ? [email.toLowerCase(), `person:${email.toLowerCase()}`] : [])];
  return responder.assignees?.some((assignee) => names.includes(assignee.toLowerCase())) ?? false;
};

/** Reports whether the question names a group of this person. */
export const isForGroupOf = ({ responder }: Named, { groups }: Person): boolean =>
  responder.assignees?.some((assignee) => groups.some((group) => assignee === `group:${group}`)) ?? false;

/** Reports whether this person may answer the question as themselves, by its assignees. */
export const isNamed = (question: Named, person: Person): boolean =>
  !question.responder.assignees || isAssigned(question, person) || isForGroupOf(question, person);

/** Reports whether the period of a deputy is now. */
export const isAway = ({ from, until }: NonNullable<Person['deputy']>, now = Date.now()): boolean =>
  Date.parse(from) <= now && now < Date.parse(until);

/**
 * Reports whether this person may answer the question. The server decides; this only chooses what to show. A member sees
 * no questions but those, also as the deputy of somebody.
 */
export function mayAnswer(question: Named, { person, answers, seesOrg }: Myself): boolean {
  const { type } = question.responder;
  if (!answers || (type !== 'human' && type !== 'any')) return false;
  return !seesOrg || isNamed(question, person);
}

/** Reports whether a claim is the user's own, also one as a deputy or through a key. */
export const isOwnClaim = ({ by, countsAs }: Claim, { person: { id } }: Myself): boolean =>
  [by.id, by.onBehalfOf, countsAs].includes(id);

/** Returns the claim of somebody else that stands now. Until it ends, the user may not answer. */
export function claimOfOthers({ claim }: Interaction, me: Myself, now = Date.now()): Claim | undefined {
  return claim && Date.parse(claim.until) > now && !isOwnClaim(claim, me) ? claim : undefined;
}

/** Reports whether the user has voted, also through a deputy. */
export const hasVoted = ({ votes }: Interaction, { person: { id } }: Myself): boolean =>
  votes.some(({ by }) => by.type === 'human' && (by.id === id || by.onBehalfOf === id));
