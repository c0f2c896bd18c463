/** Signs people in with an account at an identity provider, and records the attempts that failed. */
import { type Actor, defined } from '@holdpoint/protocol';
import type { StoredProvider } from '../../domain/people/identity-provider.ts';
import { deviceOf, type SessionProvider, sessionMs } from '../../domain/people/session.ts';
import { type Account, losesAdmin, readAccount, signedIn, whoSignsIn } from '../../domain/people/sign-in.ts';
import { timestamp } from '../../domain/state.ts';
import type { Document, DocumentChange } from '../../stores/documents.ts';
import type { Context, OwnedProvider, VerifiedSignIn } from '../context.ts';
import type { OrgChange } from '../perform.ts';
import { conflict, retryOnConflict } from '../retry-on-conflict.ts';
import { expiryTimer } from './access-expiry.ts';
import { adminEvent } from './admin-log.ts';
import { findByEmail, findOtherAdmin, personChange, unchangedGroup, unchangedPerson } from './person-documents.ts';
import { hashOfSecret } from './session-tokens.ts';
import { newSession } from './sessions.ts';
import { SignInRefused } from './sign-in-refused.ts';

/** Longer than a state or a logout token is valid. */
const onceMs = 3_600_000;
/** The token is part of an address, and servers refuse long ones. */
const longestIdToken = 4_096;

const hashOf = (parts: readonly string[]): string => hashOfSecret(JSON.stringify(parts));

export const identityId = (issuer: string, subject: string): string => hashOf([issuer, subject]);

/** The documents of one session of the user at a provider begin with this. */
export const providerSessionPrefix = (issuer: string, sessionId: string): string => `${hashOf([issuer, sessionId])} `;

/** Returns false if this was used before, on any node. */
export async function useOnce(
  { store, clock }: Pick<Context, 'store' | 'clock'>,
  orgId: string,
  name: readonly string[],
): Promise<boolean> {
  const id = hashOf(name);
  const now = clock.now();
  const committed = await store.commit({
    orgId,
    documents: [{ type: 'used-once', id, record: { at: timestamp(now) }, expected: null }],
    timers: [expiryTimer('used-once', id, now + onceMs)],
  });
  return committed.ok;
}

export const wasUsed = async (
  { store }: Pick<Context, 'store'>,
  orgId: string,
  name: readonly string[],
): Promise<boolean> => (await store.getDocument({ orgId, type: 'used-once', id: hashOf(name) })) !== undefined;

interface Attempted {
  verified: VerifiedSignIn;
  userAgent: string | undefined;
}

/** Saves the person, the identity, the groups and the session in one change. Throws `SignInRefused`. */
export function signInByProvider(
  context: Context,
  provider: OwnedProvider,
  { verified, userAgent }: Attempted,
): Promise<{ token: string }> {
  const { store, clock } = context;
  const { orgId, settings } = provider;
  const account = readAccount(settings, verified);
  return retryOnConflict(async () => {
    const found = await findPerson(context, provider, account);
    const { identity, groups, otherAdmin, ...facts } = await loadFacts(context, provider, account, found);
    const now = clock.now();
    const { person, given, newGroups, event } = signedIn(settings, account, facts, now);
    const { id: personId, name } = person;
    const device = deviceOf(userAgent);
    const session = newSession(context, {
      orgId,
      person,
      via: 'oidc',
      device,
      provider: sessionOf(settings, verified),
    });
    const link = providerSession(verified, { personId, sessionId: session.sessionId }, now);
    const by = providerActor(settings);
    const { issuer, subject } = account;
    const record = { personId, providerId: settings.id, issuer, subject, groups: given };
    const isNewIn = ({ id }: { id: string }) => person.groups.includes(id) && !found?.record.groups.includes(id);
    const committed = await store.commit({
      orgId,
      documents: [
        personChange(found ?? null, person),
        { type: 'identity', id: identityId(issuer, subject), record, expected: identity?.revision ?? null },
        ...groups.filter(isNewIn).map(unchangedGroup),
        ...createdGroups(context, { newGroups, by, now }),
        ...(otherAdmin ? [unchangedPerson(otherAdmin)] : []),
        ...(event ? [adminEvent(context, by, { ...event, subject: { type: 'person', id: personId, name } })] : []),
        ...session.change.documents,
        ...link.documents,
      ],
      timers: [...session.change.timers, ...link.timers],
    });
    return committed.ok ? { token: session.token } : conflict;
  });
}

/** The provider changes roles and groups by its claims, so it is the actor, and not the person. */
export const providerActor = ({ id, name }: StoredProvider): Actor => ({
  ...{ type: 'system', id: `provider:${id}`, via: 'oidc', name },
});

const sessionOf = ({ id }: StoredProvider, { idToken, providerSessionId }: VerifiedSignIn): SessionProvider => ({
  id,
  ...defined({
    idToken: idToken.length <= longestIdToken ? idToken : undefined,
    sessionId: providerSessionId,
  }),
});

function providerSession(
  { issuer, providerSessionId }: VerifiedSignIn,
  record: { personId: string; sessionId: string },
  now: number,
): Required<Pick<OrgChange, 'documents' | 'timers'>> {
  if (providerSessionId === undefined) return { documents: [], timers: [] };
  const id = providerSessionPrefix(issuer, providerSessionId) + record.sessionId;
  return {
    documents: [{ type: 'provider-session', id, record, expected: null }],
    timers: [expiryTimer('provider-session', id, now + sessionMs)],
  };
}

function createdGroups(
  context: Context,
  { newGroups, by, now }: { newGroups: ReadonlyMap<string, string>; by: Actor; now: number },
): DocumentChange[] {
  return [...newGroups].flatMap(([id, name]): DocumentChange[] => {
    const record = { id, name, createdAt: timestamp(now) };
    const subject = { type: 'group', id, name };
    return [{ type: 'group', id, record, expected: null }, adminEvent(context, by, { type: 'group.created', subject })];
  });
}

/** Returns the person who signs in, or undefined for somebody who signs up. */
async function findPerson(
  context: Context,
  { orgId, settings }: OwnedProvider,
  account: Account,
): Promise<Document<'person'> | undefined> {
  const { store } = context;
  const { issuer, subject, email } = account;
  const identity = await store.getDocument({ orgId, type: 'identity', id: identityId(issuer, subject) });
  const known = identity && (await store.getDocument({ orgId, type: 'person', id: identity.record.personId }));
  const sameEmail = known || email === undefined ? undefined : await findByEmail(context, orgId, email);
  const decided = whoSignsIn(settings, account, { known: known?.record, sameEmail: sameEmail?.record });
  if (!decided.ok) throw new SignInRefused(decided.reason);
  return known ?? sameEmail;
}

async function loadFacts(
  context: Context,
  { orgId }: OwnedProvider,
  account: Account,
  person: Document<'person'> | undefined,
) {
  const { store, newId } = context;
  const { issuer, subject, email } = account;
  const own = identityId(issuer, subject);
  const others = (person?.record.identities ?? []).map((one) => identityId(one.issuer, one.subject));
  const load = (id: string) => store.getDocument({ orgId, type: 'identity', id });
  const wanted = [...(account.groups ?? new Map<string, string>()).keys()];
  const [identity, otherIdentities, groups, sameEmail, otherAdmin] = await Promise.all([
    load(own),
    Promise.all(others.filter((id) => id !== own).map(load)),
    Promise.all(wanted.map((id) => store.getDocument({ orgId, type: 'group', id }))),
    email === undefined ? undefined : findByEmail(context, orgId, email),
    person && losesAdmin(person.record, account)
      ? findOtherAdmin(context, { kind: 'provider', orgId }, person.id)
      : undefined,
  ]);
  const existing = groups.filter((group) => group !== undefined);
  return {
    ...{ identity, groups: existing, otherAdmin, person: person?.record, newId: newId() },
    // An identity whose person was removed belongs to nobody any more.
    givenBefore: identity?.record.personId === person?.id ? (identity?.record.groups ?? []) : [],
    givenByOthers: otherIdentities.flatMap((other) => other?.record.groups ?? []),
    existing: existing.map(({ id }) => id),
    isEmailTaken: sameEmail !== undefined && sameEmail.id !== person?.id,
    hasOtherAdmin: otherAdmin !== undefined,
  };
}

export interface FailedSignIn {
  reason: SignInRefused;
  /** The account, once it is verified. */
  verified?: VerifiedSignIn | undefined;
}

/** Records a failed sign-in. The caller bounds how often. */
export async function recordFailedSignIn(
  context: Pick<Context, 'store' | 'clock' | 'newId'>,
  { orgId, settings }: OwnedProvider,
  { reason: { reason, detail }, verified }: FailedSignIn,
): Promise<void> {
  const { id, name } = settings;
  const { email, subject } = verified ? readAccount(settings, verified) : {};
  const failed = adminEvent(context, providerActor(settings), {
    ...{ type: 'sign-in.failed', subject: { type: 'provider', id, name } },
    data: { reason, ...defined({ detail, email, account: subject?.slice(0, 255) }) },
  });
  await context.store.commit({ orgId, documents: [failed] });
}
