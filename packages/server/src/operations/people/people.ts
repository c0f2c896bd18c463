/** People of an org: invited, changed, deactivated and listed. */
import { defined, type InvitedPerson, limits, type PeopleFilter, type Person } from '@holdpoint/protocol';
import { actorOf, isAdmin } from '../../domain/caller.ts';
import { emailKey } from '../../domain/people/assignee.ts';
import { newPerson } from '../../domain/people/person.ts';
import { checkName, updatePerson as decide, takesAdmin } from '../../domain/people/update-person.ts';
import { timestamp } from '../../domain/state.ts';
import type { DocumentChange } from '../../stores/documents.ts';
import type { Operation } from '../context.ts';
import { invalidInput } from '../invalid-input.ts';
import { decidedOrThrow, page, pageLimit, perform, save } from '../perform.ts';
import { adminEvent } from './admin-log.ts';
import { deactivationTimer, endAccess } from './deactivate.ts';
import { deputyChanges } from './deputies.ts';
import { examined } from './examined.ts';
import {
  findGroups,
  findOtherAdmin,
  loadPerson,
  personChange,
  refuseTakenEmail,
  shownPerson,
  unchangedGroup,
  unchangedPerson,
} from './person-documents.ts';
import { newSignInLink } from './sign-in-links.ts';

/** A repeated call returns the person without the invitation, which is shown once. */
export const createPerson: Operation<'createPerson'> = (context, caller, input) =>
  perform<InvitedPerson>(context, caller, {
    verb: 'createPerson',
    input,
    attempt: async () => {
      const { idempotencyKey: _, ...given } = input;
      const { groups, problems } = await findGroups(context, caller, given.groups ?? []);
      const all = [...checkName(given.name), ...problems];
      if (all.length > 0) throw invalidInput(all);
      if (given.email !== undefined) await refuseTakenEmail(context, caller, given.email);
      const person = newPerson({ id: context.newId(), ...given }, timestamp(context.clock.now()));
      const { id, name, email, roles } = person;
      const by = actorOf(caller);
      const invited = adminEvent(context, by, {
        type: 'person.invited',
        subject: { type: 'person', id, name },
        data: { ...defined({ email }), roles, groups: person.groups },
      });
      // Without an address for people, as inside another program, an invitation leads nowhere.
      const invitation =
        context.publicUrl() === undefined
          ? undefined
          : newSignInLink(
              context,
              { orgId: caller.orgId, createdBy: by },
              { personId: id, ttlSeconds: limits.invitationSeconds },
            );
      return {
        change: {
          documents: [
            personChange(null, person),
            ...groups.map(unchangedGroup),
            invited,
            ...(invitation?.documents ?? []),
          ],
          ...(invitation ? { timers: invitation.timers } : {}),
        },
        resource: { type: 'person', id },
        result: { ...person, ...defined({ invitation: invitation?.link }) },
      };
    },
    reload: async (id) => (await loadPerson(context, caller, id)).record,
  });

export const getPerson: Operation<'getPerson'> = async (context, caller, { personId }) =>
  shownPerson(caller, (await loadPerson(context, caller, personId)).record);

export const listPeople: Operation<'listPeople'> = async ({ store }, caller, { cursor, limit, ...filter }) => {
  const { items, next } = await examined(store, {
    ...{ orgId: caller.orgId, type: 'person', cursor, limit: pageLimit(limit) },
    isWanted: ({ record }) => isWanted(record, filter),
  });
  return page({ items: items.map(({ record }) => shownPerson(caller, record)), ...defined({ next }) });
};

function isWanted({ name, email = '', status, groups }: Person, wanted: PeopleFilter): boolean {
  const { search } = wanted;
  return (
    (wanted.status === undefined || status === wanted.status) &&
    (wanted.group === undefined || groups.includes(wanted.group)) &&
    (search === undefined || [name, email].some((text) => emailKey(text).includes(emailKey(search))))
  );
}

/** Deactivating somebody again finishes what an earlier call may have left. */
export const updatePerson: Operation<'updatePerson'> = async (context, caller, { personId, ...update }) => {
  const ending = { orgId: caller.orgId, by: actorOf(caller) };
  const person = await save<Person>(context, caller, async () => {
    const before = await loadPerson(context, caller, personId);
    const by = { isAdmin: isAdmin(caller), isSelf: caller.kind === 'person' && caller.person.id === personId };
    const now = context.clock.now();
    const { store } = context;
    const { orgId } = caller;
    const [groups, deputy, otherAdmin] = await Promise.all([
      findGroups(context, caller, by.isAdmin ? (update.groups ?? []) : []),
      update.deputy ? store.getDocument({ orgId, type: 'person', id: update.deputy.personId }) : undefined,
      by.isAdmin && takesAdmin(before.record, update) ? findOtherAdmin(context, caller, personId) : undefined,
    ]);
    if (groups.problems.length > 0) throw invalidInput(groups.problems);
    const facts = { by, otherAdmin: otherAdmin?.record, deputy: deputy?.record };
    const { person: record, event } = decidedOrThrow(decide(before.record, update, facts, now));
    if (!event) return { change: {}, result: record };
    // Sessions that an interrupted deactivation has left would be valid again.
    if (event.type === 'person.reactivated') await endAccess(context, ending, personId);
    if (record.email !== undefined && record.email !== before.record.email)
      await refuseTakenEmail(context, caller, record.email, personId);
    const subject = { type: 'person', id: personId, name: record.name };
    const isNewIn = ({ id }: { id: string }) => !before.record.groups.includes(id);
    const documents: DocumentChange[] = [
      personChange(before, record),
      ...groups.groups.filter(isNewIn).map(unchangedGroup),
      ...(otherAdmin ? [unchangedPerson(otherAdmin)] : []),
      ...(await deputyChanges(context, orgId, { before: before.record, after: record, now })),
      adminEvent(context, actorOf(caller), { ...event, subject, data: { ...event.data } }),
    ];
    const isEnding = event.type === 'person.deactivated';
    return {
      change: { documents, ...(isEnding ? { timers: [deactivationTimer(personId, now)] } : {}) },
      result: record,
    };
  });
  if (update.status === 'deactivated') await endAccess(context, ending, personId);
  return shownPerson(caller, person);
};
