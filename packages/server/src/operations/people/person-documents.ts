/** Loads people and groups, and makes the documents that save them. */
import { defined, fail, type Person, type Problem } from '@holdpoint/protocol';
import { type Caller, seesWholeOrg } from '../../domain/caller.ts';
import { emailKey } from '../../domain/people/assignee.ts';
import { isActiveAdmin, withoutSignIn } from '../../domain/people/person.ts';
import type { Document, DocumentChange } from '../../stores/documents.ts';
import type { Context } from '../context.ts';
import { pagesOf } from '../perform.ts';

type Tools = Pick<Context, 'store'>;

export async function loadPerson({ store }: Tools, { orgId }: Caller, id: string): Promise<Document<'person'>> {
  return (
    (await store.getDocument({ orgId, type: 'person', id })) ?? fail('person-not-found', `There is no person ${id}.`)
  );
}

export async function loadGroup({ store }: Tools, { orgId }: Caller, id: string): Promise<Document<'group'>> {
  return (await store.getDocument({ orgId, type: 'group', id })) ?? fail('group-not-found', `There is no group ${id}.`);
}

/** Members see how they sign in themselves, and nobody else. */
export const shownPerson = (caller: Caller, person: Person): Person =>
  seesWholeOrg(caller) || (caller.kind === 'person' && caller.person.id === person.id) ? person : withoutSignIn(person);

export const personChange = (before: Document<'person'> | null, record: Person): DocumentChange<'person'> => ({
  ...{ type: 'person', id: record.id, record, expected: before?.revision ?? null },
  ...defined({ alias: record.email === undefined ? undefined : emailKey(record.email) }),
});

/** Returns the person with this email, in any case. */
export const findByEmail = ({ store }: Tools, orgId: string, email: string): Promise<Document<'person'> | undefined> =>
  store.findDocument({ orgId, type: 'person', alias: emailKey(email) });

export async function refuseTakenEmail(tools: Tools, { orgId }: Caller, email: string, own?: string): Promise<void> {
  const other = await findByEmail(tools, orgId, email);
  if (other && other.id !== own)
    fail('person-exists', `${other.record.name} has the email ${email}.`, { current: { id: other.id } });
}

/** Returns the groups that exist, and a problem for each other one. */
export async function findGroups(
  { store }: Tools,
  { orgId }: Caller,
  ids: readonly string[],
): Promise<{ groups: Document<'group'>[]; problems: Problem[] }> {
  const found = await Promise.all(ids.map((id) => store.getDocument({ orgId, type: 'group', id })));
  const problems = ids.flatMap((id, index) =>
    found[index] ? [] : [{ pointer: `/groups/${index}`, code: 'unknown', message: `There is no group ${id}.` }],
  );
  return { groups: found.filter((group) => group !== undefined), problems };
}

/**
 * Writes a record as it is, so that the change conflicts with any other change of it. A group that gets a member cannot
 * be deleted at the same time, and of two admins who demote each other one remains.
 */
export const unchangedGroup = ({ id, revision, record }: Document<'group'>): DocumentChange<'group'> => ({
  ...{ type: 'group', id, record, expected: revision },
});
export const unchangedPerson = (person: Document<'person'>): DocumentChange<'person'> =>
  personChange(person, person.record);

/** Returns an active admin other than this person. The caller is one in most cases. */
export async function findOtherAdmin(
  { store }: Tools,
  caller: Caller | { kind: 'provider'; orgId: string },
  personId: string,
): Promise<Document<'person'> | undefined> {
  const { orgId } = caller;
  const isOther = (one: Document<'person'> | undefined) =>
    one !== undefined && one.id !== personId && isActiveAdmin(one.record);
  if (caller.kind === 'person') {
    const self = await store.getDocument({ orgId, type: 'person', id: caller.person.id });
    if (isOther(self)) return self;
  }
  const read = (from: { cursor?: string }) => store.listDocuments({ orgId, type: 'person', limit: 500, ...from });
  for await (const people of pagesOf(read)) {
    const other = people.find(isOther);
    if (other) return other;
  }
  return undefined;
}
