/** Assurance of questions over HTTP: who may answer them, and what a signature must cover. */
import { verifyAnswer } from '@holdpoint/client/verify';
import {
  type AdminEvent,
  type Answer,
  defined,
  type Grant,
  type Interaction,
  type OrgSettings,
  type Page,
} from '@holdpoint/protocol';
import { afterAll, describe, expect, test } from 'vitest';
import { startSpecServer } from '../openapi/spec-server.ts';
import { declineSignature, publicUrl, sendAnswer, signatureFor, withPasskey } from './passkey-client.ts';
import { signedIn } from './person-client.ts';
import type { Claims } from './software-authenticator.ts';

const server = await startSpecServer({ publicUrl });
const { admin } = server;
afterAll(() => server[Symbol.asyncDispose]());

const agent = await admin.withKey();
const ann = await signedIn(admin, { name: 'Ann' });
const device = await withPasskey(ann);
const ben = await signedIn(admin, { name: 'Ben' });
const bensDevice = await withPasskey(ben);

const payment = {
  kind: 'approval',
  title: 'Pay the invoice?',
  options: undefined,
  fields: [{ name: 'amount', type: 'number' }],
  arguments: { amount: 100, to: 'ACME' },
};
const ask = (assurance: string, more: object = {}) => agent.ask({ ...payment, assurance, ...more });
const allow = { values: { decision: 'allow' } };
const needed = { status: 403, body: { code: 'assurance-needed' } };
const get = async (id: string) => (await admin.get<Interaction>(`/v1/interactions/${id}`)).body;

describe('asking', () => {
  test('[PE140] the assurance is stored unless it is any, and is part of the digest', async () => {
    const [plain, any, signed, passkey] = [
      await agent.ask(payment),
      await ask('any'),
      await ask('signed-in'),
      await ask('passkey'),
    ];
    expect(plain).not.toHaveProperty('assurance');
    expect(any).not.toHaveProperty('assurance');
    expect([signed.assurance, passkey.assurance]).toEqual(['signed-in', 'passkey']);
    expect(any.digest).toBe(plain.digest);
    expect(new Set([plain.digest, signed.digest, passkey.digest]).size).toBe(3);
  });

  test('[PE144] a deadline cannot accept a question with an assurance', async () => {
    const deadline = { at: '2099-01-01T00:00:00Z', outcome: 'recommended' };
    const asked = { ...payment, assurance: 'signed-in', deadline, recommendations: { decision: 'allow' } };
    const { id: threadId } = await admin.newThread();
    const path = `/v1/threads/${threadId}/interactions`;
    const refused = { status: 400, body: { code: 'invalid-input', errors: [{ pointer: '/deadline/outcome' }] } };
    expect(await admin.post(path, asked)).toMatchObject(refused);
    const open = await ask('signed-in', { recommendations: { decision: 'allow' } });
    expect(await admin.patch(`/v1/interactions/${open.id}`, { deadline })).toMatchObject(refused);
    expect((await admin.post(path, { ...asked, deadline: { ...deadline, outcome: 'decline' } })).status).toBe(201);
  });

  test('[PE148] no update changes the assurance', async () => {
    const { id } = await ask('passkey');
    const reply = await admin.patch(`/v1/interactions/${id}`, { assurance: 'any' });
    expect(reply).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/assurance', code: 'unknown-property' }] },
    });
    await agent.patch(`/v1/interactions/${id}`, { title: 'Pay it?' });
    expect((await get(id)).assurance).toBe('passkey');
  });
});

describe('the minimum of the org', () => {
  test('[PE141] approvals have at least the assurance that the admins set', async () => {
    const org = await admin.withOrg('minimum');
    const theirs = await org.withKey();
    const set = (approvalAssurance: string) => org.patch<OrgSettings>('/v1/settings', { approvalAssurance });
    expect((await org.get('/v1/settings')).body).toEqual({ approvalAssurance: 'any' });
    expect((await set('signed-in')).body).toEqual({ approvalAssurance: 'signed-in' });
    expect((await set('signed-in')).body).toEqual({ approvalAssurance: 'signed-in' });
    const assured = async (asked: object) => (await theirs.ask(asked as Record<string, unknown>)).assurance;
    expect(await assured(payment)).toBe('signed-in');
    expect(await assured({ ...payment, assurance: 'any' })).toBe('signed-in');
    expect(await assured({ ...payment, assurance: 'passkey' })).toBe('passkey');
    expect(await assured({})).toBeUndefined();
    expect(await assured({ options: [{ value: 'a', label: 'Go', kind: 'allow_once' }] })).toBe('signed-in');
    expect((await agent.ask(payment)).assurance).toBeUndefined();
    const { body } = await org.get<Page<AdminEvent>>('/v1/admin-events?type=settings.updated');
    expect(body.data).toMatchObject([{ data: { changed: { approvalAssurance: 'signed-in' } } }]);
    expect(await theirs.call('/v1/settings', { method: 'PATCH', body: { approvalAssurance: 'any' } })).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    });
  });

  test('[PE148] a choice that becomes an approval gets the minimum', async () => {
    const org = await admin.withOrg('minimum-by-update');
    const theirs = await org.withKey();
    await org.patch('/v1/settings', { approvalAssurance: 'passkey' });
    const choice = await theirs.ask({ options: [{ value: 'a', label: 'Go' }] });
    expect(choice.assurance).toBeUndefined();
    const fields = [{ name: 'choice', type: 'select', options: [{ value: 'a', label: 'Go', kind: 'allow_once' }] }];
    const { body } = await theirs.patch<Interaction>(`/v1/interactions/${choice.id}`, { fields });
    expect(body.assurance).toBe('passkey');
    expect(body.digest).not.toBe(choice.digest);
  });
});

describe('signed-in', () => {
  test('[PE142] a person in a session answers; keys and tokens are refused', async () => {
    const asked = await ask('signed-in');
    const token = await admin.withToken({ interactionId: asked.id, responderId: ann.person.id });
    for (const client of [token, admin]) {
      const reply = await sendAnswer(client, asked, allow);
      expect(reply).toMatchObject({ ...needed, body: { ...needed.body, detail: expect.stringContaining('Sign in') } });
      expect(await client.post(`/v1/interactions/${asked.id}/decline`, {})).toMatchObject(needed);
    }
    const named = { ...allow, responder: { type: 'human', id: ann.person.id } };
    expect(await sendAnswer(admin, asked, named)).toMatchObject(needed);
    const { body } = await sendAnswer(ann, asked, allow);
    expect(body).toMatchObject({ status: 'answered', answer: { by: { id: ann.person.id, via: 'link' } } });
  });

  test('[PE142] a question for agents with an assurance has no answer by a key', async () => {
    const asked = await ask('signed-in', { responder: { type: 'any' } });
    expect(await sendAnswer(agent, asked, allow)).toMatchObject(needed);
  });

  test('[PE144] grants neither answer such a question nor come from it', async () => {
    const options = [
      { value: 'always', label: 'Always', kind: 'allow_always' },
      { value: 'no', label: 'No', kind: 'reject_once' },
    ];
    const tool = { kind: 'approval', options, grant: { key: 'pay', scope: 'org' }, title: 'Run it?' };
    const first = await agent.ask(tool);
    expect((await sendAnswer(ann, first, { values: { decision: 'always' } })).body.status).toBe('answered');
    expect((await agent.ask(tool)).status).toBe('answered');
    const assured = await agent.ask({ ...tool, assurance: 'signed-in', grant: { key: 'other', scope: 'org' } });
    expect((await agent.ask({ ...tool, assurance: 'signed-in' })).status).toBe('pending');
    expect((await sendAnswer(ann, assured, { values: { decision: 'always' } })).body.status).toBe('answered');
    expect((await admin.get<Page<Grant>>('/v1/grants?key=other')).body.data).toEqual([]);
  });
});

describe('passkey', () => {
  const trusted = [{ id: device.id, publicKey: device.jwk, personId: ann.person.id }];

  test('[PE143] a signed answer is accepted, and its signature is stored', async () => {
    const asked = await ask('passkey');
    const entered = { values: { decision: 'allow', amount: 90 } };
    const signature = signatureFor(device, asked, ann.person, entered);
    const { status, body } = await sendAnswer(ann, asked, { ...entered, signature });
    expect(status).toBe(200);
    expect(body.answer).toMatchObject({ values: { decision: 'allow', amount: 90 }, signature });
    expect(await verifyAnswer(await get(asked.id), { asked: asked.digest, passkeys: trusted })).toBe(true);
  });

  test.each(['RS256', 'EdDSA'] as const)('[PE143] a signature with %s is accepted', async (kind) => {
    const cy = await signedIn(admin);
    const own = await withPasskey(cy, kind);
    const asked = await ask('passkey');
    const signature = signatureFor(own, asked, cy.person, allow);
    expect((await sendAnswer(cy, asked, { ...allow, signature })).status).toBe(200);
    const passkeys = [{ id: own.id, publicKey: own.jwk }];
    expect(await verifyAnswer(await get(asked.id), { passkeys })).toBe(true);
  });

  test('[PE146] a decline and a rejection are signed too', async () => {
    const declined = await ask('passkey');
    const path = `/v1/interactions/${declined.id}/decline`;
    expect(await ann.post(path, {})).toMatchObject(needed);
    const signature = declineSignature(device, declined, ann.person);
    expect((await ann.post(path, { signature })).body).toMatchObject({ answer: { decision: 'declined', signature } });
    expect(await verifyAnswer(await get(declined.id), { passkeys: trusted })).toBe(true);
    const rejected = await ask('passkey');
    const deny = { values: { decision: 'deny' } };
    expect(
      await sendAnswer(ann, rejected, { ...deny, signature: declineSignature(device, rejected, ann.person) }),
    ).toMatchObject(needed);
    await sendAnswer(ann, rejected, { ...deny, signature: signatureFor(device, rejected, ann.person, deny) });
    expect(await verifyAnswer(await get(rejected.id), { passkeys: trusted })).toBe(true);
  });

  test('[PE145] secrets are not in the challenge, their names are', async () => {
    const asked = await agent.ask({
      ...{ options: undefined, assurance: 'passkey' },
      fields: [
        { name: 'user', type: 'text' },
        { name: 'code', type: 'password' },
        { name: 'old', type: 'text', visibleIf: { all_of: [{ field: 'user', op: 'equals', value: 'x' }] } },
      ],
    });
    const entered = { values: { user: 'ann', code: '1234', old: 'hidden' } };
    const { status, body } = await sendAnswer(ann, asked, {
      ...entered,
      signature: signatureFor(device, asked, ann.person, entered),
    });
    expect([status, body.answer?.values, body.answer?.secretFields]).toEqual([200, { user: 'ann' }, ['code']]);
    expect(await verifyAnswer(await get(asked.id), { passkeys: trusted })).toBe(true);
  });

  const wrong: [string, Claims][] = [
    ['of a page of another origin', { origin: 'https://evil.example' }],
    ['for another host name', { relyingPartyId: 'evil.example' }],
    ['without a person present', { isPresent: false }],
    ['without user verification', { isVerified: false }],
    ['of a registration', { type: 'webauthn.create' }],
    ['in a frame of another origin', { crossOrigin: true }],
  ];
  test.each(wrong)('[PE143] a signature %s is refused', async (_, claims) => {
    const asked = await ask('passkey');
    const signature = signatureFor(device, asked, ann.person, allow, claims);
    expect(await sendAnswer(ann, asked, { ...allow, signature })).toMatchObject(needed);
    expect((await get(asked.id)).status).toBe('pending');
  });

  test('[PE143] no other answer, question, person or key fits a signature', async () => {
    const [asked, twin] = [await ask('passkey'), await ask('passkey')];
    expect(asked.digest).toBe(twin.digest);
    const signature = signatureFor(device, asked, ann.person, allow);
    const other = await ask('passkey', { title: 'Pay another invoice?' });
    const tries: [typeof ann, Interaction, object][] = [
      [ann, asked, allow],
      [ann, twin, { ...allow, signature }],
      [ann, other, { ...allow, signature }],
      [ann, asked, { values: { decision: 'allow', amount: 9_000 }, signature }],
      [ann, asked, { values: { decision: 'deny' }, signature }],
      [ben, asked, { ...allow, signature }],
      [ben, asked, { ...allow, signature: signatureFor(device, asked, ben.person, allow) }],
      [ann, asked, { ...allow, signature: signatureFor(bensDevice, asked, ann.person, allow) }],
      [ann, asked, { ...allow, signature: { ...signature, credentialId: bensDevice.id } }],
      [ann, asked, { ...allow, signature: { ...signature, credentialId: 'unknown' } }],
      [
        ann,
        asked,
        { ...allow, signature: { ...signature, signature: signature.signature.replace(/^.{8}/, 'AAAAAAAA') } },
      ],
    ];
    for (const [client, question, body] of tries) {
      const reply = await sendAnswer(client, question, body);
      expect(reply).toMatchObject(needed);
      expect(reply.body.detail).toMatch(/Answer in the inbox/);
    }
    expect((await sendAnswer(ann, asked, { ...allow, signature })).status).toBe(200);
    expect((await sendAnswer(ann, twin, { ...allow, signature })).status).toBe(403);
  });

  test('[PE143] a question that changed needs another signature', async () => {
    const asked = await ask('passkey');
    const signature = signatureFor(device, asked, ann.person, allow);
    await agent.patch(`/v1/interactions/${asked.id}`, { title: 'Pay twice?' });
    expect(await sendAnswer(ann, asked, { ...allow, signature })).toMatchObject(needed);
    expect(await sendAnswer(ann, asked, { ...allow, signature, digest: asked.digest })).toMatchObject({
      status: 409,
      body: { code: 'question-changed' },
    });
  });

  test('[PE142] keys and tokens cannot answer, also with the signature of a person', async () => {
    const asked = await ask('passkey');
    const signature = signatureFor(device, asked, ann.person, allow);
    const token = await admin.withToken({ interactionId: asked.id, responderId: ann.person.id });
    const responder = { type: 'human', id: ann.person.id };
    expect(await sendAnswer(token, asked, { ...allow, signature })).toMatchObject(needed);
    expect(await sendAnswer(admin, asked, { ...allow, signature, responder })).toMatchObject(needed);
  });

  test('[PE134] a removed passkey signs nothing from then on', async () => {
    const cy = await signedIn(admin);
    const own = await withPasskey(cy);
    const asked = await ask('passkey');
    const signature = signatureFor(own, asked, cy.person, allow);
    await cy.call(`/v1/people/${cy.person.id}/passkeys/${own.id}`, { method: 'DELETE' });
    expect(await sendAnswer(cy, asked, { ...allow, signature })).toMatchObject(needed);
  });

  test('[PE149] a signature is verified also where none is needed', async () => {
    const asked = await agent.ask(payment);
    const signature = signatureFor(device, asked, ann.person, allow, { isVerified: false });
    expect(await sendAnswer(ann, asked, { ...allow, signature })).toMatchObject(needed);
    const good = signatureFor(device, asked, ann.person, allow);
    expect((await sendAnswer(ann, asked, { ...allow, signature: good })).body.answer?.signature).toEqual(good);
    expect(await verifyAnswer(await get(asked.id), { passkeys: trusted })).toBe(true);
  });

  test('[PE147] offline, an answer without a signature, or of unknown people, is not verified', async () => {
    const plain = await agent.ask(payment);
    await sendAnswer(ann, plain, allow);
    expect(await verifyAnswer(await get(plain.id))).toBe(true);
    expect(await verifyAnswer(await get(plain.id), { passkeys: trusted })).toBe(false);
    const asked = await ask('passkey');
    await sendAnswer(ben, asked, { ...allow, signature: signatureFor(bensDevice, asked, ben.person, allow) });
    const record = await get(asked.id);
    const bens = { id: bensDevice.id, publicKey: bensDevice.jwk };
    expect(await verifyAnswer(record, { passkeys: trusted })).toBe(false);
    expect(await verifyAnswer(record, { passkeys: [bens] })).toBe(true);
    expect(await verifyAnswer(record, { passkeys: [{ ...bens, personId: ann.person.id }] })).toBe(false);
    expect(
      await verifyAnswer(record, {
        passkeys: (id, personId) => (personId === ben.person.id && id === bens.id ? bens : undefined),
      }),
    ).toBe(true);
  });

  test('[PE147] offline, any change of the record is noticed', async () => {
    const asked = await ask('passkey', { resolution: { mode: 'quorum', count: 2 } });
    await sendAnswer(ben, asked, { ...allow, signature: signatureFor(bensDevice, asked, ben.person, allow) });
    await sendAnswer(ann, asked, { ...allow, signature: signatureFor(device, asked, ann.person, allow) });
    const record = await get(asked.id);
    const passkeys = [...trusted, { id: bensDevice.id, publicKey: bensDevice.jwk, personId: ben.person.id }];
    expect(record.status).toBe('answered');
    expect(await verifyAnswer(record, { passkeys })).toBe(true);
    const answer = record.answer as NonNullable<Interaction['answer']>;
    const [first] = record.votes as [typeof answer];
    const changed = (change: Partial<typeof answer>): Interaction => {
      const forged = { ...answer, ...change };
      return { ...record, answer: forged, votes: [first, forged] };
    };
    const forgeries: Interaction[] = [
      changed({ values: { ...answer.values, amount: 1_000_000 } }),
      changed({ values: { ...answer.values, decision: 'deny' } }),
      changed({ decision: 'declined' }),
      changed({ payload: { to: 'me' } }),
      changed({ secretFields: ['amount'] }),
      changed({ by: { ...answer.by, id: ben.person.id } }),
      changed({ by: { ...answer.by, id: 'somebody-else' } }),
      changed({ signature: first.signature as NonNullable<typeof first.signature> }),
      { ...record, title: 'Pay nothing?' },
      { ...record, id: '019c0000-0000-7000-8000-000000000000' },
      { ...record, arguments: { amount: 1 } },
      { ...record, assurance: 'signed-in' },
      { ...record, resolution: { mode: 'first' } },
      { ...record, votes: [answer] },
      { ...record, votes: [answer, answer] },
      { ...record, votes: [{ ...first, values: { decision: 'allow', amount: 1 } }, answer] },
      { ...record, votes: [] },
    ];
    for (const [index, forged] of forgeries.entries())
      expect([index, await verifyAnswer(forged, { passkeys })]).toEqual([index, false]);
  });

  describe('offline, the votes add up as on the server', () => {
    const both = [...trusted, { id: bensDevice.id, publicKey: bensDevice.jwk, personId: ben.person.id }];
    const votes = (asked: Interaction, ofAnn: object, ofBen: object) => [
      [ann, { ...ofAnn, signature: signatureFor(device, asked, ann.person, ofAnn) }] as const,
      [ben, { ...ofBen, signature: signatureFor(bensDevice, asked, ben.person, ofBen) }] as const,
    ];
    const voted = async (more: object, ofAnn: object = allow, ofBen: object = allow) => {
      const asked = await ask('passkey', more);
      for (const [client, vote] of votes(asked, ofAnn, ofBen)) {
        const reply = await sendAnswer(client, asked, vote);
        expect(reply.status, JSON.stringify(reply.body)).toBe(200);
      }
      return get(asked.id);
    };
    /** The record as somebody who can write to the database could close it. */
    const closed = (record: Interaction): Interaction => ({ ...record, ...defined({ answer: record.votes.at(-1) }) });
    const isValid = (record: Interaction) => verifyAnswer(closed(record), { passkeys: both });
    const amount = (value: number) => ({ values: { decision: 'allow', amount: value } });

    test.each([
      { mode: 'quorum', count: 2 },
      { mode: 'unanimous', count: 2 },
    ])('[PE193] votes with other values do not agree: $mode', async (resolution) => {
      expect(await isValid(await voted({ resolution }, amount(90), amount(90)))).toBe(true);
      expect(await isValid(await voted({ resolution }, amount(90), amount(100)))).toBe(false);
    });

    test('[PE193] once and always agree, and only a vote that decides is the answer', async () => {
      const options = [
        { value: 'once', label: 'Once', kind: 'allow_once' },
        { value: 'always', label: 'Always', kind: 'allow_always' },
        { value: 'no', label: 'No', kind: 'reject_once' },
      ];
      const grant = { key: 'offline', scope: 'thread' };
      const asking = { options, grant, resolution: { mode: 'quorum', count: 2 } };
      const pick = (decision: string) => ({ values: { decision } });
      const record = await voted(asking, pick('once'), pick('always'));
      expect(await isValid(record)).toBe(true);
      expect(await isValid({ ...record, votes: record.votes.slice(0, 1) })).toBe(false);
      expect(await verifyAnswer({ ...record, votes: record.votes.toReversed() }, { passkeys: both })).toBe(false);
    });

    test('[PE193] each group gives its people, as the votes record their groups', async () => {
      for (const [id, client] of [['offline-money', ann] as const, ['offline-law', ben] as const]) {
        await admin.made('/v1/groups', { id });
        await admin.made(`/v1/groups/${id}/members`, { personId: client.person.id });
      }
      // A session knows the groups of its person for a second.
      server.clock.offsetMs += 1_000;
      const of = ['offline-money', 'offline-law'].map((group) => ({ group, count: 1 }));
      const record = await voted({ resolution: { mode: 'quorum', of } });
      expect(record.status).toBe('answered');
      expect(await isValid(record)).toBe(true);
      const [first, second] = record.votes as [Answer, Answer];
      const ofLaw = { ...first, groups: ['offline-law'] };
      expect(await isValid({ ...record, votes: [ofLaw, second] })).toBe(false);
    });

    test('[PE193] the vote of a deputy is also that of the absent person', async () => {
      const record = await voted({ resolution: { mode: 'quorum', count: 2 } });
      const [first, second] = record.votes as [Answer, Answer];
      const deputy = { ...second, by: { ...second.by, onBehalfOf: ann.person.id } };
      expect(await isValid({ ...record, votes: [first, deputy] })).toBe(false);
    });
  });
});
