/** Sign-in links: each works once, for one person, until it expires. Only the hash of its secret is stored. */
import { defined, fail, type Person, type SignInLink } from '@holdpoint/protocol';
import { actorOf, issuersOf } from '../../domain/caller.ts';
import { deviceOf, isOver, type StoredSignInLink } from '../../domain/people/session.ts';
import { systemActor, timestamp } from '../../domain/state.ts';
import type { Document } from '../../stores/documents.ts';
import type { Context, Operation } from '../context.ts';
import { invalidInput } from '../invalid-input.ts';
import { type OrgChange, pagesOf, perform } from '../perform.ts';
import { conflict, retryOnConflict } from '../retry-on-conflict.ts';
import { expiryTimer } from './access-expiry.ts';
import { adminEvent } from './admin-log.ts';
import { hashOfSecret, newSecret, readLinkToken, writeLinkToken } from './session-tokens.ts';
import { newSession } from './sessions.ts';

/** The link of the first admin is printed at the start. It outlives a break, and a log file of last week. */
const firstAdminSeconds = 86_400;
const defaultSeconds = 3_600;

interface NewLink {
  /** Absent: the link of the first admin. */
  personId?: string;
  ttlSeconds: number;
}

type Parts = Required<Pick<OrgChange, 'documents' | 'timers'>>;

/** Returns a new link, and its part of the change that creates it. */
export function newSignInLink(
  context: Context,
  { orgId, createdBy }: { orgId: string; createdBy: StoredSignInLink['createdBy'] },
  { personId, ttlSeconds }: NewLink,
): Parts & { link: SignInLink } {
  const base = context.publicUrl();
  if (base === undefined)
    return fail('invalid-input', 'This Holdpoint has no address for people. Set publicUrl, so that links lead to it.');
  const secret = newSecret();
  const id = hashOfSecret(secret);
  const dueAt = context.clock.now() + ttlSeconds * 1000;
  const expiresAt = timestamp(dueAt);
  const record: StoredSignInLink = { ...defined({ personId }), createdBy, expiresAt };
  const created = adminEvent(context, createdBy, {
    type: 'sign-in-link.created',
    ...(personId ? { subject: { type: 'person', id: personId } as const } : {}),
    data: { expiresAt },
  });
  return {
    // After #, so that no browser sends it to a server, and no proxy logs it.
    link: { url: `${base}/#/sign-in/${writeLinkToken(orgId, secret)}`, expiresAt },
    documents: [{ type: 'sign-in-link', id, record, expected: null }, created],
    timers: [expiryTimer('sign-in-link', id, dueAt)],
  };
}

export const createSignInLink: Operation<'createSignInLink'> = (context, caller, input) => {
  const create = async () => {
    const { personId: named, ttlSeconds = defaultSeconds } = input;
    const personId = named === undefined ? await onlyAdmin(context, caller.orgId) : await knownPerson(named);
    const by = { orgId: caller.orgId, createdBy: actorOf(caller) };
    return newSignInLink(context, by, { ...defined({ personId }), ttlSeconds });
  };
  const knownPerson = async (id: string) => {
    const person = await context.store.getDocument({ orgId: caller.orgId, type: 'person', id });
    if (!person) return fail('person-not-found', `There is no person ${id}.`);
    if (person.record.status === 'deactivated') deactivated(person.record);
    return id;
  };
  return perform<SignInLink>(context, caller, {
    verb: 'createSignInLink',
    input,
    attempt: async () => {
      const { link, documents, timers } = await create();
      return { change: { documents, timers }, resource: { type: 'org', id: caller.orgId }, result: link };
    },
    reload: () => fail('link-used', 'The link was shown once. Create another one, with another idempotency key.'),
  });
};

const deactivated = ({ name }: Person): never =>
  fail('person-deactivated', `${name} is deactivated. Activate the person first.`);

/** Returns the id of the only active admin; undefined if nobody is an admin yet. */
async function onlyAdmin(context: Context, orgId: string): Promise<string | undefined> {
  const admins: string[] = [];
  for await (const found of adminsOf(context, orgId)) {
    admins.push(found.id);
    if (admins.length > 1)
      throw invalidInput([
        { pointer: '/personId', code: 'required', message: 'Several people are admins. Name one of them.' },
      ]);
  }
  return admins[0];
}

async function* adminsOf({ store }: Pick<Context, 'store'>, orgId: string): AsyncGenerator<Person> {
  const read = (from: { cursor?: string }) => store.listDocuments({ orgId, type: 'person', limit: 200, ...from });
  for await (const people of pagesOf(read))
    for (const { record } of people) if (record.status === 'active' && record.roles.includes('admin')) yield record;
}

/** Creates the link that the server prints, if the org has no admin yet. */
export async function firstAdminLink(context: Context, orgId: string): Promise<SignInLink | undefined> {
  for await (const _admin of adminsOf(context, orgId)) return undefined;
  const by = { orgId, createdBy: systemActor('holdpoint') };
  const { link, documents, timers } = newSignInLink(context, by, { ttlSeconds: firstAdminSeconds });
  await context.store.commit({ orgId, documents, timers });
  return link;
}

export interface OpenedLink {
  /** The link makes the person who uses it the first admin. The page asks for a name. */
  isFirstAdmin: boolean;
  name?: string;
}

/** Describes a link to the page that it opens. Changes nothing, because mail scanners open links too. */
export async function describeLink(context: Context, token: string): Promise<OpenedLink> {
  const { person } = await findLink(context, token);
  return person ? { isFirstAdmin: false, name: person.record.name } : { isFirstAdmin: true };
}

/** Signs a person in, and removes the link in the same change. */
export function signInByLink(
  context: Context,
  { token, name, userAgent }: { token: string; name?: string; userAgent: string | undefined },
): Promise<{ token: string }> {
  return retryOnConflict(async () => {
    const { orgId, link, person: invited } = await findLink(context, token);
    const { clock, newId, store } = context;
    const at = timestamp(clock.now());
    if (!invited && (name === undefined || name.trim() === ''))
      throw invalidInput([{ pointer: '/name', code: 'required', message: 'Enter your name.' }]);
    // Two links for the first admin may be open at once, for example after a restart. One person becomes it.
    if (!invited) for await (const _admin of adminsOf(context, orgId)) linkUsed();
    const person: Person = {
      ...(invited?.record ?? {
        ...{ id: newId(), name: (name ?? '').trim(), roles: ['admin'], groups: [], identities: [], passkeys: [] },
        createdAt: at,
      }),
      ...{ status: 'active', updatedAt: at, lastSeenAt: at },
    };
    const opened = newSession(context, {
      ...{ orgId, person, via: 'link', device: deviceOf(userAgent) },
      ...issuersOf(link.record.createdBy),
    });
    const alias = person.email?.toLowerCase();
    const committed = await store.commit({
      orgId,
      documents: [
        { type: 'sign-in-link', id: link.id, record: null, expected: link.revision },
        { type: 'person', id: person.id, record: person, expected: invited?.revision ?? null, ...defined({ alias }) },
        // Taken by the first of two people who open two first links at the same time.
        ...(invited
          ? []
          : [{ type: 'first-admin' as const, id: 'first-admin', record: { personId: person.id }, expected: null }]),
        ...opened.change.documents,
      ],
      timers: [expiryTimer('sign-in-link', link.id, null), ...opened.change.timers],
    });
    if (committed.ok) return { token: opened.token };
    return committed.reason === 'conflict' ? conflict : linkUsed();
  });
}

const linkUsed = (): never =>
  fail(
    'link-used',
    'This link was used or has expired. Each link works once. Ask an admin for a new one, or run "holdpoint open".',
  );

async function findLink(context: Pick<Context, 'store' | 'clock'>, token: string) {
  const { orgId, secret } = readLinkToken(token) ?? linkUsed();
  const { store, clock } = context;
  const link: Document<'sign-in-link'> =
    (await store.getDocument({ orgId, type: 'sign-in-link', id: hashOfSecret(secret) })) ?? linkUsed();
  if (isOver(link.record, clock.now())) linkUsed();
  const { personId } = link.record;
  if (personId === undefined) return { orgId, link };
  const person = (await store.getDocument({ orgId, type: 'person', id: personId })) ?? linkUsed();
  if (person.record.status === 'deactivated') deactivated(person.record);
  return { orgId, link, person };
}
