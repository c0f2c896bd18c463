/** Facts about a person that several rules need. */
import { defined, type Person } from '@holdpoint/protocol';
import { groupAssignee, personAssignee } from './assignee.ts';

/** Returns the assignees of questions that include this person: the person, and each group of theirs. */
export const assigneesOf = ({ id, groups }: Pick<Person, 'id' | 'groups'>): string[] => [
  personAssignee(id),
  ...groups.map(groupAssignee),
];

/** Returns the email of a person under their id. */
export const emailsOf = ({ id, email }: Pick<Person, 'id' | 'email'>): Record<string, string> =>
  email === undefined ? {} : { [id]: email };

/** A person who has a deputy, and the end of the period. */
export interface StandIn {
  personId: string;
  until: string;
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
