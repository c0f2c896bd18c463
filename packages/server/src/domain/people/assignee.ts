/** The names by which questions and tokens refer to people and groups. */

const personPrefix = 'person:';
const groupPrefix = 'group:';

export const personAssignee = (personId: string): string => personPrefix + personId;
export const groupAssignee = (groupId: string): string => groupPrefix + groupId;

/** Reports whether an assignee is a person of the org. */
export const isPerson = (assignee: string): boolean => assignee.startsWith(personPrefix);

/** Reports whether an assignee is a group, whose members may answer. */
export const isGroup = (assignee: string): boolean => assignee.startsWith(groupPrefix);

export const personIdOf = (assignee: string): string => assignee.slice(personPrefix.length);
export const groupIdOf = (assignee: string): string => assignee.slice(groupPrefix.length);

/** Returns the id without the prefix of a person: `person:7` and `7` are one person. */
export const bareId = (name: string): string => (isPerson(name) ? personIdOf(name) : name);

/** Two emails are the same if they differ only in case. */
export const emailKey = (email: string): string => email.toLowerCase();

/** Returns a text that is equal for all ways to write the name of one responder. */
export const nameKey = (name: string): string => (name.includes('@') ? emailKey(bareId(name)) : bareId(name));

/**
 * Returns the id or the email by which an assignee or a responder may name a person. All other names belong to responders
 * that only the application of the org knows, so they cost no look-up.
 */
export function namedPerson(name: string): { id: string } | { email: string } | undefined {
  const given = bareId(name);
  if (given.includes('@')) return { email: emailKey(given) };
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(given) ? { id: given } : undefined;
}
