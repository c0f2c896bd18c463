/** Sessions of people: opened by a sign-in, checked at every call, listed, and ended one by one. */
import { type Actor, defined, fail, type Person, type Via } from '@holdpoint/protocol';
import { actorOf, type Caller, type Issuers, isAdmin, type PersonCaller } from '../../domain/caller.ts';
import {
  isOver,
  lastUseMs,
  type StoredSession,
  sessionDocumentId,
  sessionMs,
  shownSession,
} from '../../domain/people/session.ts';
import { timestamp } from '../../domain/state.ts';
import type { Document } from '../../stores/documents.ts';
import type { Clock, Context, Operation } from '../context.ts';
import { type OrgChange, page, pageLimit, pagesOf, save } from '../perform.ts';
import { retryOnConflict } from '../retry-on-conflict.ts';
import { expiryTimer } from './access-expiry.ts';
import { adminEvent } from './admin-log.ts';
import { hashOfSecret, isSecretOf, newSecret, readSessionToken, writeSessionToken } from './session-tokens.ts';

type Tools = Pick<Context, 'clock' | 'newId'>;

export interface NewSession extends Issuers {
  orgId: string;
  person: Pick<Person, 'id' | 'name'>;
  via: Via;
  device: string;
  provider?: StoredSession['provider'];
}

/** Returns the token of a new session, and its part of the change that signs the person in. */
export function newSession(
  { clock, newId }: Tools,
  { orgId, person, via, device, keyId, issuedBy, provider }: NewSession,
): { token: string; sessionId: string; change: Required<Pick<OrgChange, 'documents' | 'timers'>> } {
  const now = clock.now();
  const sessionId = newId();
  const secret = newSecret();
  const at = timestamp(now);
  const expiresAt = now + sessionMs;
  const record: StoredSession = {
    ...{ id: sessionId, personId: person.id, secretHash: hashOfSecret(secret), via, device },
    ...{ createdAt: at, lastUsedAt: at, expiresAt: timestamp(expiresAt), ...defined({ keyId, issuedBy, provider }) },
  };
  const id = sessionDocumentId(person.id, sessionId);
  const actor = { type: 'human', id: person.id, name: person.name, via, ...defined({ keyId, issuedBy }) } as const;
  const started = adminEvent({ clock, newId }, actor, {
    type: 'session.started',
    subject: { type: 'person', id: person.id, name: person.name },
    data: { sessionId, via, device, ...defined({ provider: provider?.id }) },
  });
  return {
    token: writeSessionToken({ orgId, personId: person.id, sessionId, secret }),
    sessionId,
    change: {
      documents: [{ type: 'session', id, record, expected: null }, started],
      timers: [expiryTimer('session', id, expiresAt)],
    },
  };
}

type Reads = Pick<Context['store'], 'getDocument' | 'commit'>;

/** Returns the person of a session token, or undefined if the session ended or the person is deactivated. */
export async function callerOfSession(
  tools: { store: Reads; clock: Clock },
  token: string,
): Promise<PersonCaller | undefined> {
  const read = readSessionToken(token);
  if (!read) return undefined;
  const { orgId, personId, sessionId, secret } = read;
  const found = await findSession(tools, { orgId, personId, sessionId });
  if (!found || !isSecretOf(found.session.record.secretHash, secret)) return undefined;
  noteUse(tools, orgId, found.session);
  return found.caller;
}

/** Returns a session that has not ended, of a person who is active. */
export async function findSession(
  { store, clock }: { store: Reads; clock: Clock },
  { orgId, personId, sessionId }: { orgId: string; personId: string; sessionId: string },
): Promise<{ caller: PersonCaller; session: Document<'session'> } | undefined> {
  const [session, person] = await Promise.all([
    store.getDocument({ orgId, type: 'session', id: sessionDocumentId(personId, sessionId) }),
    store.getDocument({ orgId, type: 'person', id: personId }),
  ]);
  if (!session || person?.record.status !== 'active' || isOver(session.record, clock.now())) return undefined;
  const { via, keyId, issuedBy } = session.record;
  return {
    caller: { kind: 'person', orgId, person: person.record, sessionId, via, ...defined({ keyId, issuedBy }) },
    session,
  };
}

/** Stores the time of use now and then. It may be lost, because nothing depends on it. */
function noteUse({ store, clock }: { store: Reads; clock: Clock }, orgId: string, session: Document<'session'>): void {
  const { id, revision, record } = session;
  const now = clock.now();
  if (now - Date.parse(record.lastUsedAt) < lastUseMs) return;
  const used = { ...record, lastUsedAt: timestamp(now) };
  store.commit({ orgId, documents: [{ type: 'session', id, record: used, expected: revision }] }).catch(() => {});
}

const prefixOf = (personId: string): string => sessionDocumentId(personId, '');

/** Lists the sessions of a person that have not ended. */
export const listPersonSessions: Operation<'listPersonSessions'> = async (
  context,
  caller,
  { personId, ...request },
) => {
  if (!seesSessionsOf(caller, personId)) noPerson(personId);
  await loadPerson(context, caller, personId);
  const { orgId } = caller;
  const now = context.clock.now();
  const prefix = prefixOf(personId);
  const cursor = prefix + (request.cursor ?? '');
  const listed = await context.store.listDocuments({ orgId, type: 'session', cursor, limit: pageLimit(request.limit) });
  const own = listed.items.filter(({ id }) => id.startsWith(prefix));
  const current = caller.kind === 'person' ? caller.sessionId : undefined;
  const isLast = own.length < listed.items.length || listed.next === undefined;
  return page({
    items: own.filter(({ record }) => !isOver(record, now)).map(({ record }) => shownSession(record, current)),
    ...defined({ next: isLast ? undefined : listed.next?.slice(prefix.length) }),
  });
};

const seesSessionsOf = (caller: Caller, personId: string): boolean =>
  caller.kind !== 'person' || caller.person.id === personId || caller.person.roles.some((role) => role !== 'member');

async function loadPerson({ store }: Context, { orgId }: Caller, id: string): Promise<Person> {
  return (await store.getDocument({ orgId, type: 'person', id }))?.record ?? noPerson(id);
}

const noPerson = (id: string): never => fail('person-not-found', `There is no person ${id}.`);

export const endPersonSession: Operation<'endPersonSession'> = (context, caller, { personId, sessionId }) =>
  save(context, caller, async () => {
    const isOwn = caller.kind === 'person' && caller.person.id === personId;
    if (!isOwn && !isAdmin(caller)) noPerson(personId);
    const { orgId } = caller;
    const id = sessionDocumentId(personId, sessionId);
    const session = await context.store.getDocument({ orgId, type: 'session', id });
    if (!session) return fail('session-not-found', `There is no session ${sessionId}.`);
    return { change: ended(context, actorOf(caller), session), result: {} };
  });

function ended(context: Tools, by: Actor, { id, revision, record }: Document<'session'>): OrgChange {
  const { personId, id: sessionId, device } = record;
  const event = adminEvent(context, by, {
    type: 'session.ended',
    subject: { type: 'person', id: personId },
    data: { sessionId, device },
  });
  return {
    documents: [{ type: 'session', id, record: null, expected: revision }, event],
    timers: [expiryTimer('session', id, null)],
  };
}

/** Removes the sessions of a person, or some of them. They are invalid already if the person is deactivated. */
export async function endSessionsOf(
  context: Pick<Context, 'store' | 'clock' | 'newId'>,
  { orgId, by }: { orgId: string; by: Actor },
  personId: string,
  isMeant: (session: StoredSession) => boolean = () => true,
): Promise<void> {
  const { store } = context;
  const prefix = prefixOf(personId);
  const read = ({ cursor = prefix }: { cursor?: string }) =>
    store.listDocuments({ orgId, type: 'session', cursor, limit: 100 });
  for await (const listed of pagesOf(read)) {
    const own = listed.filter(({ id }) => id.startsWith(prefix));
    for (const { id } of own.filter(({ record }) => isMeant(record)))
      await retryOnConflict(async () => {
        const session = await store.getDocument({ orgId, type: 'session', id });
        return session && store.commit({ orgId, ...ended(context, by, session) });
      });
    if (own.length < listed.length) return;
  }
}
