/**
 * Decides who signs in with an identity provider: an earlier identity, then a verified email, then a sign-up. Sets the roles
 * and groups that the provider names.
 */
import {
  defined,
  isBlankText,
  jsonEqual,
  limits,
  type Person,
  type PersonRole,
  type SignInRefusal,
} from '@holdpoint/protocol';
import { timestamp } from '../state.ts';
import type { StoredProvider } from './identity-provider.ts';
import { isActiveAdmin, newPerson } from './person.ts';
import { isLocale, isTimeZone } from './update-person.ts';

/** An account at a provider, by which a person is found again. */
export interface StoredIdentity {
  personId: string;
  providerId: string;
  issuer: string;
  subject: string;
  /** The groups of the person that this account gave. Only these are taken away again. */
  groups: readonly string[];
}

/** The claims of a verified id token, with those of the userinfo endpoint. */
export interface VerifiedAccount {
  issuer: string;
  subject: string;
  claims: Readonly<Record<string, unknown>>;
}

/** The claims of a provider about a user, in our terms. */
export interface Account {
  issuer: string;
  subject: string;
  name: string;
  email?: string;
  isEmailVerified: boolean;
  locale?: string;
  timeZone?: string;
  /** Absent if the provider does not decide the roles. */
  roles?: PersonRole[];
  /** The groups by id, with their names. Absent if the provider does not decide the groups. */
  groups?: ReadonlyMap<string, string>;
}

export function readAccount(provider: StoredProvider, { issuer, subject, claims }: VerifiedAccount): Account {
  const email = emailIn(claims.email);
  return {
    ...{ issuer, subject, name: nameIn(claims) ?? email ?? subject },
    isEmailVerified: email !== undefined && (provider.trustEmail === true || isTrue(claims.email_verified)),
    ...defined({
      email,
      locale: localeIn(claims.locale),
      timeZone: timeZoneIn(claims.zoneinfo),
      roles: rolesIn(provider, claims),
      groups: groupsIn(provider, claims),
    }),
  };
}

/** Some providers write the boolean as text. */
const isTrue = (value: unknown): boolean => value === true || value === 'true';

const textIn = (value: unknown): string | undefined =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes
  typeof value === 'string' ? value.replaceAll(/[\x00-\x1f\x7f]+/g, ' ').trim() : undefined;

function emailIn(value: unknown): string | undefined {
  const email = typeof value === 'string' ? value.trim() : '';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: an email with control characters is no email
  return email.length <= limits.emailLength && /^[^\s@\x00-\x1f\x7f]+@[^\s@\x00-\x1f\x7f]+$/.test(email)
    ? email
    : undefined;
}

function nameIn(claims: VerifiedAccount['claims']): string | undefined {
  const parts = [textIn(claims.given_name), textIn(claims.family_name)].filter(Boolean).join(' ');
  const found = [textIn(claims.name), parts, textIn(claims.preferred_username), textIn(claims.nickname)].find(
    (name) => name !== undefined && !isBlankText(name),
  );
  return found === undefined ? undefined : [...found].slice(0, limits.nameLength).join('').trim();
}

function localeIn(value: unknown): string | undefined {
  const locale = typeof value === 'string' ? value.replaceAll('_', '-') : '';
  return locale.length >= 2 && locale.length <= 35 && isLocale(locale) ? locale : undefined;
}

const timeZoneIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length <= 64 && isTimeZone(value) ? value : undefined;

/** A user with more values than this has values that we do not need. */
const mostValues = 1_000;

/** The name of a claim may contain dots itself, as in https://example.com/roles. */
function valuesOf(claims: VerifiedAccount['claims'], name: string): string[] {
  const found = Object.hasOwn(claims, name) ? claims[name] : inside(claims, name.split('.'));
  return [found]
    .flat()
    .slice(0, mostValues)
    .filter((value) => typeof value === 'string');
}

function inside(value: unknown, [first, ...rest]: readonly string[]): unknown {
  if (first === undefined) return value;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, first)) return undefined;
  return inside((value as Record<string, unknown>)[first], rest);
}

const roleOrder: readonly PersonRole[] = ['admin', 'member', 'auditor'];

/** Providers leave out a claim without values, so a missing claim gives no role. */
function rolesIn({ roleClaim, roles = {} }: StoredProvider, claims: VerifiedAccount['claims']) {
  if (roleClaim === undefined) return undefined;
  const given = valuesOf(claims, roleClaim).flatMap((value) => (Object.hasOwn(roles, value) ? [roles[value]] : []));
  const found = roleOrder.filter((role) => given.includes(role));
  return found.length > 0 ? found : (['member'] satisfies PersonRole[]);
}

/** A value that is no id of a group, such as one with a space, needs a mapping. Changing it could join two groups into one. */
function groupsIn({ groupClaim, groups }: StoredProvider, claims: VerifiedAccount['claims']) {
  if (groupClaim === undefined) return undefined;
  const found = new Map<string, string>();
  for (const value of valuesOf(claims, groupClaim)) {
    const id = groups ? (Object.hasOwn(groups, value) ? groups[value] : undefined) : value.replace(/^\//, '');
    if (id !== undefined && isGroupId(id) && !found.has(id)) found.set(id, groups ? id : value.replace(/^\//, ''));
  }
  return found;
}

const isGroupId = (id: string): boolean =>
  id.length <= limits.groupIdLength && /^[A-Za-z0-9][A-Za-z0-9._:~@-]*$/.test(id);

type Refused = { ok: false; reason: SignInRefusal };

/**
 * Returns the person who signs in; undefined for somebody who signs up. `known` has this identity already, `sameEmail` has
 * this email.
 */
export function whoSignsIn(
  provider: StoredProvider,
  account: Account,
  { known, sameEmail }: { known?: Person | undefined; sameEmail?: Person | undefined },
): { ok: true; person?: Person } | Refused {
  if (known) return known.status === 'deactivated' ? refused('person-deactivated') : { ok: true, person: known };
  if (sameEmail) {
    // An email that the provider did not verify may be somebody else's.
    if (!account.isEmailVerified) return refused('email-not-verified');
    if (sameEmail.status === 'deactivated') return refused('person-deactivated');
    // The same email at the same provider, but another account: the email was given to a new user.
    if (sameEmail.identities.some(({ issuer }) => issuer === account.issuer)) return refused('account-taken');
    return { ok: true, person: sameEmail };
  }
  return maySignUp(provider, account);
}

const refused = (reason: SignInRefusal): Refused => ({ ok: false, reason });

function maySignUp(
  { signUp, allowedDomains = [] }: StoredProvider,
  { email, isEmailVerified }: Account,
): { ok: true } | Refused {
  if (signUp !== true) return refused('not-invited');
  if (allowedDomains.includes('*')) return { ok: true };
  if (email === undefined) return refused('email-missing');
  if (!isEmailVerified) return refused('email-not-verified');
  const domain = domainOf(email);
  return allowedDomains.some((allowed) => allowed.toLowerCase() === domain)
    ? { ok: true }
    : refused('domain-not-allowed');
}

const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase();

export interface SignInFacts {
  /** The person who signs in. Absent: somebody who signs up, with this id. */
  person?: Person | undefined;
  newId: string;
  /** The groups that this identity gave at the last sign-in. */
  givenBefore: readonly string[];
  /** The groups that the other identities of the person gave. */
  givenByOthers: readonly string[];
  /** The groups of the account that exist. */
  existing: readonly string[];
  /** Whether another person has the email of the account. */
  isEmailTaken: boolean;
  /** Needed only if `losesAdmin`. */
  hasOtherAdmin: boolean;
}

export interface SignedIn {
  person: Person;
  /** The groups to store with the identity. */
  given: string[];
  /** The groups to create, by id, with their names. */
  newGroups: ReadonlyMap<string, string>;
  /** Absent if only the time of the last visit changed. */
  event?: { type: 'person.joined' | 'person.updated'; data: Record<string, unknown> };
}

/** Reports whether the roles of the account take the role admin from an active admin. */
export const losesAdmin = (person: Person | undefined, { roles }: Account): boolean =>
  person !== undefined && isActiveAdmin(person) && roles !== undefined && !roles.includes('admin');

export function signedIn(provider: StoredProvider, account: Account, facts: SignInFacts, now: number): SignedIn {
  const at = timestamp(now);
  const { name, email, isEmailVerified, locale, timeZone } = account;
  const before =
    facts.person ??
    newPerson({ id: facts.newId, name, ...(email !== undefined && isEmailVerified ? { email } : {}) }, at);
  const { groups, given, newGroups } = joinedGroups(provider, account, before, facts);
  const isNewIdentity = !before.identities.some((one) => isSameAccount(one, account));
  const { issuer, subject } = account;
  const person: Person = {
    ...before,
    // Fills in what is missing. What people or admins entered stays.
    ...defined({
      email: before.email ?? (isEmailVerified && !facts.isEmailTaken ? email : undefined),
      locale: before.locale ?? locale,
      timeZone: before.timeZone ?? timeZone,
    }),
    ...{
      roles: newRoles(account, before, facts),
      groups,
      status: 'active',
      updatedAt: before.updatedAt,
      lastSeenAt: at,
    },
    ...(isNewIdentity ? { identities: [...before.identities, { issuer, subject, addedAt: at }] } : {}),
  };
  const event = eventOf({ before: facts.person, person, identity: isNewIdentity ? { issuer, subject } : undefined });
  return { person: event ? { ...person, updatedAt: at } : person, given, newGroups, ...defined({ event }) };
}

const isSameAccount = (one: { issuer: string; subject: string }, { issuer, subject }: Account): boolean =>
  one.issuer === issuer && one.subject === subject;

/** No claim takes the role from the last admin, because nobody could then manage the org. */
function newRoles(account: Account, before: Person, { hasOtherAdmin }: SignInFacts): PersonRole[] {
  const { roles } = account;
  if (roles === undefined) return before.roles;
  return losesAdmin(before, account) && !hasOtherAdmin ? ['admin', ...roles] : roles;
}

function joinedGroups(
  { createGroups }: StoredProvider,
  { groups: claimed }: Account,
  { groups: before }: Person,
  { givenBefore, givenByOthers, existing }: SignInFacts,
): { groups: string[]; given: string[]; newGroups: Map<string, string> } {
  if (!claimed) return { groups: before, given: givenBefore.filter((id) => before.includes(id)), newGroups: new Map() };
  const wanted = [...claimed.keys()].filter((id) => createGroups === true || existing.includes(id));
  const isKept = (id: string) => wanted.includes(id) || !givenBefore.includes(id) || givenByOthers.includes(id);
  const kept = before.filter(isKept);
  const added = wanted.filter((id) => !kept.includes(id)).slice(0, Math.max(0, limits.groupsOfPerson - kept.length));
  // A group that an admin gave stays the admin's, also if the provider names it too.
  const isGiven = (id: string) =>
    added.includes(id) || (kept.includes(id) && (givenBefore.includes(id) || givenByOthers.includes(id)));
  const newGroups = new Map(
    added.filter((id) => !existing.includes(id)).map((id) => [id, claimed.get(id) ?? id] as const),
  );
  return { groups: [...kept, ...added], given: wanted.filter(isGiven), newGroups };
}

const recorded = ['email', 'roles', 'groups', 'locale', 'timeZone'] as const;

interface Recorded {
  before: Person | undefined;
  person: Person;
  identity: { issuer: string; subject: string } | undefined;
}

function eventOf({ before, person, identity }: Recorded): SignedIn['event'] | undefined {
  const { email, roles, groups } = person;
  if (!before) return { type: 'person.joined', data: { ...defined({ email, identity }), roles, groups } };
  const changed = recorded.filter((name) => !jsonEqual(before[name], person[name]));
  if (changed.length === 0 && !identity) return undefined;
  const values = Object.fromEntries(changed.map((name) => [name, person[name]]));
  return { type: 'person.updated', data: { changed: values, ...defined({ identity }) } };
}
