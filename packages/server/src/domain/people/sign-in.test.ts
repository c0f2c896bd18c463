/** Finds the person of an account, and applies the roles and groups of its claims. */
import type { CreateIdentityProvider, Person, PersonRole } from '@holdpoint/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newPerson } from './person.ts';
import { type Account, losesAdmin, readAccount, type SignInFacts, signedIn, whoSignsIn } from './sign-in.ts';

const now = Date.parse('2030-01-31T12:00:00Z');
const at = '2030-01-31T12:00:00.000Z';
const issuer = 'https://id.acme.example';
const provider = (settings: Partial<CreateIdentityProvider> = {}): CreateIdentityProvider => ({
  ...{ id: 'acme', name: 'Acme', issuer, clientId: 'holdpoint', ...settings },
});
const account = (claims: Record<string, unknown> = {}, settings: Partial<CreateIdentityProvider> = {}): Account =>
  readAccount(provider(settings), { issuer, subject: 's-1', claims });
const person = (more: Partial<Person> = {}): Person => ({
  ...newPerson({ id: 'p-1', name: 'Ada Rossi' }, '2029-01-01T00:00:00.000Z'),
  ...more,
});
const facts = (more: Partial<SignInFacts> = {}): SignInFacts => ({
  ...{ newId: 'p-2', givenBefore: [], givenByOthers: [], existing: [], isEmailTaken: false, hasOtherAdmin: true },
  ...more,
});
const verified = { email: 'ada@acme.example', email_verified: true };

describe('the account', () => {
  test('[PE95] has the claims that can be read, and ignores the others', () => {
    const claims = { ...verified, name: ' Ada\u0000Rossi ', locale: 'de_CH', zoneinfo: 'Europe/Zurich' };
    expect(account(claims)).toEqual({
      ...{ issuer, subject: 's-1', name: 'Ada Rossi', email: 'ada@acme.example', isEmailVerified: true },
      ...{ locale: 'de-CH', timeZone: 'Europe/Zurich' },
    });
    const odd = { email: 'no email', email_verified: true, name: ['Ada'], locale: 'not a locale', zoneinfo: '+02:00' };
    expect(account(odd)).toEqual({ issuer, subject: 's-1', name: 's-1', isEmailVerified: false });
  });

  test('[PE95] takes the name from the first claim that people can see', () => {
    expect(account({ name: '\u200b', given_name: 'Ada', family_name: 'Rossi' }).name).toBe('Ada Rossi');
    expect(account({ name: ' ', preferred_username: 'ada' }).name).toBe('ada');
    expect(account({ nickname: 'ad' }).name).toBe('ad');
    expect(account({ email: 'ada@acme.example' }).name).toBe('ada@acme.example');
    expect(account({ name: 'x'.repeat(10_000) }).name.length).toBeLessThanOrEqual(1_000);
  });

  test('[PE92] has a verified email only if the provider says so, or is trusted', () => {
    const isVerified = (claims: object, settings = {}) => account({ ...claims }, settings).isEmailVerified;
    expect(isVerified(verified)).toBe(true);
    expect(isVerified({ ...verified, email_verified: 'true' })).toBe(true);
    for (const value of [false, 'false', 1, null, undefined, {}, 'TRUE'])
      expect(isVerified({ ...verified, email_verified: value })).toBe(false);
    expect(isVerified({ email: verified.email }, { trustEmail: true })).toBe(true);
    expect(isVerified({ email_verified: true }, { trustEmail: true })).toBe(false);
  });

  test('[PE93] has the roles of the mapped values, from a claim or from inside one', () => {
    const roles = { bosses: 'admin', auditors: 'auditor' } as const;
    const read = (claims: object, roleClaim = 'roles') => account({ ...claims }, { roleClaim, roles }).roles;
    expect(read({ roles: ['auditors', 'unknown', 'bosses', 'bosses'] })).toEqual(['admin', 'auditor']);
    expect(read({ roles: 'auditors' })).toEqual(['auditor']);
    expect(read({ realm: { roles: ['bosses'] } }, 'realm.roles')).toEqual(['admin']);
    expect(read({ 'https://a.example/roles': ['bosses'] }, 'https://a.example/roles')).toEqual(['admin']);
    for (const claims of [{}, { roles: [] }, { roles: null }, { roles: ['constructor', '__proto__', 7, {}] }])
      expect(read(claims)).toEqual(['member']);
    expect(read({ realm: 'x' }, 'realm.toString.name')).toEqual(['member']);
    expect(account({ roles: ['bosses'] }).roles).toBeUndefined();
  });

  test('[PE94] has the groups of the mapped values; without a mapping, those that are ids', () => {
    const read = (values: unknown, groups?: Record<string, string>) =>
      account({ groups: values }, { groupClaim: 'groups', ...(groups ? { groups } : {}) }).groups;
    expect(read(['/finance', 'legal', 'legal'])).toEqual(
      new Map([
        ['finance', 'finance'],
        ['legal', 'legal'],
      ]),
    );
    expect(read(['All people', '', '/', 'a/b', 'x'.repeat(200), 7])).toEqual(new Map());
    expect(read(['All people', 'legal'], { 'All people': 'everyone' })).toEqual(new Map([['everyone', 'everyone']]));
    expect(read(['constructor'], { a: 'b' })).toEqual(new Map());
    expect(account({ groups: ['legal'] }).groups).toBeUndefined();
  });
});

describe('who signs in', () => {
  const signUp = { signUp: true, allowedDomains: ['acme.example', 'Other.Example'] };
  const reason = (decided: ReturnType<typeof whoSignsIn>) => (decided.ok ? 'ok' : decided.reason);

  test('[PE92] the person with this identity, whatever the email says', () => {
    const known = person({ status: 'active', email: 'old@acme.example' });
    expect(whoSignsIn(provider(), account(), { known })).toEqual({ ok: true, person: known });
    expect(whoSignsIn(provider(), account(verified), { known, sameEmail: person({ id: 'p-9' }) })).toMatchObject({
      person: { id: 'p-1' },
    });
  });

  test('[PE92] else an invited or active person with the verified email', () => {
    for (const status of ['invited', 'active'] as const) {
      const sameEmail = person({ status });
      expect(whoSignsIn(provider(), account(verified), { sameEmail })).toEqual({ ok: true, person: sameEmail });
    }
    const unverified = account({ email: verified.email });
    expect(reason(whoSignsIn(provider(signUp), unverified, { sameEmail: person() }))).toBe('email-not-verified');
  });

  test('[PE92] never a person who signs in with another account of the same provider', () => {
    const sameEmail = person({ identities: [{ issuer, subject: 's-0', addedAt: at }] });
    expect(reason(whoSignsIn(provider(signUp), account(verified), { sameEmail }))).toBe('account-taken');
    const elsewhere = person({ identities: [{ issuer: 'https://other.example', subject: 's-0', addedAt: at }] });
    expect(reason(whoSignsIn(provider(), account(verified), { sameEmail: elsewhere }))).toBe('ok');
  });

  test('[PE92] never a deactivated person', () => {
    const gone = person({ status: 'deactivated' });
    expect(reason(whoSignsIn(provider(signUp), account(verified), { known: gone }))).toBe('person-deactivated');
    expect(reason(whoSignsIn(provider(signUp), account(verified), { sameEmail: gone }))).toBe('person-deactivated');
  });

  test('[PE92] else a new person, if the provider and the domain of the email allow it', () => {
    const of = (settings: Partial<CreateIdentityProvider>, claims: object) =>
      reason(whoSignsIn(provider(settings), account({ ...claims }), {}));
    expect(of({}, verified)).toBe('not-invited');
    expect(of({ signUp: false, allowedDomains: ['*'] }, verified)).toBe('not-invited');
    expect(of(signUp, verified)).toBe('ok');
    expect(of(signUp, { email: 'x@OTHER.example', email_verified: true })).toBe('ok');
    expect(of(signUp, { email: 'x@sub.acme.example', email_verified: true })).toBe('domain-not-allowed');
    expect(of(signUp, { email: 'x@acme.example.evil.example', email_verified: true })).toBe('domain-not-allowed');
    expect(of(signUp, { email: '"@acme.example"@evil.example', email_verified: true })).toBe('email-missing');
    expect(of(signUp, { email: verified.email })).toBe('email-not-verified');
    expect(of(signUp, {})).toBe('email-missing');
    expect(of({ signUp: true, allowedDomains: ['*'] }, {})).toBe('ok');
  });
});

describe('what the sign-in changes', () => {
  test('[PE92] creates a member with the identity, and keeps no email that is not verified', () => {
    const { person: made, event } = signedIn(provider(), account({ ...verified, name: 'Ada' }), facts(), now);
    expect(made).toMatchObject({
      ...{ id: 'p-2', name: 'Ada', email: 'ada@acme.example', status: 'active', roles: ['member'], groups: [] },
      identities: [{ issuer, subject: 's-1', addedAt: at }],
      lastSeenAt: at,
    });
    expect(event).toMatchObject({ type: 'person.joined', data: { email: 'ada@acme.example' } });
    const unverified = account({ email: 'ada@acme.example' });
    expect(signedIn(provider(), unverified, facts(), now).person).not.toHaveProperty('email');
  });

  test('[PE95] fills in what is missing, and keeps what people and admins entered', () => {
    const entered = person({
      name: 'Ada R.',
      locale: 'fr',
      status: 'active',
      identities: [{ issuer, subject: 's-1', addedAt: at }],
    });
    const claims = { ...verified, name: 'Another', locale: 'de', zoneinfo: 'Europe/Rome' };
    const { person: after, event } = signedIn(provider(), account(claims), facts({ person: entered }), now);
    expect(after).toMatchObject({ name: 'Ada R.', locale: 'fr', timeZone: 'Europe/Rome', email: 'ada@acme.example' });
    expect(event).toEqual({
      type: 'person.updated',
      data: { changed: { email: 'ada@acme.example', timeZone: 'Europe/Rome' } },
    });
    const again = signedIn(provider(), account(claims), facts({ person: after }), now + 1_000);
    expect(again).not.toHaveProperty('event');
    expect(again.person).toEqual({ ...after, lastSeenAt: '2030-01-31T12:00:01.000Z' });
    const taken = signedIn(provider(), account(claims), facts({ person: entered, isEmailTaken: true }), now);
    expect(taken.person).not.toHaveProperty('email');
  });

  test('[PE93] gives and takes roles, but never the role of the last admin', () => {
    const settings = { roleClaim: 'roles', roles: { boss: 'admin', look: 'auditor' } } as const;
    const sign = (claims: object, hasOtherAdmin: boolean, roles: PersonRole[]) =>
      signedIn(
        provider(settings),
        account({ ...claims }, settings),
        facts({ person: person({ status: 'active', roles }), hasOtherAdmin }),
        now,
      ).person.roles;
    expect(sign({ roles: ['boss'] }, false, ['member'])).toEqual(['admin']);
    expect(sign({ roles: ['look'] }, true, ['admin', 'member'])).toEqual(['auditor']);
    expect(sign({}, true, ['admin'])).toEqual(['member']);
    expect(sign({ roles: ['look'] }, false, ['admin'])).toEqual(['admin', 'auditor']);
    const untouched = signedIn(
      provider(),
      account({ roles: ['look'] }),
      facts({ person: person({ roles: ['admin'] }) }),
      now,
    );
    expect(untouched.person.roles).toEqual(['admin']);
  });

  test('[PE94] adds groups that exist, and creates the others only if it may', () => {
    const settings = { groupClaim: 'groups' };
    const given = account({ groups: ['finance', 'legal'] }, settings);
    const some = signedIn(provider(settings), given, facts({ existing: ['legal'] }), now);
    expect(some).toMatchObject({ given: ['legal'], person: { groups: ['legal'] } });
    expect([...some.newGroups]).toEqual([]);
    const all = signedIn(provider({ ...settings, createGroups: true }), given, facts({ existing: ['legal'] }), now);
    expect(all.person.groups).toEqual(['finance', 'legal']);
    expect([...all.newGroups]).toEqual([['finance', 'finance']]);
  });

  test('[PE94] takes away only groups that this account gave and no other account gives', () => {
    const settings = { groupClaim: 'groups' };
    const before = person({ groups: ['by-hand', 'given', 'shared'] });
    const left = signedIn(
      provider(settings),
      account({}, settings),
      facts({ person: before, givenBefore: ['given', 'shared'], givenByOthers: ['shared'] }),
      now,
    );
    expect(left).toMatchObject({ given: [], person: { groups: ['by-hand', 'shared'] } });
    // Named by the provider too, but an admin gave it.
    const named = signedIn(
      provider(settings),
      account({ groups: ['by-hand'] }, settings),
      facts({ person: before, existing: ['by-hand'] }),
      now,
    );
    expect(named.given).toEqual([]);
    // Without a claim the provider says nothing about groups.
    const silent = signedIn(provider(), account({}), facts({ person: before, givenBefore: ['given'] }), now);
    expect(silent).toMatchObject({ given: ['given'], person: { groups: ['by-hand', 'given', 'shared'] } });
  });
});

describe('for any sequence of sign-ins and changes by admins', () => {
  const names = ['a', 'b', 'c', 'd'];
  const step = fc.oneof(
    fc.record({
      kind: fc.constant('sign-in' as const),
      by: fc.nat(1),
      groups: fc.subarray(names),
      roles: fc.subarray(['boss', 'look', 'x']),
      hasOtherAdmin: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('admin' as const), add: fc.subarray(names), remove: fc.subarray(names) }),
  );
  const settings = { groupClaim: 'groups', roleClaim: 'roles', roles: { boss: 'admin', look: 'auditor' } } as const;

  test('[PE93][PE94] groups by hand stay, groups of accounts follow them, and the last admin stays one', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), fc.boolean(), (steps, isAdmin) => {
        let current = person({ status: 'active', roles: isAdmin ? ['admin'] : ['member'] });
        const given: string[][] = [[], []];
        let byHand = new Set<string>();
        for (const one of steps) {
          if (one.kind === 'admin') {
            const kept = current.groups.filter((id) => !one.remove.includes(id));
            const added = one.add.filter((id) => !kept.includes(id));
            const owned = given.flat();
            current = { ...current, groups: [...kept, ...added] };
            byHand = new Set([
              ...[...byHand].filter((id) => kept.includes(id)),
              ...added.filter((id) => !owned.includes(id)),
            ]);
            continue;
          }
          const before = current;
          const { by, groups, roles, hasOtherAdmin } = one;
          const claimed = readAccount(provider(settings), { issuer, subject: `s-${by}`, claims: { groups, roles } });
          const result = signedIn(
            provider(settings),
            claimed,
            facts({
              ...{ person: before, existing: names, hasOtherAdmin },
              ...{ givenBefore: given[by] ?? [], givenByOthers: given[1 - by] ?? [] },
            }),
            now,
          );
          current = result.person;
          given[by] = result.given;
          expect(current.groups).toHaveLength(new Set(current.groups).size);
          expect(groups.filter((id) => !current.groups.includes(id))).toEqual([]);
          expect([...byHand].filter((id) => !current.groups.includes(id))).toEqual([]);
          expect(result.given.filter((id) => byHand.has(id) || !groups.includes(id))).toEqual([]);
          if (before.roles.includes('admin') && !hasOtherAdmin) expect(current.roles).toContain('admin');
          expect(losesAdmin(before, claimed)).toBe(before.roles.includes('admin') && !roles.includes('boss'));
          expect(current.identities.filter(({ subject }) => subject === `s-${by}`)).toHaveLength(1);
        }
      }),
    );
  });

  test('[PE95] no claim makes the rules fail, or a person that the protocol does not allow', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom('name', 'email', 'email_verified', 'groups', 'roles', 'locale', 'zoneinfo', 'given_name'),
          fc.jsonValue(),
        ),
        (claims) => {
          const claimed = readAccount(provider({ ...settings, createGroups: true }), {
            issuer,
            subject: 's-1',
            claims,
          });
          expect(claimed.name.trim()).not.toBe('');
          const { person: made } = signedIn(provider(settings), claimed, facts(), now);
          expect(made.roles.length).toBeGreaterThan(0);
          expect(made.groups.length).toBeLessThanOrEqual(100);
        },
      ),
    );
  });
});
