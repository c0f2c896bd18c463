/** Passkeys over HTTP: adding, signing in and removing, with an authenticator in the test. */
import type { AdminEvent, Page, Person, PersonSession } from '@holdpoint/protocol';
import { afterAll, describe, expect, test } from 'vitest';
import { call, header } from '../access/console-caller.ts';
import { startSpecServer } from '../openapi/spec-server.ts';
import {
  challengeToSignIn,
  page,
  publicUrl,
  register,
  sendSignIn,
  signInWithPasskey,
  withPasskey,
} from './passkey-client.ts';
import { signedIn } from './person-client.ts';
import { type Claims, SoftwareAuthenticator } from './software-authenticator.ts';

const server = await startSpecServer({ publicUrl });
const { admin } = server;
afterAll(() => server[Symbol.asyncDispose]());

const passkeysOf = async (id: string) => (await admin.get<Person>(`/v1/people/${id}`)).body.passkeys;
const events = async (type: string, subjectId: string) =>
  (await admin.get<Page<AdminEvent>>(`/v1/admin-events?type=${type}&subjectId=${subjectId}`)).body.data;
const remove = (client: typeof admin, personId: string, id: string) =>
  client.call(`/v1/people/${personId}/passkeys/${id}`, { method: 'DELETE' });

/** Mistakes of an authenticator or a page. */
const lies: [string, Claims][] = [
  ['a page of another origin', { origin: 'https://approvals.example.com.evil.example' }],
  ['a page over http', { origin: 'http://approvals.example.com' }],
  ['another host name', { relyingPartyId: 'example.com' }],
  ['nobody present', { isPresent: false }],
  ['a person who was not verified', { isVerified: false }],
  ['another challenge', { challenge: 'AAAA' }],
];

describe('adding', () => {
  test.each(['ES256', 'RS256', 'EdDSA'] as const)('[PE130] a person adds a passkey with %s', async (kind) => {
    const ann = await signedIn(admin);
    const { passkey, device } = await register(ann, { device: new SoftwareAuthenticator(page, kind), name: ' Phone ' });
    expect(passkey).toMatchObject({ id: device.id, name: 'Phone', createdAt: expect.any(String) });
    expect(JSON.parse(passkey.publicKey)).toEqual(JSON.parse(device.jwk));
    expect(await passkeysOf(ann.person.id)).toEqual([passkey]);
    expect(await events('passkey.added', ann.person.id)).toMatchObject([
      { actor: { id: ann.person.id, via: 'link' }, data: { passkeyId: device.id, publicKey: passkey.publicKey } },
    ]);
  });

  test('[PE131] the browser is asked for a passkey of this host that verifies its user', async () => {
    const ann = await signedIn(admin);
    const device = await withPasskey(ann);
    const { options } = await register(ann);
    expect(options.headers['cache-control']).toBe('no-store');
    expect(options.body).toMatchObject({
      rp: { id: 'approvals.example.com' },
      user: { name: ann.person.email, displayName: ann.person.name },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [{ id: device.id, type: 'public-key' }],
      attestation: 'none',
    });
  });

  test.each([...lies, ['a sign-in', { type: 'webauthn.get' }] as [string, Claims]])(
    '[PE131] a registration by %s is refused',
    async (_, claims) => {
      const ann = await signedIn(admin);
      expect((await register(ann, { claims })).reply).toMatchObject({ status: 400, body: { code: 'invalid-input' } });
      expect(await passkeysOf(ann.person.id)).toEqual([]);
    },
  );

  test('[PE131] a challenge is used once, in its session, within five minutes, and for its purpose', async () => {
    const [ann, ben] = [await signedIn(admin), await signedIn(admin)];
    const headers = { ...header, origin: publicUrl, cookie: ann.cookie };
    const add = (cookie: string, response: unknown) =>
      call(server.url, '/console/passkeys', { headers: { ...headers, cookie }, body: { name: 'x', response } });
    const options = async () =>
      (await call(server.url, '/console/passkeys/options', { method: 'POST', headers })).body as { challenge: string };
    const device = () => new SoftwareAuthenticator(page);
    const refused = { status: 400, body: { code: 'invalid-input' } };
    const once = await options();
    expect((await add(ann.cookie, device().create(once))).status).toBe(201);
    expect(await add(ann.cookie, device().create(once))).toMatchObject(refused);
    expect(await add(ben.cookie, device().create(await options()))).toMatchObject(refused);
    expect(await add(ann.cookie, device().create(await challengeToSignIn(server.url)))).toMatchObject(refused);
    const late = await options();
    server.clock.offsetMs += 301_000;
    expect(await add(ann.cookie, device().create(late))).toMatchObject(refused);
    expect(await passkeysOf(ann.person.id)).toHaveLength(1);
    expect(await passkeysOf(ben.person.id)).toHaveLength(0);
  });

  test('[PE131] a passkey belongs to one person, who has at most twenty', async () => {
    const [ann, ben] = [await signedIn(admin), await signedIn(admin)];
    const { device } = await register(ann);
    expect((await register(ben, { device })).reply).toMatchObject({ status: 400 });
    expect((await register(ann, { device })).reply.status).toBe(201);
    for (let count = 1; count < 20; count++) expect((await register(ann)).reply.status).toBe(201);
    expect((await register(ann)).reply).toMatchObject({ status: 400, body: { detail: /at most 20 passkeys/ } });
    expect(await passkeysOf(ann.person.id)).toHaveLength(20);
  });

  test('[PE131] only a page of this server adds one, in a session', async () => {
    const ann = await signedIn(admin);
    const calls: [Record<string, string>, number][] = [
      [{ ...header, origin: publicUrl }, 401],
      [{ origin: publicUrl, cookie: ann.cookie }, 403],
      [{ ...header, origin: 'https://evil.example', cookie: ann.cookie }, 403],
      [{ ...header, origin: publicUrl, authorization: `Bearer ${admin.token}` }, 401],
    ];
    for (const [headers, status] of calls)
      expect(await call(server.url, '/console/passkeys/options', { method: 'POST', headers })).toMatchObject({
        status,
      });
  });

  test('[PE135] without a public URL the host name of the page decides, and an address is refused', async () => {
    await using plain = await startSpecServer();
    const ann = await signedIn(plain.admin);
    const { port } = new URL(plain.url);
    const options = (host: string) =>
      call(plain.url, '/console/passkeys/options', {
        method: 'POST',
        headers: { ...header, host, origin: `http://${host}`, cookie: ann.cookie },
      });
    expect(await options(`localhost:${port}`)).toMatchObject({ status: 200, body: { rp: { id: 'localhost' } } });
    expect(await options(`127.0.0.1:${port}`)).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining(`Open this page as http://localhost:${port}.`) },
    });
    expect(await options('10.0.0.7:7400')).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('--public-url') },
    });
  });

  test('[PE135] with a public URL passkeys work only there', async () => {
    const reply = await call(server.url, '/console/sign-in/passkey/options', {
      method: 'POST',
      headers: { ...header, host: 'localhost:7400', origin: 'http://localhost:7400' },
    });
    expect(reply).toMatchObject({ status: 400, body: { detail: expect.stringContaining(`Open it as ${publicUrl}.`) } });
  });
});

describe('signing in', () => {
  test('[PE132] a passkey opens a session that records it', async () => {
    const ann = await signedIn(admin);
    const device = await withPasskey(ann);
    const { reply, client } = await signInWithPasskey(ann, device);
    expect(reply).toMatchObject({ status: 200, body: { signedIn: true } });
    expect((await client.get('/v1/me')).body).toMatchObject({ id: ann.person.id, via: 'passkey' });
    const { body } = await client.get<Page<PersonSession>>(`/v1/people/${ann.person.id}/sessions`);
    expect(body.data.map(({ via }) => via).toSorted()).toEqual(['link', 'passkey']);
    expect((await passkeysOf(ann.person.id))[0]).toHaveProperty('lastUsedAt');
  });

  test('[PE132] a person of any org signs in', async () => {
    const org = await admin.withOrg('passkeys-elsewhere');
    const ann = await signedIn(org);
    const { client } = await signInWithPasskey(ann, await withPasskey(ann));
    expect((await client.get('/v1/me')).body).toMatchObject({ orgId: 'passkeys-elsewhere', id: ann.person.id });
  });

  test.each([...lies, ['a registration', { type: 'webauthn.create' }] as [string, Claims]])(
    '[PE133] a sign-in by %s is refused',
    async (_, claims) => {
      const ann = await signedIn(admin);
      const { reply } = await signInWithPasskey(ann, await withPasskey(ann), claims);
      expect([400, 401]).toContain(reply.status);
      expect(reply.headers['set-cookie']).toBeUndefined();
    },
  );

  test('[PE133] a response is used once, and by the key that it names', async () => {
    const [ann, ben] = [await signedIn(admin), await signedIn(admin)];
    const [one, two] = [await withPasskey(ann), await withPasskey(ben)];
    const response = one.get(await challengeToSignIn(server.url));
    expect((await sendSignIn(server.url, response)).status).toBe(200);
    expect((await sendSignIn(server.url, response)).status).toBe(400);
    const other = two.get(await challengeToSignIn(server.url));
    expect((await sendSignIn(server.url, { ...other, id: one.id, rawId: one.id })).status).toBe(401);
    expect(
      (await sendSignIn(server.url, new SoftwareAuthenticator(page).get(await challengeToSignIn(server.url)))).status,
    ).toBe(401);
    const late = one.get(await challengeToSignIn(server.url));
    server.clock.offsetMs += 301_000;
    expect((await sendSignIn(server.url, late)).status).toBe(400);
    const tries = await Promise.all(
      Array.from({ length: 5 }, async () => sendSignIn(server.url, two.get(await challengeToSignIn(server.url)))),
    );
    expect(tries.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  });

  test('[PE133] of twenty uses of one response at once one opens a session', async () => {
    const ann = await signedIn(admin);
    const response = (await withPasskey(ann)).get(await challengeToSignIn(server.url));
    const tries = await Promise.all(Array.from({ length: 20 }, () => sendSignIn(server.url, response)));
    expect(tries.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('[PE133] failed sign-ins of a person are recorded and limited; a valid passkey still signs in', async () => {
    await using own = await startSpecServer({ publicUrl });
    const ann = await signedIn(own.admin);
    const device = await withPasskey(ann);
    let limited = 0;
    for (let count = 0; count < 30; count++) {
      const { reply } = await signInWithPasskey(ann, device, { isVerified: false });
      if (reply.status === 429) limited++;
      else expect(reply.status).toBe(401);
    }
    expect(limited).toBeGreaterThan(5);
    const { body } = await own.admin.get<Page<AdminEvent>>('/v1/admin-events?type=sign-in.failed&limit=200');
    expect(body.data[0]).toMatchObject({
      subject: { type: 'person', id: ann.person.id },
      data: { via: 'passkey', reason: 'signature' },
    });
    expect(body.data.length).toBeGreaterThanOrEqual(20);
    expect(body.data.length).toBeLessThan(30);
    expect((await signInWithPasskey(ann, device)).reply.status).toBe(200);
  });

  test('[PE132] a deactivated person cannot sign in', async () => {
    const ann = await signedIn(admin);
    const device = await withPasskey(ann);
    await admin.patch(`/v1/people/${ann.person.id}`, { status: 'deactivated' });
    const { reply } = await signInWithPasskey(ann, device);
    expect(reply).toMatchObject({ status: 409, body: { code: 'person-deactivated' } });
    expect(await events('sign-in.failed', ann.person.id)).toMatchObject([{ data: { reason: 'deactivated' } }]);
  });
});

describe('removing', () => {
  test('[PE134] a person removes their own passkeys, an admin those of everybody', async () => {
    const [ann, ben] = [await signedIn(admin), await signedIn(admin)];
    const [one, two] = [await withPasskey(ann), await withPasskey(ann)];
    expect(await remove(ben, ann.person.id, one.id)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect(await remove(ann, ann.person.id, one.id)).toMatchObject({
      status: 200,
      body: { passkeys: [{ id: two.id }] },
    });
    expect(await remove(admin, ann.person.id, two.id)).toMatchObject({ status: 200, body: { passkeys: [] } });
    expect(await remove(admin, ann.person.id, two.id)).toMatchObject({
      status: 404,
      body: { code: 'passkey-not-found' },
    });
    expect(await events('passkey.removed', ann.person.id)).toMatchObject([
      { data: { passkeyId: two.id } },
      { actor: { id: ann.person.id }, data: { passkeyId: one.id } },
    ]);
    expect((await signInWithPasskey(ann, one)).reply.status).toBe(401);
  });

  test('[PE134] a removed passkey can be added again, by anybody', async () => {
    const [ann, ben] = [await signedIn(admin), await signedIn(admin)];
    const device = await withPasskey(ann);
    await remove(ann, ann.person.id, device.id);
    expect((await register(ben, { device })).reply.status).toBe(201);
    expect((await signInWithPasskey(ben, device)).client.person.id).toBe(ben.person.id);
  });
});
