/** Changes a person: who may change what, which values are valid, and that the org keeps an admin. */
import {
  defined,
  type Fault,
  isTimestamp,
  jsonEqual,
  limits,
  mustBeSeen,
  type Person,
  type Problem,
  sentenceOf,
  type UpdatePerson,
} from '@holdpoint/protocol';
import { timestamp } from '../state.ts';
import { hasSignedIn, isActiveAdmin } from './person.ts';

export interface UpdateFacts {
  by: { isAdmin: boolean; isSelf: boolean };
  /** Another active admin of the org, if there is one. Needed only if `takesAdmin`. */
  otherAdmin?: Person | undefined;
  /** The person that the update names as deputy, if there is one. */
  deputy?: Person | undefined;
}

interface Updated {
  ok: true;
  person: Person;
  /** Absent if nothing changed. */
  event?: { type: 'person.updated' | 'person.deactivated' | 'person.reactivated'; data: { changed: object } };
}

/** The properties that people change themselves. */
const own: readonly (keyof UpdatePerson)[] = ['name', 'locale', 'timeZone', 'deputy'];
const changeable = [...own, 'email', 'roles', 'groups', 'status'] as const;

export function updatePerson(
  before: Person,
  update: UpdatePerson,
  { by, otherAdmin, deputy }: UpdateFacts,
  now: number,
): Updated | { ok: false; fault: Fault } {
  const fault = mayUpdate(update, by) ?? invalid(checkPerson(before, update, { deputy, now }));
  if (fault) return { ok: false, fault };
  const changedValues = applied(before, update);
  const isSame = changeable.every((name) => jsonEqual(before[name], changedValues[name]));
  if (isSame) return { ok: true, person: before };
  if (takesAdmin(before, update) && !otherAdmin) return { ok: false, fault: lastAdmin(before) };
  const person = { ...changedValues, updatedAt: timestamp(now) };
  return { ok: true, person, event: { type: eventType(before, person), data: { changed: changes(before, person) } } };
}

/** Reports whether the person would no longer be an active admin. */
export const takesAdmin = (before: Person, { status, roles = before.roles }: UpdatePerson): boolean =>
  isActiveAdmin(before) && (status === 'deactivated' || !roles.includes('admin'));

const lastAdmin = ({ id, name }: Person): Fault => ({
  code: 'last-admin',
  detail: `${name} is the only active admin. Make another person an admin first.`,
  current: { id },
});

function mayUpdate(update: UpdatePerson, { isAdmin, isSelf }: UpdateFacts['by']): Fault | undefined {
  if (isAdmin) return undefined;
  if (!isSelf) return { code: 'forbidden', detail: 'Only an admin may change another person.' };
  const refused = changeable.filter((name) => update[name] !== undefined && !own.includes(name));
  if (refused.length === 0) return undefined;
  const problems = refused.map((name) => ({
    ...{ pointer: `/${name}`, code: 'admin-only', message: `Only an admin may change ${name}.` },
  }));
  return { code: 'forbidden', detail: sentenceOf(problems), problems };
}

const invalid = (problems: readonly Problem[]): Fault | undefined =>
  problems.length === 0 ? undefined : { code: 'invalid-input', detail: sentenceOf(problems), problems };

function checkPerson(
  before: Person,
  { name, locale, timeZone, deputy }: UpdatePerson,
  facts: { deputy: Person | undefined; now: number },
): Problem[] {
  return [
    ...checkName(name),
    ...(locale && !isLocale(locale)
      ? [{ pointer: '/locale', code: 'locale', message: 'Write the locale as a BCP 47 tag, such as de-CH.' }]
      : []),
    ...(timeZone && !isTimeZone(timeZone)
      ? [
          {
            pointer: '/timeZone',
            code: 'time-zone',
            message: 'Write the time zone as an IANA name, such as Europe/Rome.',
          },
        ]
      : []),
    ...(deputy ? checkDeputy(before, deputy, facts) : []),
  ];
}

export const checkName = (name: string | undefined): Problem[] =>
  mustBeSeen(name, '/name', 'Give a name that people can see.');

function checkDeputy(
  { id }: Person,
  { personId, from, until }: NonNullable<Person['deputy']>,
  { deputy, now }: { deputy: Person | undefined; now: number },
): Problem[] {
  const at = (name: string, code: string, message: string) => [{ pointer: `/deputy/${name}`, code, message }];
  const badTimes = Object.entries({ from, until }).filter(([, time]) => !isTimestamp(time));
  const person =
    personId === id
      ? at('personId', 'not-allowed', 'A person cannot be their own deputy.')
      : deputy?.status === 'active'
        ? []
        : at('personId', 'unknown', 'The deputy must be an active person.');
  if (badTimes.length > 0)
    return [
      ...person,
      ...badTimes.flatMap(([name]) => at(name, 'datetime', 'Write the time as 2030-01-31T12:00:00Z.')),
    ];
  const [start, end] = [Date.parse(from), Date.parse(until)];
  if (start >= end) return [...person, ...at('until', 'min', 'The period must end after it begins.')];
  if (end <= now) return [...person, ...at('until', 'past', 'The period must end in the future.')];
  if (end - start > limits.deputyMs) return [...person, ...at('until', 'max', 'The period must be at most a year.')];
  return person;
}

export function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

/** Some versions of Node also accept offsets, which are no zones: they have no daylight saving time. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

function applied(before: Person, update: UpdatePerson): Person {
  const { name, roles, groups, status } = update;
  const kept = Object.entries(before).filter(([property]) => update[property as keyof UpdatePerson] !== null);
  const { email, locale, timeZone, deputy } = update;
  const set = Object.entries({ email, locale, timeZone }).filter(([, value]) => typeof value === 'string');
  return {
    ...(Object.fromEntries([...kept, ...set]) as Person),
    ...defined({ name: name?.trim(), roles, groups }),
    ...(deputy ? { deputy: inUtc(deputy) } : {}),
    ...(status ? { status: newStatus(before, status) } : {}),
  };
}

const inUtc = ({ personId, from, until }: NonNullable<Person['deputy']>) => ({
  ...{ personId, from: timestamp(Date.parse(from)), until: timestamp(Date.parse(until)) },
});

/** A person who never signed in is invited again, so that only people who came count as active. */
function newStatus(before: Person, status: 'active' | 'deactivated'): Person['status'] {
  if (status === 'deactivated') return status;
  if (before.status !== 'deactivated') return before.status;
  return hasSignedIn(before) ? 'active' : 'invited';
}

function eventType(before: Person, after: Person) {
  if (before.status === after.status) return 'person.updated';
  return after.status === 'deactivated' ? 'person.deactivated' : 'person.reactivated';
}

/** Returns the new values of the properties that changed. Null: it was removed. */
const changes = (before: Person, after: Person): object =>
  Object.fromEntries(
    changeable.filter((name) => !jsonEqual(before[name], after[name])).map((name) => [name, after[name] ?? null]),
  );
