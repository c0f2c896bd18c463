/** People of an org, over HTTP. */
import type { InvitedPerson, Page, Person } from '@holdpoint/protocol';
import { afterAll, describe, expect, test } from 'vitest';
import { startSpecServer } from '../openapi/spec-server.ts';
import { hostileTexts } from './hostile-names.ts';
import { enter, invite, signedIn } from './person-client.ts';

const server = await startSpecServer();
const { admin } = server;
afterAll(() => server[Symbol.asyncDispose]());

const update = (client: typeof admin, id: string, body: unknown) => client.patch<Person>(`/v1/people/${id}`, body);
const names = ({ body }: { body: Page<Person> }) => body.data.map(({ name }) => name);

describe('inviting', () => {
  test('[PE20] an invited person is a member, and the invitation is shown once', async () => {
    const created = await admin.post<InvitedPerson>(
      '/v1/people',
      { name: '  Ann Lee ', email: 'Ann@Example.com' },
      { 'idempotency-key': 'ann' },
    );
    expect(created).toMatchObject({
      status: 201,
      body: { name: 'Ann Lee', email: 'Ann@Example.com', status: 'invited', roles: ['member'], groups: [] },
    });
    const { invitation, ...person } = created.body;
    expect(invitation?.url).toContain(server.url);
    const lifeMs = Date.parse(invitation?.expiresAt ?? '') - Date.parse(person.createdAt);
    expect(lifeMs / 86_400_000).toBeCloseTo(7, 3);
    const again = await admin.post(
      '/v1/people',
      { name: '  Ann Lee ', email: 'Ann@Example.com' },
      { 'idempotency-key': 'ann' },
    );
    expect(again.body).toEqual(person);
    expect(await admin.get(`/v1/people/${person.id}`)).toMatchObject({ status: 200, body: person });
    expect(await server.place.contents()).not.toContain(invitation?.url.split('/').at(-1));
  });

  test('[PE20] the person is active from the first sign-in on', async () => {
    const ben = await signedIn(admin, { name: 'Ben', roles: ['auditor'] });
    expect(ben.person).toMatchObject({ status: 'active', roles: ['auditor'], lastSeenAt: expect.any(String) });
  });

  test('[PE21] an email belongs to one person of the org, in any case', async () => {
    const one = await invite(admin, { email: 'Same@Example.com' });
    for (const email of ['same@example.com', 'SAME@EXAMPLE.COM']) {
      const refused = await admin.post('/v1/people', { name: 'Two', email });
      expect(refused).toMatchObject({ status: 409, body: { code: 'person-exists', current: { id: one.id } } });
    }
    const other = await invite(admin);
    expect(await update(admin, other.id, { email: 'same@example.COM' })).toMatchObject({
      status: 409,
      body: { code: 'person-exists' },
    });
    expect((await update(admin, one.id, { email: 'same@example.com' })).body.email).toBe('same@example.com');
    expect((await update(admin, one.id, { email: null })).body.email).toBeUndefined();
    expect((await update(admin, other.id, { email: 'Same@example.com' })).status).toBe(200);
  });

  test('[PE21] of twenty invitations of one email at once one is made', async () => {
    const tries = Array.from({ length: 20 }, (_, n) =>
      admin.post('/v1/people', { name: `Try ${n}`, email: n % 2 ? 'once@example.com' : 'ONCE@example.com' }),
    );
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([201, ...Array(19).fill(409)]);
  });

  test.each([
    [{ name: ' \u200b ' }, '/name', 'required'],
    [{ name: 'a\u0000b' }, '/name', 'pattern'],
    [{ name: 'A', email: 'no-at-sign' }, '/email', 'pattern'],
    [{ name: 'A', email: 'a b@example.com' }, '/email', 'pattern'],
    [{ name: 'A', roles: [] }, '/roles', 'min-items'],
    [{ name: 'A', roles: ['owner'] }, '/roles/0', 'value'],
    [{ name: 'A', groups: ['nowhere'] }, '/groups/0', 'unknown'],
    [{ name: 'A', status: 'active' }, '/status', 'unknown-property'],
  ])('[PE22] %j is refused at %s', async (body, pointer, code) => {
    const reply = await admin.post('/v1/people', body);
    expect(reply).toMatchObject({ status: 400, body: { code: 'invalid-input', errors: [{ pointer }] } });
    expect((reply.body as { errors: { code: string }[] }).errors.map((each) => each.code)).toContain(code);
  });

  test.each(hostileTexts)('[PE22] the name %j is kept as it is', async (name) => {
    const created = await invite(admin, { name });
    expect(created.name).toBe(name.trim());
    const { body } = await admin.get<Page<Person>>(
      `/v1/people?search=${encodeURIComponent(name.trim().slice(0, 100))}`,
    );
    expect(body.data.map(({ id }) => id)).toContain(created.id);
  });
});

describe('seeing', () => {
  test('[PE23] members see nobody else’s way to sign in, auditors and admins do', async () => {
    const [member, auditor, boss] = [
      await signedIn(admin),
      await signedIn(admin, { roles: ['auditor'] }),
      await signedIn(admin, { roles: ['admin'] }),
    ];
    const path = `/v1/people/${boss.person.id}`;
    expect((await member.get(path)).body).not.toHaveProperty('lastSeenAt');
    expect((await member.get(path)).body).toMatchObject({ identities: [], passkeys: [], name: boss.person.name });
    expect((await member.get(`/v1/people/${member.person.id}`)).body).toHaveProperty('lastSeenAt');
    for (const client of [auditor, boss, admin]) expect((await client.get(path)).body).toHaveProperty('lastSeenAt');
    const { body } = await member.get<Page<Person>>('/v1/people?limit=200');
    expect(body.data.filter((person) => person.lastSeenAt).map(({ id }) => id)).toEqual([member.person.id]);
  });

  test('[PE23] another org has other people', async () => {
    const own = await invite(admin);
    const other = await admin.withOrg('people-elsewhere');
    expect(await other.get(`/v1/people/${own.id}`)).toMatchObject({ status: 404, body: { code: 'person-not-found' } });
    expect(await update(other, own.id, { name: 'Mine' })).toMatchObject({ status: 404 });
    expect((await other.get<Page<Person>>('/v1/people')).body.data).toEqual([]);
    expect((await invite(other, { email: own.email })).status).toBe('invited');
  });

  test('[PE24] agent keys and tokens are refused', async () => {
    const agent = await admin.withKey();
    const token = await admin.withToken({ inbox: true });
    for (const client of [agent, token]) {
      expect(await client.get('/v1/people')).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      expect(await client.post('/v1/people', { name: 'A' })).toMatchObject({ status: 403 });
      expect(await client.get('/v1/groups')).toMatchObject({ status: 403 });
    }
  });

  test('[PE24] members and auditors create nobody and change nobody else', async () => {
    const other = await invite(admin);
    for (const roles of [['member'], ['auditor']]) {
      const client = await signedIn(admin, { roles });
      expect(await client.post('/v1/people', { name: 'A' })).toMatchObject({ status: 403 });
      expect(await update(client, other.id, { name: 'Mine' })).toMatchObject({
        status: 403,
        body: { code: 'forbidden' },
      });
    }
  });

  test('[PE25] a list is filtered by status, group and part of a name or email, the oldest first', async () => {
    const own = await admin.withOrg('people-lists');
    await own.made('/v1/groups', { id: 'ops' });
    const ann = await invite(own, { name: 'Ann', email: 'Ann@one.example', groups: ['ops'] });
    await invite(own, { name: 'ÄNNE', email: 'second@two.example' });
    await invite(own, { name: 'Ben', email: 'ben@two.example', groups: ['ops'] });
    await update(own, ann.id, { status: 'deactivated' });
    const list = async (query: string) => names(await own.get<Page<Person>>(`/v1/people${query}`));
    expect(await list('')).toEqual(['Ann', 'ÄNNE', 'Ben']);
    expect(await list('?group=ops')).toEqual(['Ann', 'Ben']);
    expect(await list('?status=deactivated')).toEqual(['Ann']);
    expect(await list('?search=änn')).toEqual(['ÄNNE']);
    expect(await list('?search=TWO.example')).toEqual(['ÄNNE', 'Ben']);
    expect(await list('?search=two&group=ops&status=invited')).toEqual(['Ben']);
    expect(await list('?search=%25')).toEqual([]);
    const first = await own.get<Page<Person>>('/v1/people?limit=2');
    expect(first.body.next).toBeDefined();
    expect(await list(`?limit=2&cursor=${first.body.next}`)).toEqual(['Ben']);
  });
});

describe('changing', () => {
  test('[PE26] people change their own name, locale, time zone and deputy, and nothing else', async () => {
    const deputy = await signedIn(admin);
    const client = await signedIn(admin);
    const { id } = client.person;
    const period = { from: '2030-01-01T00:00:00+01:00', until: '2030-02-01T00:00:00Z' };
    const own = {
      ...{ name: 'New name', locale: 'de-CH', timeZone: 'Europe/Zurich' },
      deputy: { personId: deputy.person.id, ...period },
    };
    expect(await update(client, id, own)).toMatchObject({
      status: 200,
      body: { ...own, deputy: { from: '2029-12-31T23:00:00.000Z', until: '2030-02-01T00:00:00.000Z' } },
    });
    expect((await update(client, id, { locale: null, timeZone: null, deputy: null })).body).not.toHaveProperty(
      'deputy',
    );
    for (const [name, value] of Object.entries({
      roles: ['admin'],
      groups: [],
      status: 'active',
      email: 'x@y.example',
    }))
      expect(await update(client, id, { [name]: value })).toMatchObject({
        status: 403,
        body: { code: 'forbidden', errors: [{ pointer: `/${name}`, code: 'admin-only' }] },
      });
  });

  test('[PE27] a locale, a time zone and a deputy must exist', async () => {
    const { id } = await invite(admin);
    const active = await signedIn(admin);
    const invited = await invite(admin);
    const at = (personId: string, from = '2030-01-01T00:00:00Z', until = '2030-02-01T00:00:00Z') => ({
      deputy: { personId, from, until },
    });
    for (const [body, pointer, code] of [
      [{ locale: 'not_a_tag' }, '/locale', 'pattern'],
      [{ locale: 'a-very-long-wrong' }, '/locale', 'locale'],
      [{ timeZone: 'Mars/Olympus' }, '/timeZone', 'time-zone'],
      [{ timeZone: '+01:00' }, '/timeZone', 'time-zone'],
      [at(id), '/deputy/personId', 'not-allowed'],
      [at('nobody'), '/deputy/personId', 'unknown'],
      [at(invited.id), '/deputy/personId', 'unknown'],
      [at(active.person.id, 'soon'), '/deputy/from', 'datetime'],
      [at(active.person.id, '2030-02-01T00:00:00Z'), '/deputy/until', 'min'],
      [at(active.person.id, '2020-01-01T00:00:00Z', '2020-02-01T00:00:00Z'), '/deputy/until', 'past'],
      [at(active.person.id, '2030-01-01T00:00:00Z', '2031-02-01T00:00:00Z'), '/deputy/until', 'max'],
    ] as const)
      expect(await update(admin, id, body), pointer).toMatchObject({
        status: 400,
        body: { errors: [{ pointer, code }] },
      });
    expect((await update(admin, id, at(active.person.id, '2030-01-01T00:00:00Z', '2031-01-01T00:00:00Z'))).status).toBe(
      200,
    );
  });

  test('[PE28] the last active admin keeps the role, also if two demote each other', async () => {
    const own = await admin.withOrg('people-admins');
    const invited = await invite(own, { roles: ['admin'] });
    const one = await signedIn(own, { roles: ['admin', 'member'] });
    const lastAdmin = { status: 409, body: { code: 'last-admin', current: { id: one.person.id } } };
    for (const client of [own, one])
      for (const body of [{ status: 'deactivated' }, { roles: ['member'] }])
        expect(await update(client, one.person.id, body)).toMatchObject(lastAdmin);
    expect((await update(own, one.person.id, { roles: ['admin', 'auditor'] })).status).toBe(200);
    const two = await enter(own, invited);
    for (let round = 0; round < 10; round++) {
      const replies = await Promise.all([
        update(one, two.person.id, { roles: ['member'] }),
        update(two, one.person.id, { roles: ['member'] }),
      ]);
      const left = (await own.get<Page<Person>>('/v1/people')).body.data.filter(({ roles }) => roles.includes('admin'));
      expect(left.length, JSON.stringify(replies.map(({ status }) => status))).toBeGreaterThan(0);
      for (const { id } of [one.person, two.person]) await update(own, id, { roles: ['admin'] });
    }
  });

  test('[PE29] a deactivated person is reactivated, and invited again if they never signed in', async () => {
    const invited = await invite(admin);
    expect((await update(admin, invited.id, { status: 'active' })).body.status).toBe('invited');
    for (let again = 0; again < 2; again++)
      expect((await update(admin, invited.id, { status: 'deactivated' })).body.status).toBe('deactivated');
    expect((await update(admin, invited.id, { status: 'active' })).body.status).toBe('invited');
    const { person } = await signedIn(admin);
    await update(admin, person.id, { status: 'deactivated' });
    expect((await update(admin, person.id, { status: 'active' })).body.status).toBe('active');
  });

  test('[PE29] an update that changes nothing leaves the person as it is', async () => {
    const { invitation: _, ...person } = await invite(admin);
    expect((await update(admin, person.id, { name: person.name, roles: ['member'] })).body).toEqual(person);
  });
});
