/** Groups of people. A person has the list of their groups, so that an answer needs one look-up. */
import type { Group, Person } from '@holdpoint/protocol';
import { fail, jsonEqual, limits } from '@holdpoint/protocol';
import { actorOf, type Caller } from '../../domain/caller.ts';
import { checkName } from '../../domain/people/update-person.ts';
import { timestamp } from '../../domain/state.ts';
import type { Document, DocumentChange } from '../../stores/documents.ts';
import type { Context, Operation } from '../context.ts';
import { invalidInput } from '../invalid-input.ts';
import { page, pageLimit, pagesOf, perform, save } from '../perform.ts';
import { adminEvent } from './admin-log.ts';
import { loadGroup, loadPerson, personChange, shownPerson, unchangedGroup } from './person-documents.ts';

const subjectOf = ({ id, name }: Group) => ({ type: 'group', id, name });

export const createGroup: Operation<'createGroup'> = (context, caller, input) =>
  perform<Group>(context, caller, {
    verb: 'createGroup',
    input,
    attempt: async () => {
      const { id, name = id } = input;
      refuseBadName(name);
      const { orgId } = caller;
      if (await context.store.getDocument({ orgId, type: 'group', id }))
        fail('group-exists', `The group ${id} already exists.`, { current: { id } });
      const record: Group = { id, name: name.trim(), createdAt: timestamp(context.clock.now()) };
      const created = adminEvent(context, actorOf(caller), { type: 'group.created', subject: subjectOf(record) });
      return {
        change: { documents: [{ type: 'group', id, record, expected: null }, created] },
        resource: { type: 'group', id },
        result: record,
      };
    },
    reload: async (id) => (await loadGroup(context, caller, id)).record,
  });

function refuseBadName(name: string): void {
  const problems = checkName(name);
  if (problems.length > 0) throw invalidInput(problems);
}

export const listGroups: Operation<'listGroups'> = async ({ store }, { orgId }, request) => {
  const { items, ...rest } = await store.listDocuments({
    ...request,
    ...{ orgId, type: 'group', limit: pageLimit(request.limit) },
  });
  return page({ ...rest, items: items.map(({ record }) => record) });
};

export const updateGroup: Operation<'updateGroup'> = (context, caller, { groupId, name }) =>
  save<Group>(context, caller, async () => {
    refuseBadName(name);
    const before = await loadGroup(context, caller, groupId);
    const record: Group = { ...before.record, name: name.trim() };
    if (jsonEqual(record, before.record)) return { change: {}, result: record };
    const updated = adminEvent(context, actorOf(caller), {
      ...{ type: 'group.updated', subject: subjectOf(record), data: { changed: { name: record.name } } },
    });
    const change: DocumentChange = { type: 'group', id: groupId, record, expected: before.revision };
    return { change: { documents: [change, updated] }, result: record };
  });

/** Returns the change of a member, or undefined if it is one already. */
function membership(
  context: Pick<Context, 'clock' | 'newId'>,
  caller: Caller,
  { person, group, isMember }: { person: Document<'person'>; group: Group; isMember: boolean },
): { documents: DocumentChange[]; result: Person } | undefined {
  const { id, name, groups } = person.record;
  if (groups.includes(group.id) === isMember) return undefined;
  if (isMember && groups.length >= limits.groupsOfPerson) {
    const message = `A person can be in at most ${limits.groupsOfPerson} groups.`;
    throw invalidInput([{ pointer: '/personId', code: 'max', message }]);
  }
  const now = timestamp(context.clock.now());
  const others = groups.filter((each) => each !== group.id);
  const record: Person = { ...person.record, groups: isMember ? [...others, group.id] : others, updatedAt: now };
  const event = adminEvent(context, actorOf(caller), {
    type: isMember ? 'group.member-added' : 'group.member-removed',
    subject: subjectOf(group),
    data: { personId: id, personName: name },
  });
  return { documents: [personChange(person, record), event], result: record };
}

export const addGroupMember: Operation<'addGroupMember'> = (context, caller, { groupId, personId }) =>
  save<Person>(context, caller, async () => {
    const group = await loadGroup(context, caller, groupId);
    const person = await loadPerson(context, caller, personId);
    const change = membership(context, caller, { person, group: group.record, isMember: true });
    if (!change) return { change: {}, result: shownPerson(caller, person.record) };
    const { documents, result } = change;
    return { change: { documents: [...documents, unchangedGroup(group)] }, result: shownPerson(caller, result) };
  });

export const removeGroupMember: Operation<'removeGroupMember'> = (context, caller, { groupId, personId }) =>
  save<Person>(context, caller, async () => {
    const group = await loadGroup(context, caller, groupId);
    const person = await loadPerson(context, caller, personId);
    const change = membership(context, caller, { person, group: group.record, isMember: false });
    if (!change) return { change: {}, result: shownPerson(caller, person.record) };
    return { change: { documents: change.documents }, result: shownPerson(caller, change.result) };
  });

/**
 * Removes the members, then the group. A member that is added meanwhile changes the group, so that its removal
 * conflicts and the members are read again. Otherwise a new group of this id would have old members.
 */
export const deleteGroup: Operation<'deleteGroup'> = (context, caller, { groupId }) =>
  save(context, caller, async () => {
    const { store } = context;
    const { orgId } = caller;
    const { revision, record } = await loadGroup(context, caller, groupId);
    const read = (from: { cursor?: string }) => store.listDocuments({ orgId, type: 'person', limit: 100, ...from });
    for await (const people of pagesOf(read))
      await Promise.all(
        people
          .filter((person) => person.record.groups.includes(groupId))
          .map(({ id }) => removeMember(context, caller, { group: record, personId: id })),
      );
    const deleted = adminEvent(context, actorOf(caller), { type: 'group.deleted', subject: subjectOf(record) });
    return {
      change: { documents: [{ type: 'group', id: groupId, record: null, expected: revision }, deleted] },
      result: {},
    };
  });

const removeMember = (context: Context, caller: Caller, { group, personId }: { group: Group; personId: string }) =>
  save(context, caller, async () => {
    const person = await loadPerson(context, caller, personId);
    const change = membership(context, caller, { person, group, isMember: false });
    return { change: change ? { documents: change.documents } : {}, result: {} };
  });
