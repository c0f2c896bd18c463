/** Facts about a person that several rules need. */
import type { Person } from '@holdpoint/protocol';

/** Returns the assignees of questions that include this person: the person, and each group of theirs. */
export const assigneesOf = ({ id, groups }: Pick<Person, 'id' | 'groups'>): string[] => [
  `person:${id}`,
  ...groups.map((group) => `group:${group}`),
];
