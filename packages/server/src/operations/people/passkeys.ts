/** Passkeys: added in a session, used to sign in, and removed. */
import { type AnswerSignature, fail, type Passkey, type Person } from '@holdpoint/protocol';
import { actorOf, isAdmin, type PersonCaller } from '../../domain/caller.ts';
import {
  challengeMs,
  passkeyOf,
  type RelyingParty,
  type StoredPasskey,
  usedPasskey,
  withoutPasskey,
  withPasskey,
} from '../../domain/people/passkeys.ts';
import { deviceOf } from '../../domain/people/session.ts';
import { systemActor, timestamp } from '../../domain/state.ts';
import type { Document } from '../../stores/documents.ts';
import { operatorOrg } from '../access/orgs.ts';
import type { Context, Operation } from '../context.ts';
import { type OrgChange, orThrow, save } from '../perform.ts';
import { conflict, retryOnConflict } from '../retry-on-conflict.ts';
import { expiryTimer } from './access-expiry.ts';
import { adminEvent } from './admin-log.ts';
import { loadPerson, personChange, shownPerson } from './person-documents.ts';
import { newSession } from './sessions.ts';

const registrationOf = ({ orgId, person, sessionId }: PersonCaller): string =>
  JSON.stringify([orgId, person.id, sessionId]);

/** Returns what the browser needs to create a passkey for this person. */
export async function passkeyOptions(context: Context, caller: PersonCaller, relyingParty: RelyingParty) {
  const { record: person } = await loadPerson(context, caller, caller.person.id);
  return {
    challenge: context.passkeys.newChallenge('register', registrationOf(caller)),
    rp: { id: relyingParty.id, name: 'Holdpoint' },
    user: {
      id: Buffer.from(person.id).toString('base64url'),
      name: person.email ?? person.name,
      displayName: person.name,
    },
    pubKeyCredParams: context.passkeys.algorithms.map((alg) => ({ type: 'public-key', alg })),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    // An authenticator that has a passkey of this person makes no second one.
    excludeCredentials: person.passkeys.map(({ id }) => ({ type: 'public-key', id })),
    attestation: 'none',
    timeout: challengeMs,
  };
}

export async function addPasskey(
  context: Context,
  caller: PersonCaller,
  { name, response, relyingParty }: { name: string; response: Registration; relyingParty: RelyingParty },
): Promise<Passkey> {
  const { passkeys, store, clock } = context;
  const { orgId } = caller;
  const challenge = challengeIn(response.response.clientDataJSON);
  if (!passkeys.isChallenge(challenge, 'register', registrationOf(caller))) challengeOver();
  const read = await passkeys.readRegistration(response, { challenge, relyingParty });
  if (!read) return fail('invalid-input', 'The passkey could not be verified. Try again.');
  await useChallenge(context, challenge);
  await retryOnConflict(async () => {
    const found = await store.getDocument({ orgId: operatorOrg, type: 'passkey', id: read.id });
    const isOwn = found?.record.orgId === orgId && found.record.personId === caller.person.id;
    if (found && !isOwn) return fail('invalid-input', 'This passkey belongs to another person.');
    const record: StoredPasskey = { ...relyingParty, orgId, personId: caller.person.id };
    const documents = [{ type: 'passkey' as const, id: read.id, record, expected: found?.revision ?? null }];
    const committed = await store.commit({ orgId: operatorOrg, documents });
    return committed.ok || conflict;
  });
  return save<Passkey>(context, caller, async () => {
    const before = await loadPerson(context, caller, caller.person.id);
    const known = passkeyOf(before.record, read.id);
    if (known) return { change: {}, result: known };
    const passkey: Passkey = { ...read, name: name.trim(), createdAt: timestamp(clock.now()) };
    const person = orThrow(withPasskey(before.record, passkey));
    const added = adminEvent(context, actorOf(caller), {
      type: 'passkey.added',
      subject: { type: 'person', id: person.id, name: person.name },
      // With the key, so that signatures can be verified after the passkey was removed.
      data: { passkeyId: passkey.id, name: passkey.name, publicKey: passkey.publicKey },
    });
    return { change: { documents: [personChange(before, person), added] }, result: passkey };
  });
}

export const removePasskey: Operation<'removePasskey'> = async (context, caller, { personId, passkeyId }) => {
  const person = await save<Person>(context, caller, async () => {
    const isOwn = caller.kind === 'person' && caller.person.id === personId;
    if (!isOwn && !isAdmin(caller)) fail('forbidden', 'Only an admin may remove a passkey of another person.');
    const before = await loadPerson(context, caller, personId);
    const passkey = passkeyOf(before.record, passkeyId) ?? noPasskey(passkeyId);
    const record = withoutPasskey(before.record, passkeyId, context.clock.now());
    const removed = adminEvent(context, actorOf(caller), {
      type: 'passkey.removed',
      subject: { type: 'person', id: personId, name: record.name },
      data: { passkeyId, name: passkey.name },
    });
    return { change: { documents: [personChange(before, record), removed] }, result: record };
  });
  const { store } = context;
  const found = await store.getDocument({ orgId: operatorOrg, type: 'passkey', id: passkeyId });
  // The person decides which passkeys are valid, so this only frees the space.
  if (found)
    await store.commit({
      orgId: operatorOrg,
      documents: [{ type: 'passkey', id: passkeyId, record: null, expected: found.revision }],
    });
  return shownPerson(caller, person);
};

const noPasskey = (id: string): never => fail('passkey-not-found', `There is no passkey ${id}.`);

/** Returns what the browser needs to sign in. The authenticator offers the passkeys that it has for this host. */
export const signInOptions = ({ passkeys }: Context, { id, origin }: RelyingParty) => ({
  challenge: passkeys.newChallenge('sign-in', origin),
  rpId: id,
  userVerification: 'required',
  timeout: challengeMs,
});

/** Called with each failed attempt of a known person. It decides which of them are recorded. */
type MayRecord = (personId: string) => boolean;

/** Signs a person in. The session records that they signed in with a passkey. */
export async function signInByPasskey(
  context: Context,
  sent: { response: Assertion; relyingParty: RelyingParty; userAgent: string | undefined; mayRecord: MayRecord },
): Promise<{ token: string }> {
  const { clock, passkeys, store } = context;
  const { response, relyingParty, userAgent, mayRecord } = sent;
  const challenge = challengeIn(response.response.clientDataJSON);
  if (!passkeys.isChallenge(challenge, 'sign-in', relyingParty.origin)) challengeOver();
  const signature = signatureOf(response);
  const found = await findPasskey(context, response.id);
  if (!found) return refuseSignIn();
  const { stored, person, passkey } = found;
  const refused = async (reason: string): Promise<never> => {
    const { id, name } = person.record;
    const event = () =>
      adminEvent(context, systemActor('holdpoint'), {
        type: 'sign-in.failed',
        subject: { type: 'person', id, name },
        data: { via: 'passkey', reason },
      });
    if (mayRecord(id)) await store.commit({ orgId: stored.orgId, documents: [event()] });
    return reason === 'deactivated'
      ? fail('person-deactivated', `${name} is deactivated. An admin can activate the person.`)
      : refuseSignIn();
  };
  const { publicKey } = passkey;
  const expected = { publicKey, challenge, relyingPartyId: relyingParty.id, origins: [relyingParty.origin] };
  if (!(await passkeys.isSigned(signature, expected))) return refused('signature');
  if (person.record.status !== 'active') return refused(person.record.status);
  await useChallenge(context, challenge);
  return retryOnConflict(async () => {
    const { orgId } = stored;
    const before = await store.getDocument({ orgId, type: 'person', id: person.id });
    if (before?.record.status !== 'active' || !passkeyOf(before.record, passkey.id)) return refuseSignIn();
    const record = usedPasskey(before.record, passkey.id, clock.now());
    const opened = newSession(context, { orgId, person: record, via: 'passkey', device: deviceOf(userAgent) });
    const { documents, timers } = opened.change;
    const committed = await store.commit({ orgId, documents: [personChange(before, record), ...documents], timers });
    return committed.ok ? { token: opened.token } : conflict;
  });
}

const refuseSignIn = (): never =>
  fail('unauthenticated', 'This passkey is not known here, or was removed. Sign in another way.');

const challengeOver = (): never => fail('invalid-input', 'This took too long, or was sent twice. Try again.');

/** Returns an active passkey with its person. */
export async function findPasskey(
  { store }: Pick<Context, 'store'>,
  id: string,
): Promise<{ stored: StoredPasskey; person: Document<'person'>; passkey: Passkey } | undefined> {
  const found = await store.getDocument({ orgId: operatorOrg, type: 'passkey', id });
  if (!found) return undefined;
  const { orgId, personId } = found.record;
  const person = await store.getDocument({ orgId, type: 'person', id: personId });
  const passkey = person && passkeyOf(person.record, id);
  return passkey && { stored: found.record, person, passkey };
}

/** Only the first use is accepted, on any node. The record is kept until the challenge expires. */
async function useChallenge({ store, clock }: Context, challenge: string): Promise<void> {
  const now = clock.now();
  const used: OrgChange = {
    documents: [{ type: 'used-challenge', id: challenge, record: { at: timestamp(now) }, expected: null }],
    timers: [expiryTimer('used-challenge', challenge, now + challengeMs)],
  };
  const committed = await store.commit({ orgId: operatorOrg, ...used });
  if (!committed.ok) challengeOver();
}

/** A registration as a browser writes it to JSON. */
export interface Registration {
  id: string;
  response: { clientDataJSON: string };
}

/** An assertion as a browser writes it to JSON. */
export interface Assertion {
  id: string;
  response: { clientDataJSON: string; authenticatorData: string; signature: string };
}

const signatureOf = ({ id, response }: Assertion): AnswerSignature => ({
  ...{ credentialId: id, authenticatorData: response.authenticatorData },
  ...{ clientDataJSON: response.clientDataJSON, signature: response.signature },
});

function challengeIn(clientDataJSON: string): string {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { challenge?: unknown };
    return typeof challenge === 'string' ? challenge : challengeOver();
  } catch {
    return challengeOver();
  }
}
