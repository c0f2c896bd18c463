/** The names by which questions and tokens refer to people. */

const personPrefix = 'person:';

/** Reports whether an assignee is a group, whose members may answer. */
export const isGroup = (assignee: string): boolean => assignee.startsWith('group:');

/**
 * Returns the id or the email by which an assignee or a responder may name a person. All other names belong to responders
 * that only the application of the org knows, so they cost no look-up.
 */
export function namedPerson(name: string): { id: string } | { email: string } | undefined {
  const given = name.startsWith(personPrefix) ? name.slice(personPrefix.length) : name;
  if (given.includes('@')) return { email: given.toLowerCase() };
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(given) ? { id: given } : undefined;
}
