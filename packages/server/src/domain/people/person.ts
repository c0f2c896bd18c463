/** Facts about a person that several rules need. */
import { defined, type Person } from '@holdpoint/protocol';

/** Returns the assignees of questions that include this person: the person, and each group of theirs. */
export const assigneesOf = ({ id, groups }: Pick<Person, 'id' | 'groups'>): string[] => [
  personAssignee(id),
  ...groups.map((group) => `${groupPrefix}${group}`),
];

const personPrefix = 'person:';
const groupPrefix = 'group:';

export const personAssignee = (personId: string): string => `${personPrefix}${personId}`;

export const isGroup = (assignee: string): boolean => assignee.startsWith(groupPrefix);

/** Returns the id of the group that an assignee names, if it names one. */
export const groupOf = (assignee: string): string | undefined =>
  isGroup(assignee) ? assignee.slice(groupPrefix.length) : undefined;

/** Reports whether an assignee names a person of the org. Any other assignee is a group, or known only to a program. */
export const isPerson = (assignee: string): boolean => assignee.startsWith(personPrefix);

export const personIdOf = (assignee: string): string => assignee.slice(personPrefix.length);

/** Two emails are the same if they differ only in case. */
export const emailKey = (email: string): string => email.toLowerCase();

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Reads a name of a responder as a person of the org: an id or an email, also after `person:`. Any other name is known
 * only to the program that uses it, and costs no look-up.
 */
export function namedPerson(name: string): { id: string } | { email: string } | undefined {
  const given = isPerson(name) ? personIdOf(name) : name;
  if (given.includes('@')) return { email: emailKey(given) };
  return isPerson(name) || uuid.test(given) ? { id: given } : undefined;
}

/** Somebody who was only invited may never come, so an org must not depend on them. */
export const isActiveAdmin = ({ status, roles }: Pick<Person, 'status' | 'roles'>): boolean =>
  status === 'active' && roles.includes('admin');

export const hasSignedIn = ({ lastSeenAt, identities, passkeys }: Person): boolean =>
  lastSeenAt !== undefined || identities.length > 0 || passkeys.length > 0;

export function newPerson(
  { id, name, email, roles = ['member'], groups = [] }: Pick<Person, 'id' | 'name'> & Partial<Person>,
  at: string,
): Person {
  return {
    ...{ id, name: name.trim(), ...defined({ email }), status: 'invited', roles, groups },
    ...{ identities: [], passkeys: [], createdAt: at, updatedAt: at },
  };
}

/** Returns a person for somebody who may not see how they sign in. */
export function withoutSignIn({ lastSeenAt: _, ...person }: Person): Person {
  return { ...person, identities: [], passkeys: [] };
}
