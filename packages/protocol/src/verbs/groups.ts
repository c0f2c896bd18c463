/** The verbs of groups of people. */
import { type Static, Type } from 'typebox';
import { strictObject, TimestampSchema } from '../base-schemas.ts';
import { Done, Id, type Page, PageQuery, type PageRequest, pageOf, type Write } from './call.ts';
import { GroupId, Name, type Person, PersonSchema } from './people.ts';
import { specsOf } from './specs-of.ts';
import { admins, people } from './verb-spec.ts';

export const GroupSchema = strictObject({
  id: Type.String(),
  name: Name,
  createdAt: TimestampSchema,
});
const CreateGroupSchema = strictObject({ id: GroupId, name: Type.Optional(Name) });
const UpdateGroupSchema = strictObject({ name: Name });
const MemberSchema = strictObject({ personId: Id });

export type Group = Static<typeof GroupSchema>;
export type CreateGroup = Static<typeof CreateGroupSchema>;
export type UpdateGroup = Static<typeof UpdateGroupSchema>;

export interface GroupVerbs {
  /** Creates a group. */
  createGroup(input: CreateGroup & Write): Promise<Group>;
  /** Lists the groups of the org. */
  listGroups(input: PageRequest): Promise<Page<Group>>;
  /** Changes the name of a group. Its id never changes. */
  updateGroup(input: { groupId: string } & UpdateGroup): Promise<Group>;
  /** Removes all members of a group, then the group. */
  deleteGroup(input: { groupId: string }): Promise<Record<never, never>>;
  /** Adds a person to a group. */
  addGroupMember(input: { groupId: string; personId: string }): Promise<Person>;
  /** Removes a person from a group. */
  removeGroupMember(input: { groupId: string; personId: string }): Promise<Person>;
}

export const groupVerbs = specsOf<GroupVerbs>()({
  createGroup: {
    callers: admins,
    summary: 'Create a group',
    description: 'Questions name it as the assignee group:<id>. Its members at the time of an answer may answer.',
    input: CreateGroupSchema,
    status: 201,
    output: GroupSchema,
  },
  listGroups: {
    callers: people,
    summary: 'List groups',
    description: 'Lists the groups of the org by id.',
    input: PageQuery,
    output: pageOf(GroupSchema),
  },
  updateGroup: {
    callers: admins,
    summary: 'Change a group',
    description: 'Changes its name.',
    input: UpdateGroupSchema,
    output: GroupSchema,
  },
  deleteGroup: {
    callers: admins,
    summary: 'Delete a group',
    description: 'Removes its members first. Pending questions keep the group as an assignee, and nobody is in it.',
    output: Done,
  },
  addGroupMember: {
    callers: admins,
    summary: 'Add a person to a group',
    description: 'Adding a member again changes nothing.',
    input: MemberSchema,
    output: PersonSchema,
  },
  removeGroupMember: {
    callers: admins,
    summary: 'Remove a person from a group',
    description: 'Removing a person who is not a member changes nothing.',
    output: PersonSchema,
  },
});
