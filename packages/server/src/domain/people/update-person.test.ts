import { checkShape, type Person, PersonSchema, type UpdatePerson } from '@holdpoint/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { timestamp } from '../state.ts';
import { isActiveAdmin, newPerson } from './person.ts';
import { takesAdmin, type UpdateFacts, updatePerson } from './update-person.ts';

const now = Date.parse('2030-01-01T12:00:00Z');
const day = 86_400_000;
const at = timestamp(now);
const person = (given: Partial<Person> = {}): Person => ({
  ...newPerson({ id: 'ann', name: 'Ann' }, at),
  ...{ status: 'active', lastSeenAt: at, ...given },
});
const byAdmin = { isAdmin: true, isSelf: false };
const update = (before: Person, change: UpdatePerson, facts: Partial<UpdateFacts> = {}) =>
  updatePerson(before, change, { by: byAdmin, ...facts }, now);
const problemsOf = (change: UpdatePerson, facts?: Partial<UpdateFacts>) => {
  const updated = update(person(), change, facts);
  return updated.ok ? [] : (updated.fault.problems ?? []).map(({ pointer, code }) => `${pointer} ${code}`);
};
const deputy = (from: number, until: number, personId = 'ben') => ({
  deputy: { personId, from: timestamp(from), until: timestamp(until) },
});
const ben = { deputy: person({ id: 'ben' }) };

describe('values', () => {
  test.each(['Europe/Rome', 'UTC', 'America/Argentina/Buenos_Aires', 'Asia/Kolkata'])(
    '[PE27] %s is a time zone',
    (timeZone) => {
      expect(problemsOf({ timeZone })).toEqual([]);
    },
  );

  test.each(['Mars/Olympus', '+01:00', '-0500', 'Europe/', ' ', '__proto__'])('[PE27] %s is none', (timeZone) => {
    expect(problemsOf({ timeZone })).toEqual(['/timeZone time-zone']);
  });

  test.each(['de', 'de-CH', 'zh-Hant-TW', 'sr-Latn'])('[PE27] %s is a locale', (locale) => {
    expect(problemsOf({ locale })).toEqual([]);
  });

  test.each(['d', 'de--CH', 'a-very-long-wrong', '1234'])('[PE27] %s is none', (locale) => {
    expect(problemsOf({ locale })).toEqual(['/locale locale']);
  });

  test.each<[string, UpdatePerson, Partial<UpdateFacts>, string[]]>([
    ['a day', deputy(now, now + day), ben, []],
    ['that has begun', deputy(now - day, now + 1), ben, []],
    ['of 366 days', deputy(now, now + 366 * day), ben, []],
    ['longer than that', deputy(now, now + 366 * day + 1), ben, ['/deputy/until max']],
    ['that is over', deputy(now - day, now), ben, ['/deputy/until past']],
    ['of no time', deputy(now + day, now + day), ben, ['/deputy/until min']],
    ['backwards', deputy(now + day, now), ben, ['/deputy/until min']],
    ['for oneself', deputy(now, now + day, 'ann'), { deputy: person() }, ['/deputy/personId not-allowed']],
    ['for nobody', deputy(now, now + day), {}, ['/deputy/personId unknown']],
    [
      'invited',
      deputy(now, now + day),
      { deputy: person({ id: 'ben', status: 'invited' }) },
      ['/deputy/personId unknown'],
    ],
    [
      'gone',
      deputy(now, now + day),
      { deputy: person({ id: 'ben', status: 'deactivated' }) },
      ['/deputy/personId unknown'],
    ],
  ])('[PE27] a deputy %s', (_, change, facts, problems) => {
    expect(problemsOf(change, facts)).toEqual(problems);
  });

  test('[PE27] every problem is reported at once', () => {
    const change = { name: '\u200b', locale: 'x', timeZone: 'x', deputy: { personId: 'ann', from: 'a', until: 'b' } };
    expect(problemsOf(change)).toEqual([
      ...['/name required', '/locale locale', '/timeZone time-zone'],
      ...['/deputy/personId not-allowed', '/deputy/from datetime', '/deputy/until datetime'],
    ]);
  });
});

describe('events', () => {
  test('[PE40] an update has the new value of each property that changed, and null for one that was removed', () => {
    const before = person({ locale: 'de', timeZone: 'UTC', email: 'a@b.example' });
    const updated = update(before, { name: ' Bo ', locale: null, timeZone: 'UTC', email: 'a@b.example' });
    expect(updated).toMatchObject({
      person: { name: 'Bo', timeZone: 'UTC' },
      event: { type: 'person.updated', data: { changed: { name: 'Bo', locale: null } } },
    });
  });

  test('[PE29] nothing changes without a new value', () => {
    const before = person();
    for (const change of [{}, { name: 'Ann' }, { status: 'active' as const }, { locale: null }, { groups: [] }])
      expect(update(before, change)).toEqual({ ok: true, person: before });
  });

  test('[PE29] a person who never signed in is invited again', () => {
    const { lastSeenAt: _, ...never } = person({ status: 'deactivated' });
    expect(update(never, { status: 'active' })).toMatchObject({
      person: { status: 'invited' },
      event: { type: 'person.reactivated' },
    });
    expect(
      update({ ...never, identities: [{ issuer: 'i', subject: 's', addedAt: at }] }, { status: 'active' }),
    ).toMatchObject({
      person: { status: 'active' },
    });
  });
});

const roles = fc.uniqueArray(fc.constantFrom('admin' as const, 'member' as const, 'auditor' as const), {
  minLength: 1,
});
const who = fc.nat({ max: 4 });
const change: fc.Arbitrary<UpdatePerson> = fc.record(
  {
    roles,
    status: fc.constantFrom('active' as const, 'deactivated' as const),
    name: fc.constantFrom('A', ' B ', '\u200b'),
    email: fc.constantFrom('a@b.example', null),
    groups: fc.constantFrom([], ['ops']),
    locale: fc.constantFrom('de', 'wrong-', null),
  },
  { requiredKeys: [] },
);
type Step =
  | { type: 'invite'; roles: Person['roles'] }
  | { type: 'enter'; who: number }
  | { type: 'update'; who: number; by: number | 'key'; change: UpdatePerson }
  | { type: 'join' | 'leave'; who: number };
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ type: fc.constant('invite' as const), roles }),
  fc.record({ type: fc.constant('enter' as const), who }),
  fc.record({
    type: fc.constant('update' as const),
    who,
    by: fc.oneof(who, fc.constant('key' as const)),
    change,
  }),
  fc.record({ type: fc.constantFrom('join' as const, 'leave' as const), who }),
);

/** Runs one step as the operations do, without a store. */
function take(people: Person[], each: Step, n: number): void {
  if (each.type === 'invite') {
    people.push(newPerson({ id: `p${n}`, name: `Person ${n}`, roles: each.roles }, at));
    return;
  }
  const before = people[each.who];
  if (!before) return;
  const replace = (after: Person) => people.splice(each.who, 1, after);
  if (each.type === 'enter') {
    if (before.status !== 'deactivated') replace({ ...before, status: 'active', lastSeenAt: at });
    return;
  }
  if (each.type !== 'update') {
    replace({ ...before, groups: each.type === 'join' ? ['ops'] : [] });
    return;
  }
  const caller = each.by === 'key' ? undefined : people[each.by];
  if (each.by !== 'key' && caller?.status !== 'active') return;
  const by = { isAdmin: !caller || isActiveAdmin(caller), isSelf: caller?.id === before.id };
  const otherAdmin = people.find((other) => other.id !== before.id && isActiveAdmin(other));
  const updated = updatePerson(before, each.change, { by, otherAdmin }, now);
  if (!updated.ok) {
    expect(['forbidden', 'invalid-input', 'last-admin']).toContain(updated.fault.code);
    return;
  }
  if (!by.isAdmin)
    for (const name of ['roles', 'status', 'email', 'groups'] as const)
      expect(updated.person[name]).toEqual(before[name]);
  if (isActiveAdmin(before)) expect(takesAdmin(before, each.change)).toBe(!isActiveAdmin(updated.person));
  replace(updated.person);
}

test('[PE28] after any sequence of changes an org that had an active admin has one, and every person is valid', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 5, maxLength: 40 }), (steps) => {
      const people: Person[] = [];
      let hadAdmin = false;
      for (const [n, each] of steps.entries()) {
        take(people, each, n);
        const hasAdmin = people.some(isActiveAdmin);
        if (hadAdmin) expect(hasAdmin).toBe(true);
        hadAdmin ||= hasAdmin;
        for (const one of people) expect(checkShape(PersonSchema, one)).toEqual([]);
      }
    }),
    { numRuns: 500 },
  );
});
