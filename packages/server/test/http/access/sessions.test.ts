import {
  type ApiKey,
  type CreatedApiKey,
  type LogEvent,
  type Page,
  type Session,
  type Thread,
  verbSpecs,
} from '@holdpoint/protocol';
import { afterAll, describe, expect, test } from 'vitest';
import { Client } from '../../client.ts';
import { type SpecClient, startSpecServer } from '../openapi/spec-server.ts';
import { everyCall, makeThings } from '../requests/every-route.ts';

const server = await startSpecServer({ sessionRateLimit: 0, keyRateLimit: 1_000 });
const { admin } = server;
afterAll(() => server[Symbol.asyncDispose]());

const origin = 'https://acme.com';
const settings = { agent: 'helper', allowedOrigins: [origin] };

async function publicKey(more: object = {}): Promise<CreatedApiKey & { client: SpecClient }> {
  const key = await admin.made<CreatedApiKey>('/v1/keys', {
    name: 'a page',
    role: 'public',
    public: { ...settings, ...more },
  });
  return { ...key, client: admin.as(key.publicKey) };
}

const open = (client: SpecClient, body: object = {}, from: string | undefined = origin) =>
  client.post<Session & { code: string; errors?: { pointer: string; code: string }[] }>(
    '/v1/sessions',
    body,
    from === undefined ? {} : { origin: from },
  );

const pointers = (body: { errors?: { pointer: string; code: string }[] }) =>
  body.errors?.map(({ pointer, code }) => `${pointer} ${code}`);

describe('public keys', () => {
  test('[PK1] a public key stays readable, and has no secret', async () => {
    const { client: _client, ...made } = await publicKey({ widget: { title: 'Help' }, quickQuestions: ['Where?'] });
    expect(made).toMatchObject({
      role: 'public',
      publicKey: expect.stringMatching(/^hpp_[\w-]{43}$/),
      public: { ...settings, widget: { title: 'Help' }, quickQuestions: ['Where?'] },
    });
    expect(made).not.toHaveProperty('secret');
    const { body } = await admin.get<Page<ApiKey>>('/v1/keys?limit=200');
    expect(body.data).toContainEqual(made);
  });

  test('[PK1] settings belong to the role public, and only to it', async () => {
    const make = (body: object) => admin.post<{ errors: [] }>('/v1/keys', { name: 'a key', ...body });
    expect(pointers((await make({ role: 'public' })).body)).toEqual(['/public required']);
    expect(pointers((await make({ role: 'agent', public: settings })).body)).toEqual(['/public not-allowed']);
    const agentKey = await admin.withKey();
    const changed = await admin.call(`/v1/keys/${agentKey.keyId}`, { method: 'PATCH', body: { public: settings } });
    expect(pointers(changed.body)).toEqual(['/public not-allowed']);
  });

  test.each([
    ['acme.com'],
    ['https://acme.com/'],
    ['https://acme.com/path'],
    ['HTTPS://acme.com'],
    ['https://*'],
    ['https://*.com'],
    ['https://a.*.com'],
    ['ftp://acme.com'],
    ['javascript://acme.com'],
    ['null'],
    ['https://user@acme.com'],
    ['https://acme.com:443'],
  ])('[PK2] %s is no origin', async (odd) => {
    const body = { name: 'a page', role: 'public', public: { ...settings, allowedOrigins: [origin, odd] } };
    expect(pointers((await admin.post('/v1/keys', body)).body)).toEqual(['/public/allowedOrigins/1 origin']);
  });

  test('[PK3] a public key opens sessions, and does nothing else', async () => {
    const { client } = await publicKey();
    for (const call of everyCall(await makeThings(admin))) {
      const reply = await client.call(call.path, { ...call, headers: { origin } });
      const isRefused = reply.status === 403 && (reply.body as { code: string }).code === 'forbidden';
      expect(isRefused, `${call.method} ${call.route} → ${reply.status}`).toBe(call.route !== '/v1/sessions');
    }
    const open = Object.entries(verbSpecs).filter(([, { callers }]) => callers.includes('public'));
    expect(open.map(([verb]) => verb)).toEqual(['openSession']);
  });
});

describe('sessions', () => {
  test('[PK4] a session is a thread with the agent of the key, and a token that reaches it for an hour', async () => {
    const intents = [{ name: 'refund', label: 'Refunds' }, { name: 'order' }];
    const { client, id: keyId } = await publicKey({ intents, widget: { color: '#123456' }, quickQuestions: ['Hi'] });
    const sent = { customerId: 'c-1', locale: 'de-AT', variables: { plan: 'pro', seats: 3 } };
    const before = server.clock.now();
    const { status, body } = await open(client, sent);
    expect(status).toBe(201);
    expect(body).toMatchObject({ widget: { color: '#123456' }, intents, quickQuestions: ['Hi'] });
    expect(Date.parse(body.expiresAt) - before).toBeGreaterThan(3_599_000);
    expect(Date.parse(body.expiresAt) - before).toBeLessThan(3_602_000);
    const { body: thread } = await admin.get<Thread>(`/v1/threads/${body.threadId}`);
    expect(thread).toMatchObject({
      agent: 'helper',
      createdBy: { type: 'human', id: 'customer:c-1' },
      metadata: { session: { keyId, ...sent, origin, intents: ['refund', 'order'] } },
    });
    const person = new Client(server.url, body.token);
    const record = () => person.post('/api/public/v1/chat/events', { name: 'widget_open' });
    expect((await record()).status).toBe(200);
    server.clock.offsetMs += 3_602_000;
    expect((await record()).status).toBe(401);
    server.clock.offsetMs = 0;
  });

  test('[PK4] the token of a session is refused every call but those that are made for pages', async () => {
    const { client } = await publicKey();
    const { token, threadId } = (await open(client)).body;
    for (const call of everyCall({ ...(await makeThings(admin)), threadId })) {
      const reply = await admin.as(token).call(call.path, call);
      const where = `${call.method} ${call.route}`;
      expect(reply, where).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    }
  });

  test('[PK4] a session has the rights that its dialect calls, and no others', () => {
    const verbs = Object.entries(verbSpecs).filter(([, { callers }]) => callers.includes('session'));
    expect(
      verbs
        .map(([verb]) => verb)
        .toSorted()
        .join(' '),
    ).toBe(
      'getInteraction getMessage getRun getThread listMessages openFile postMessage readLog recordTelemetry submitAnswer uploadFile waitForTurn',
    );
  });

  test('[PK4] who says no name is a visitor, and a name never stands for somebody who is assigned', async () => {
    const { client, id: keyId } = await publicKey();
    const { body: visit } = await open(client);
    const { body: again } = await open(client);
    expect(again.threadId).not.toBe(visit.threadId);
    const { body: thread } = await admin.get<Thread>(`/v1/threads/${visit.threadId}`);
    expect(thread.createdBy.id).toMatch(/^visitor:/);
    const { body: claimed } = await open(client, { customerId: 'boss' });
    const { body: named } = await admin.get<Thread>(`/v1/threads/${claimed.threadId}`);
    expect(named.createdBy).toEqual({ type: 'human', id: 'customer:boss', via: 'token', keyId });
  });

  test.each<[string, string[], (string | undefined)[], (string | undefined)[]]>([
    [
      'an exact origin',
      [origin],
      [origin],
      [
        undefined,
        'https://www.acme.com',
        'http://acme.com',
        'https://acme.com:8443',
        'https://acme.com.evil.com',
        'null',
      ],
    ],
    [
      'all below a name',
      ['https://*.acme.com'],
      ['https://a.acme.com', 'https://a.b.acme.com'],
      [
        undefined,
        origin,
        'http://a.acme.com',
        'https://evilacme.com',
        'https://a.acme.com:8443',
        'https://acme.com.evil.com',
        'https://evil.com/.acme.com',
        'https://evil.com#.acme.com',
        'https://evil.com?.acme.com',
        'https://evil.com%20.acme.com',
        'https://.acme.com',
        'https://a..acme.com',
      ],
    ],
    ['anybody', ['*'], [undefined, 'null', 'https://wherever.org'], []],
  ])('[PK2] a key for %s', async (_name, allowedOrigins, allowed, refused) => {
    const { client } = await publicKey({ allowedOrigins });
    // Node's fetch sends no Origin of its own, as a program that is no page.
    for (const from of allowed) expect((await open(client, {}, from)).status, from).toBe(201);
    for (const from of refused) {
      const headers = from === undefined ? {} : { origin: from };
      const reply = await client.post('/v1/sessions', {}, headers);
      expect(reply, from).toMatchObject({ status: 403, body: { code: 'origin-not-allowed' } });
    }
  });

  test('[PK5] a key is switched off and on, and what is changed holds at once', async () => {
    const { client, id } = await publicKey();
    const patch = (body: object) => admin.call<ApiKey>(`/v1/keys/${id}`, { method: 'PATCH', body });
    const changed = await patch({ name: 'the shop', public: { isEnabled: false, allowedOrigins: ['https://b.org'] } });
    expect(changed.body).toMatchObject({ name: 'the shop', public: { agent: 'helper', isEnabled: false } });
    expect((await open(client, {}, 'https://b.org')).body.code).toBe('key-disabled');
    await patch({ public: { isEnabled: true } });
    expect((await open(client)).body.code).toBe('origin-not-allowed');
    expect((await open(client, {}, 'https://b.org')).status).toBe(201);
    expect(pointers((await patch({ public: { allowedOrigins: ['b.org'] } })).body as object)).toEqual([
      '/public/allowedOrigins/0 origin',
    ]);
  });

  test.each<[string, object, string]>([
    [
      '51 variables',
      { variables: Object.fromEntries([...Array(51).keys()].map((n) => [`v${n}`, n])) },
      '/variables max-items',
    ],
    ['a name in capitals', { variables: { Plan: 1 } }, '/variables/Plan name'],
    ['a long name', { variables: { [`v${'a'.repeat(64)}`]: 1 } }, `/variables/v${'a'.repeat(64)} name`],
    ['4,097 bytes', { variables: { a: 'x'.repeat(4_089) } }, '/variables too-large'],
    ['a locale with a space', { locale: 'de AT' }, '/locale pattern'],
    ['a long name of a customer', { customerId: 'c'.repeat(201) }, '/customerId max-length'],
    ['an origin of its own', { origin }, '/origin unknown-property'],
  ])('[PK4] refuses %s', async (_name, body, problem) => {
    const { client } = await publicKey();
    const reply = await open(client, body);
    expect(reply.status).toBe(400);
    expect(pointers(reply.body)).toEqual([problem]);
  });

  test('[PK4] takes variables up to the bounds', async () => {
    const { client } = await publicKey();
    const variables = { a: 'x'.repeat(4_088) };
    expect(JSON.stringify(variables)).toHaveLength(4_096);
    expect((await open(client, { variables })).status).toBe(201);
    const many = Object.fromEntries([...Array(50).keys()].map((n) => [`v${n}`, n]));
    expect((await open(client, { variables: many })).status).toBe(201);
  });
});

describe('telemetry', () => {
  const telemetry = async (threadId: string) =>
    (await admin.get<Page<LogEvent>>(`/v1/threads/${threadId}/log`)).body.data.filter(
      ({ type }) => type === 'telemetry.recorded',
    );

  test('[TE1] is an event of the log, once for each id', async () => {
    const { id: threadId } = await admin.newThread();
    const person = await admin.withToken({ threadId });
    const path = `/v1/threads/${threadId}/telemetry`;
    const record = (body: object) => person.post(path, body);
    expect((await record({ name: 'widget_open' })).body).toEqual({ isRepeated: false });
    expect((await record({ name: 'widget_open' })).body).toEqual({ isRepeated: false });
    const click = { name: 'link_click', props: { url: 'https://acme.com' }, id: 'e 1', at: '2030-01-31T12:00:00.000Z' };
    expect((await record(click)).body).toEqual({ isRepeated: false });
    expect((await record(click)).body).toEqual({ isRepeated: true });
    expect((await record({ name: 'other', id: 'e 1' })).body).toEqual({ isRepeated: true });
    const recorded = await telemetry(threadId);
    expect(recorded).toMatchObject([
      { actor: { type: 'human', id: 'ada' }, data: { name: 'widget_open', props: {} } },
      { data: { name: 'widget_open' } },
      { data: click },
    ]);
    const { id: second } = await admin.newThread();
    const other = await admin.withToken({ threadId: second });
    expect((await other.post(`/v1/threads/${second}/telemetry`, click)).body).toEqual({ isRepeated: false });
    expect((await other.post(path, click)).status).toBe(404);
  });

  test('[TE1] is no input of a worker', async () => {
    const { id: threadId } = await admin.newThread({ agent: 'listener' });
    const person = await admin.withToken({ threadId });
    await person.post(`/v1/threads/${threadId}/telemetry`, { name: 'widget_open' });
    await person.post(`/v1/threads/${threadId}/messages`, { text: 'Hello' });
    const claim = { workerId: 'ann', agents: ['listener'], waitMs: 10_000 };
    const { body } = await admin.post<{ data: { inputs: { type: string }[] }[] }>('/v1/dispatch/claim', claim);
    expect(body.data[0]?.inputs.map(({ type }) => type)).toEqual(['message']);
  });

  test.each<[string, object, string]>([
    ['a name in capitals', { name: 'Widget' }, '/name pattern'],
    ['a long name', { name: `w${'a'.repeat(64)}` }, '/name pattern'],
    ['large props', { name: 'a', props: { a: 'x'.repeat(4_096) } }, '/props too-large'],
    ['a long id', { name: 'a', id: 'x'.repeat(129) }, '/id max-length'],
    ['a time that is none', { name: 'a', at: 'yesterday' }, '/at format'],
  ])('[TE1] refuses %s', async (_name, body, problem) => {
    const { id: threadId } = await admin.newThread();
    const person = await admin.withToken({ threadId });
    const reply = await person.post(`/v1/threads/${threadId}/telemetry`, body);
    expect(pointers(reply.body)).toEqual([problem]);
    expect(await telemetry(threadId)).toEqual([]);
  });
});
