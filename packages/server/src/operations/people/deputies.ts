/** The absent people of each deputy: a document under the id of the deputy, kept with the `deputy` of each person. */
import { fail, jsonEqual, limits, type Person } from '@holdpoint/protocol';
import type { PersonCaller } from '../../domain/caller.ts';
import type { Absent } from '../../domain/command.ts';
import { assigneesOf, type StandIn } from '../../domain/people/person.ts';
import type { Document, DocumentChange } from '../../stores/documents.ts';
import type { Context } from '../context.ts';

type Tools = Pick<Context, 'store'>;

/**
 * Returns the documents to save with a person whose deputy changes. Fails if the new deputy already stands in for too many
 * people, because every answer of a deputy looks at all of them.
 */
export async function deputyChanges(
  context: Tools,
  orgId: string,
  { before, after, now }: { before: Person; after: Person; now: number },
): Promise<DocumentChange<'deputy-of'>[]> {
  if (jsonEqual(before.deputy, after.deputy)) return [];
  const { id: personId } = after;
  const deputies = new Set([before.deputy?.personId, after.deputy?.personId].filter((id) => id !== undefined));
  return Promise.all(
    [...deputies].map(async (id): Promise<DocumentChange<'deputy-of'>> => {
      const stored = await getStandIns(context, orgId, id);
      const others = current(stored, now).filter((each) => each.personId !== personId);
      const isNew = after.deputy?.personId === id;
      if (isNew && others.length >= limits.absentPeople) refuseMore();
      const people = isNew ? [...others, { personId, until: after.deputy?.until ?? '' }] : others;
      const record = people.length === 0 ? null : { people };
      return { type: 'deputy-of', id, record, expected: stored?.revision ?? null };
    }),
  );
}

function refuseMore(): never {
  const message = `The deputy already stands in for ${limits.absentPeople} people. Choose another person.`;
  return fail('invalid-input', message, { problems: [{ pointer: '/deputy/personId', code: 'max', message }] });
}

/** Returns the people who have this deputy now. Their own records decide. */
export async function absentPeopleOf(
  context: Tools,
  orgId: string,
  { deputyId, now }: { deputyId: string; now: number },
): Promise<Absent[]> {
  const people = current(await getStandIns(context, orgId, deputyId), now);
  const found = await Promise.all(
    people.map(({ personId: id }) => context.store.getDocument({ orgId, type: 'person', id })),
  );
  return found.flatMap((document) =>
    document && isStandIn(document.record, deputyId, now)
      ? [{ personId: document.id, names: assigneesOf(document.record), email: document.record.email }]
      : [],
  );
}

/** Returns the assignees that include the absent people of a deputy. */
export async function namesOfAbsent(
  context: Pick<Context, 'store' | 'clock'>,
  { orgId, person }: PersonCaller,
): Promise<string[]> {
  const absent = await absentPeopleOf(context, orgId, { deputyId: person.id, now: context.clock.now() });
  return absent.flatMap(({ names }) => names);
}

const getStandIns = ({ store }: Tools, orgId: string, id: string): Promise<Document<'deputy-of'> | undefined> =>
  store.getDocument({ orgId, type: 'deputy-of', id });

const current = (stored: Document<'deputy-of'> | undefined, now: number): StandIn[] =>
  (stored?.record.people ?? []).filter(({ until }) => Date.parse(until) > now);

const isStandIn = ({ status, deputy }: Person, deputyId: string, now: number): boolean =>
  status !== 'deactivated' &&
  deputy?.personId === deputyId &&
  Date.parse(deputy.from) <= now &&
  now < Date.parse(deputy.until);
