import { createHmac } from 'node:crypto';
import type { CreatedWebhook, Delivery, Interaction, LogEvent, Message, Page, Webhook } from '@holdpoint/protocol';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { newPlace } from '../../new-place.ts';
import { type SpecClient, startSpecServer } from '../openapi/spec-server.ts';
import { type Answering, type Received, startReceiver, type WebhookBody } from './webhook-receiver.ts';

const server = await startSpecServer();
const { admin } = server;
afterAll(() => server[Symbol.asyncDispose]());

const hour = 3_600_000;

/** A webhook for the events of one thread, so that tests do not hear each other. */
async function hookOfTest({ answer, client = admin, ...body }: HookOptions = {}) {
  const receiver = await startReceiver(answer);
  const { id: threadId } = await client.newThread();
  const hook = await client.made<CreatedWebhook>('/v1/webhooks', { url: receiver.url, threadId, ...body });
  const path = `/v1/webhooks/${hook.id}`;
  onTestFinished(async () => {
    if (client === admin) await client.call(path, { method: 'DELETE' });
    await receiver[Symbol.asyncDispose]();
  });
  return {
    receiver,
    hook,
    path,
    threadId,
    say: (text = 'Hello') => client.made<Message>(`/v1/threads/${threadId}/messages`, { text }),
    get: async () => (await client.get<Webhook>(path)).body,
    deliveries: async (query = '') =>
      (await client.get<Page<Delivery>>(`${path}/deliveries?order=oldest${query}`)).body.data,
  };
}

interface HookOptions {
  answer?: Answering;
  client?: SpecClient;
  [setting: string]: unknown;
}

const texts = (received: readonly Received[]): string[] =>
  received.map(({ body }) => {
    const { data } = JSON.parse(body) as WebhookBody;
    return (data.data.message as Message).blocks.map(({ payload }) => payload.text).join();
  });

const verify = (secret: string | undefined, { headers, body }: Received): WebhookBody =>
  new Verifier(`${secret}`).verify(body, headers as Record<string, string>) as WebhookBody;

const first = <T>(list: readonly T[]): T => {
  const [one] = list;
  if (one === undefined) throw new Error('there is none');
  return one;
};

describe('what is sent', () => {
  test('[WH1][WH2][WH3] an event arrives as it is in the log, signed by Standard Webhooks', async () => {
    const { receiver, hook, threadId, say, deliveries } = await hookOfTest({ headers: { 'X-Tenant': 'acme' } });
    await say();
    await expect.poll(() => receiver.received.length).toBe(1);
    const got = first(receiver.received);
    const { body: log } = await admin.get<Page<LogEvent>>(`/v1/threads/${threadId}/log?after=1`);
    const event = first(log.data);
    expect(verify(hook.secret, got)).toEqual({ type: 'message.created', timestamp: event.at, data: event });
    expect(got.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'user-agent': expect.stringMatching(/^holdpoint\/\d+\.\d+\.\d+$/),
      'webhook-id': `evt_${event.cursor}`,
      'x-tenant': 'acme',
    });
    await expect.poll(async () => first(await deliveries()).status).toBe('delivered');
    expect(first(await deliveries())).toMatchObject({
      webhookId: hook.id,
      event: { cursor: event.cursor, threadId, seq: 2, type: 'message.created' },
      attempts: [{ status: 200, durationMs: expect.any(Number) }],
    });
  });

  test('[WH3] an event of an interaction carries what is needed to go on, and no secret value', async () => {
    const secret = 'hunter2-in-the-clear';
    const { receiver, threadId } = await hookOfTest({ order: 'thread' });
    const asked = await admin.ask(
      {
        options: undefined,
        fields: [
          { name: 'user', type: 'text', label: 'User' },
          { name: 'password', type: 'password', label: 'Password' },
        ],
        run: { id: 'run-1' },
        trace: { span: 'a' },
        metadata: { order: 7 },
      },
      threadId,
    );
    expect((await admin.answer(asked.id, { user: 'ann', password: secret })).status).toBe(200);
    await expect.poll(() => receiver.received.length).toBe(2);
    const [, answered] = receiver.events();
    expect(answered).toMatchObject({
      type: 'interaction.answered',
      data: {
        interactionId: asked.id,
        data: { answer: { values: { user: 'ann' }, secretFields: ['password'] } },
        interaction: {
          id: asked.id,
          kind: 'form',
          title: 'Deploy?',
          run: { id: 'run-1' },
          trace: { span: 'a' },
          metadata: { order: 7 },
        },
      },
    });
    expect(JSON.stringify(receiver.received)).not.toContain(secret);
  });

  test('[WH1] a filter by type and thread leaves the others out, also after it was changed', async () => {
    const { receiver, threadId, path, say } = await hookOfTest({ events: ['interaction.created'] });
    await say('left out');
    await admin.ask({}, threadId);
    await admin.ask();
    await expect.poll(() => receiver.received.length).toBe(1);
    await admin.patch(path, { events: ['message.created'] });
    await admin.ask({}, threadId);
    await say('let through');
    await expect.poll(() => receiver.received.length).toBe(2);
    expect(receiver.events().map(({ type }) => type)).toEqual(['interaction.created', 'message.created']);
    await admin.patch(path, { events: null, threadId: null });
    const elsewhere = await admin.newThread();
    await expect.poll(() => receiver.events().map(({ data }) => data.threadId)).toContain(elsewhere.id);
  });

  test('[WH2] after a rotation the old secret verifies too, for as long as was asked', async () => {
    const { receiver, hook, path, say } = await hookOfTest();
    const { body: second } = await admin.post<CreatedWebhook>(`${path}/rotate-secret`, {});
    await say();
    await expect.poll(() => receiver.received.length).toBe(1);
    for (const secret of [hook.secret, second.secret]) verify(secret, first(receiver.received));
    const given = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;
    await admin.post(`${path}/rotate-secret`, { secret: given, keepOldForSeconds: 0 });
    await say();
    await expect.poll(() => receiver.received.length).toBe(2);
    const [, last] = receiver.received as [Received, Received];
    verify(given, last);
    expect(() => verify(second.secret, last)).toThrow();
  });

  test('[WH4] Opengram’s envelope and signature, together with the standard headers', async () => {
    const secret = 'a-secret-of-opengram';
    const { receiver, threadId, say } = await hookOfTest({ format: 'opengram', secret, order: 'thread' });
    const asked = await admin.ask({ trace: { span: 'a' } }, threadId);
    await admin.patch(`/v1/interactions/${asked.id}`, { metadata: { a: 1 } });
    await admin.answer(asked.id);
    await say('Done');
    await expect.poll(() => receiver.received.length).toBe(3);
    const request = { chatId: threadId, requestId: asked.id, type: 'choice', title: 'Deploy?' };
    expect(receiver.events<object>()).toMatchObject([
      { type: 'request.created', payload: request },
      {
        type: 'request.resolved',
        payload: {
          ...request,
          status: 'resolved',
          resolutionPayload: { selectedOptionIds: ['yes'] },
          trace: { span: 'a' },
        },
      },
      { type: 'message.created', payload: { chatId: threadId, content: 'Done' } },
    ]);
    for (const { headers, body } of receiver.received) {
      const expected = createHmac('sha256', secret).update(body).digest('hex');
      expect(headers['x-opengram-signature']).toBe(`sha256=${expected}`);
      new Verifier(secret, { format: 'raw' }).verify(body, headers as Record<string, string>);
    }
  });
});

describe('attempts', () => {
  test('[WH1][WH5][WH6] what fails is attempted again with the same id, not before Retry-After', async () => {
    const { receiver, say, deliveries } = await hookOfTest({
      answer(_, response) {
        if (receiver.received.length > 1) return 204;
        response.writeHead(503, { 'retry-after': '2' }).end('busy');
        return undefined;
      },
    });
    await say();
    await expect.poll(() => receiver.received.length).toBe(2);
    const [one, two] = receiver.received as [Received, Received];
    expect(two.at - one.at).toBeGreaterThan(1_900);
    expect(two.headers['webhook-id']).toBe(one.headers['webhook-id']);
    expect(two.body).toBe(one.body);
    await expect.poll(async () => first(await deliveries()).status).toBe('delivered');
    const { attempts, nextAttemptAt } = first(await deliveries());
    expect(attempts).toMatchObject([{ status: 503, error: 'The response had status 503.' }, { status: 204 }]);
    expect(nextAttemptAt).toBeUndefined();
  });

  test('[WH5] a redirect is not followed', async () => {
    const { receiver, say, deliveries } = await hookOfTest({
      answer: (_, response) => {
        response.writeHead(307, { location: `${receiver.url}/elsewhere` }).end();
        return undefined;
      },
    });
    await say();
    await expect
      .poll(async () => first(await deliveries()).attempts[0])
      .toMatchObject({
        status: 307,
        error: 'The response was a redirect (307). The server does not follow redirects.',
      });
    expect(receiver.received.every(({ path }) => path === '/hook')).toBe(true);
  });

  test.each([
    ['says nothing', () => undefined, undefined],
    [
      'does not end its answer',
      (_: unknown, response: Parameters<Answering>[1]) => {
        response.writeHead(200).write('…');
        return undefined;
      },
      200,
    ],
  ] as const)('[WH5] an endpoint that %s in time has failed', async (_, answer, status) => {
    const { say, deliveries } = await hookOfTest({ answer: answer as Answering, timeoutMs: 150 });
    await say();
    await expect.poll(async () => (await deliveries())[0]?.attempts ?? []).not.toEqual([]);
    const attempt = first(first(await deliveries()).attempts);
    expect(attempt).toMatchObject({ error: 'No complete response within 150 ms.' });
    expect(attempt.status).toBe(status);
    expect(attempt.durationMs).toBeGreaterThanOrEqual(149);
  });

  test('[WH5] an answer that is cut before its end was not taken', async () => {
    const { receiver, say, deliveries } = await hookOfTest({
      answer: (_, response) => {
        response.writeHead(200, { 'content-length': 100 }).write('not all');
        setTimeout(() => response.destroy(), 20);
        return undefined;
      },
    });
    await say();
    await expect
      .poll(async () => (await deliveries())[0]?.attempts ?? [])
      .toMatchObject([{ status: 200, error: 'The connection was interrupted.' }]);
    receiver.answer = () => 200;
    await expect.poll(async () => (await deliveries())[0]?.status, { timeout: 20_000 }).toBe('delivered');
  });

  test('[WH5] nobody listens: the attempt says so', async () => {
    const { receiver, say, deliveries } = await hookOfTest();
    await receiver.die();
    await say();
    await expect
      .poll(async () => (await deliveries())[0]?.attempts ?? [])
      .toMatchObject([{ error: 'The connection was refused.' }]);
  });

  test('[WH5] an answer of any length is taken, and its connection is not', async () => {
    const { say, deliveries } = await hookOfTest({
      answer: (_, response) => {
        response.writeHead(200).end('x'.repeat(5_000_000));
        return undefined;
      },
    });
    await say();
    await expect.poll(async () => (await deliveries())[0]?.status).toBe('delivered');
  });

  test('[WH9] with order, a thread waits for its oldest event; without, it does not', async () => {
    for (const order of ['thread', 'none']) {
      const { receiver, say } = await hookOfTest({
        order,
        answer: (received) => (texts([received])[0] === 'one' && receiver.received.length < 4 ? 500 : 200),
      });
      for (const text of ['one', 'two', 'three']) await say(text);
      if (order === 'thread') {
        await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBe(6);
        expect(texts(receiver.received)).toEqual(['one', 'one', 'one', 'one', 'two', 'three']);
      } else {
        await expect.poll(() => texts(receiver.received)).toEqual(expect.arrayContaining(['one', 'two', 'three']));
        expect(texts(receiver.received).filter((text) => text === 'one')).toHaveLength(1);
      }
    }
  });

  test('[WH9] no more attempts at a time than asked, and a slow endpoint delays no other', async () => {
    const held: (() => void)[] = [];
    const slow = await hookOfTest({
      concurrency: 3,
      answer: () => new Promise((resolve) => held.push(() => resolve(200))),
    });
    const { id: threadId } = await admin.newThread();
    const quick = await startReceiver();
    onTestFinished(() => quick[Symbol.asyncDispose]());
    const { id } = await admin.made<Webhook>('/v1/webhooks', { url: quick.url, threadId: slow.threadId });
    onTestFinished(async () => void (await admin.call(`/v1/webhooks/${id}`, { method: 'DELETE' })));
    for (let count = 0; count < 20; count++) await slow.say(`${count}`);
    await admin.made(`/v1/threads/${threadId}/messages`, { text: 'elsewhere' });
    await expect.poll(() => quick.received.length).toBe(20);
    expect(slow.receiver.received).toHaveLength(3);
    while (slow.receiver.received.length < 20 || held.length > 0) {
      held.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(new Set(texts(slow.receiver.received)).size).toBe(20);
  });
});

describe('the end of patience', () => {
  /** On a server of its own, because its clock moves. */
  async function serverOfTest() {
    const own = await startSpecServer();
    onTestFinished(() => own[Symbol.asyncDispose]());
    return own;
  }

  const notices = async (client: SpecClient) =>
    (await client.get<Page<LogEvent>>('/v1/threads/_holdpoint/log')).body.data ?? [];

  test('[WH6][WH7][WH8] after three days it is dead and the webhook disabled; enabled again, it can be replayed', async () => {
    const own = await serverOfTest();
    const { receiver, say, deliveries, get, path, hook } = await hookOfTest({ client: own.admin, answer: () => 500 });
    await say('one');
    await expect.poll(async () => first(await deliveries()).attempts.length).toBe(1);
    own.clock.offsetMs += 73 * hour;
    await expect.poll(async () => (await get()).status, { timeout: 20_000 }).toBe('disabled');
    expect(await get()).toMatchObject({ disabledReason: 'failing', disabledAt: expect.any(String) });
    await expect.poll(async () => first(await deliveries()).status).toBe('dead');
    expect(await notices(own.admin)).toMatchObject([
      { seq: 1, type: 'thread.created' },
      {
        seq: 2,
        type: 'webhook.disabled',
        actor: { type: 'system', id: 'webhooks', via: 'local' },
        data: { webhook: { id: hook.id }, reason: 'failing' },
      },
    ]);

    receiver.answer = () => 200;
    await say('two');
    const { body: enabled } = await own.admin.patch<Webhook>(path, { status: 'enabled' });
    expect(enabled).toMatchObject({ status: 'enabled' });
    expect(enabled.disabledReason).toBeUndefined();
    await expect.poll(() => texts(receiver.received).at(-1)).toBe('two');

    const dead = first(await deliveries('&status=dead'));
    const { status, body: replay } = await own.admin.post<Delivery>(`${path}/deliveries/${dead.id}/replay`);
    expect({ status, of: replay.replayOf, state: replay.status }).toEqual({
      status: 201,
      of: dead.id,
      state: 'pending',
    });
    await expect.poll(() => texts(receiver.received).at(-1)).toBe('one');
    expect(receiver.received.at(-1)?.headers['webhook-id']).toBe(receiver.received[0]?.headers['webhook-id']);
    const { body: old } = await own.admin.get<Delivery>(`${path}/deliveries/${dead.id}`);
    expect(old).toMatchObject({ status: 'dead', replayedBy: replay.id });
  });

  test('[WH7] 410 disables at once, and what is pending waits; an event says so, also to other webhooks', async () => {
    const own = await serverOfTest();
    const watching = await startReceiver();
    onTestFinished(() => watching[Symbol.asyncDispose]());
    await own.admin.made('/v1/webhooks', { url: watching.url, events: ['webhook.disabled'] });
    const { receiver, say, get, path, deliveries, hook } = await hookOfTest({ client: own.admin, answer: () => 410 });
    await say('one');
    await expect.poll(async () => (await get()).disabledReason).toBe('gone');
    await expect
      .poll(() => watching.events())
      .toMatchObject([
        {
          type: 'webhook.disabled',
          data: { threadId: '_holdpoint', data: { webhook: { id: hook.id }, reason: 'gone' } },
        },
      ]);
    receiver.answer = () => 200;
    await say('two');
    own.clock.offsetMs += 5_000;
    expect(receiver.received).toHaveLength(1);
    await own.admin.patch(path, { status: 'enabled' });
    await expect.poll(() => texts(receiver.received).sort()).toEqual(['one', 'one', 'two']);
    await expect.poll(async () => (await deliveries()).map(({ status }) => status)).toEqual(['delivered', 'delivered']);
  });

  test('[WH7] disabled by an admin it rests; enabled from now on, what was missed is given up', async () => {
    const { receiver, say, get, path, deliveries } = await hookOfTest({ answer: () => 500 });
    await say('one');
    await expect.poll(() => receiver.received.length).toBe(1);
    expect((await admin.patch(path, { status: 'enabled', from: 'now' })).body).toMatchObject({
      code: 'invalid-input',
      errors: [{ pointer: '/from' }],
    });
    await admin.patch(path, { status: 'disabled' });
    expect(await get()).toMatchObject({ status: 'disabled', disabledReason: 'asked' });
    await say('two');
    receiver.answer = () => 200;
    await admin.patch(path, { status: 'enabled', from: 'now' });
    await say('three');
    await expect.poll(() => texts(receiver.received).at(-1)).toBe('three');
    expect(texts(receiver.received)).not.toContain('two');
    expect((await deliveries()).map(({ status }) => status)).toEqual(['dead', expect.any(String)]);
  });
});

describe('deliveries', () => {
  test('[WH8] all since a time are replayed once each, also when asked twice', async () => {
    const { receiver, say, path, get, deliveries } = await hookOfTest();
    await say('before');
    await expect.poll(async () => (await deliveries('&status=delivered')).length).toBe(1);
    const since = new Date(Date.parse(first(await deliveries()).createdAt) + 1).toISOString();
    await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(since));
    for (const text of ['one', 'two', 'three']) await say(text);
    await expect.poll(async () => (await deliveries('&status=delivered')).length).toBe(4);
    for (const [asked, expected] of [
      ['dead', 4],
      ['all', 7],
      ['all', 10],
    ] as const) {
      const { status } = await admin.post(`${path}/replay`, { since, status: asked });
      expect(status).toBe(200);
      await expect.poll(async () => (await get()).isReplaying).toBeUndefined();
      await expect.poll(async () => (await deliveries('&status=delivered')).length).toBe(expected);
      expect(receiver.received).toHaveLength(expected);
    }
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(4);
    expect(texts(receiver.received).filter((text) => text === 'before')).toHaveLength(1);
  });

  test('[WH8] one replay of many is under way at a time', async () => {
    const { path } = await hookOfTest();
    await admin.call(path, { method: 'PATCH', body: { status: 'disabled' } });
    const replay = () => admin.post(`${path}/replay`, { since: new Date().toISOString() });
    expect(await replay()).toMatchObject({ status: 200, body: { isReplaying: true } });
    expect(await replay()).toMatchObject({ status: 409, body: { code: 'replay-under-way' } });
  });

  test('[WH8] what is pending is not replayed, and what is not there is not found', async () => {
    const { say, path, deliveries } = await hookOfTest({ answer: () => 500 });
    await say();
    await expect.poll(async () => (await deliveries()).length).toBe(1);
    const { id } = first(await deliveries());
    expect(await admin.post(`${path}/deliveries/${id}/replay`)).toMatchObject({
      status: 409,
      body: { code: 'delivery-pending' },
    });
    expect(await admin.get(`${path}/deliveries/never-was`)).toMatchObject({ body: { code: 'delivery-not-found' } });
    expect(await admin.get('/v1/webhooks/never-was/deliveries')).toMatchObject({ body: { code: 'webhook-not-found' } });
  });

  test('[WH8] they are listed by status, in pages, the newest first', async () => {
    const { say, path, deliveries } = await hookOfTest();
    for (const text of ['one', 'two', 'three']) await say(text);
    await expect.poll(async () => (await deliveries('&status=delivered')).length).toBe(3);
    const { body: page } = await admin.get<Page<Delivery>>(`${path}/deliveries?limit=2`);
    const { body: rest } = await admin.get<Page<Delivery>>(`${path}/deliveries?limit=2&cursor=${page.next}`);
    expect([...page.data, ...rest.data].map(({ event }) => event.seq)).toEqual([4, 3, 2]);
    expect(rest.next).toBeUndefined();
    expect(await deliveries('&status=dead')).toEqual([]);
  });
});

describe('where a webhook may lead', () => {
  test('[WH10] private addresses are refused when it is registered or changed, and headers that are ours always', async () => {
    const strict = await startSpecServer({
      allowPrivateWebhooks: false,
      internals: { resolveHost: async () => [{ address: '93.184.216.34', family: 4 }] },
    });
    onTestFinished(() => strict[Symbol.asyncDispose]());
    const refused = async (body: object, pointer: string) =>
      expect(await strict.admin.post('/v1/webhooks', body), JSON.stringify(body)).toMatchObject({
        status: 400,
        body: { code: 'invalid-input', errors: [{ pointer }] },
      });
    for (const url of ['http://127.0.0.1:7400/', 'http://[::1]/', 'http://0x7f.1/', 'https://10.1.2.3/', 'ftp://a.b/'])
      await refused({ url }, '/url');
    await refused({ url: 'https://user:pw@public.example/' }, '/url');
    await refused({ url: 'https://public.example/', headers: { Host: 'x' } }, '/headers/Host');
    await refused({ url: 'https://public.example/', headers: { 'not a name': 'x' } }, '/headers/not a name');
    await refused({ url: 'https://public.example/', headers: { 'X-A': 'a\r\nX-B: b' } }, '/headers/X-A');
    await refused({ url: 'https://public.example/', secret: 'not in the form of the standard' }, '/secret');
    const { id } = await strict.admin.made<Webhook>('/v1/webhooks', {
      url: 'https://public.example/',
      events: ['webhook.disabled'],
    });
    expect(await strict.admin.patch(`/v1/webhooks/${id}`, { url: 'http://192.168.1.1/' })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/url' }] },
    });
  });

  test('[WH10] a name that leads home by the time of the connection is not followed there', async () => {
    const receiver = await startReceiver();
    onTestFinished(() => receiver[Symbol.asyncDispose]());
    const { port } = new URL(receiver.url);
    const answers = ['93.184.216.34'];
    const strict = await startSpecServer({
      allowPrivateWebhooks: false,
      internals: { resolveHost: async () => [{ address: answers.shift() ?? '127.0.0.1', family: 4 }] },
    });
    onTestFinished(() => strict[Symbol.asyncDispose]());
    const { id } = await strict.admin.made<Webhook>('/v1/webhooks', { url: `http://rebinding.example:${port}/hook` });
    const refusal = 'The address of the host is private, or not on the internet.';
    expect((await strict.admin.post(`/v1/webhooks/${id}/test`)).body).toMatchObject({ error: refusal });
    await strict.admin.newThread();
    const attempts = async () =>
      (await strict.admin.get<Page<Delivery>>(`/v1/webhooks/${id}/deliveries`)).body.data[0]?.attempts ?? [];
    await expect.poll(attempts).toMatchObject([{ error: refusal }]);
    expect(receiver.received).toEqual([]);
  });

  test('[WH10] an address that was allowed once is refused by a server that does not allow it', async () => {
    const place = await newPlace();
    onTestFinished(() => place[Symbol.asyncDispose]());
    const lenient = await startSpecServer({ place });
    const receiver = await startReceiver();
    onTestFinished(() => receiver[Symbol.asyncDispose]());
    const { id } = await lenient.admin.made<Webhook>('/v1/webhooks', { url: receiver.url });
    await lenient.stop();
    const strict = await startSpecServer({ place, allowPrivateWebhooks: false });
    onTestFinished(() => strict.stop());
    await strict.admin.newThread();
    const attempts = async () =>
      (await strict.admin.get<Page<Delivery>>(`/v1/webhooks/${id}/deliveries`)).body.data[0]?.attempts ?? [];
    await expect.poll(attempts).toMatchObject([{ error: expect.stringMatching(/private/) }]);
    expect(receiver.received).toEqual([]);
  });
});

describe('what is shown', () => {
  test('[WH11] a secret is shown once, and values of headers never', async () => {
    const receiver = await startReceiver();
    onTestFinished(() => receiver[Symbol.asyncDispose]());
    const body = { url: receiver.url, events: ['webhook.disabled'], headers: { Authorization: 'Bearer hidden-value' } };
    const key = { 'idempotency-key': 'the-same-webhook' };
    const { body: made } = await admin.post<CreatedWebhook>('/v1/webhooks', body, key);
    expect(made.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(made).toMatchObject({
      headerNames: ['Authorization'],
      status: 'enabled',
      format: 'standard',
      order: 'none',
    });
    const { body: again } = await admin.post<CreatedWebhook>('/v1/webhooks', body, key);
    expect(again.id).toBe(made.id);
    const path = `/v1/webhooks/${made.id}`;
    const rotateKey = { 'idempotency-key': 'the-same-rotation' };
    const { body: rotated } = await admin.post<CreatedWebhook>(`${path}/rotate-secret`, {}, rotateKey);
    const { body: repeated } = await admin.post<CreatedWebhook>(`${path}/rotate-secret`, {}, rotateKey);
    expect(rotated.secret).toMatch(/^whsec_/);
    const { body: got } = await admin.get(path);
    const { body: list } = await admin.get<Page<Webhook>>('/v1/webhooks?limit=200');
    const { body: patched } = await admin.patch<Webhook>(path, {
      description: 'mine',
      headers: { 'X-A': 'hidden-too' },
    });
    expect(patched).toMatchObject({ description: 'mine', headerNames: ['X-A'] });
    expect(list.data.map(({ id }) => id)).toContain(made.id);
    const shown = JSON.stringify([again, repeated, got, list, patched]);
    for (const hidden of ['whsec_', 'hidden-value', 'hidden-too']) expect(shown).not.toContain(hidden);
    await admin.call(path, { method: 'DELETE' });
    expect((await admin.get(path)).status).toBe(404);
  });

  test('[WH12] a test is one signed attempt, and stored nowhere', async () => {
    const { receiver, hook, path, deliveries } = await hookOfTest();
    const { status, body } = await admin.post(`${path}/test`);
    expect({ status, body }).toMatchObject({ status: 200, body: { status: 200, durationMs: expect.any(Number) } });
    expect(verify(hook.secret, first(receiver.received))).toMatchObject({
      type: 'webhook.test',
      data: { webhook: { id: hook.id } },
    });
    receiver.answer = () => 500;
    expect((await admin.post(`${path}/test`)).body).toMatchObject({
      status: 500,
      error: 'The response had status 500.',
    });
    expect(await deliveries()).toEqual([]);
  });

  test('[WH1] after it was deleted nothing is sent any more', async () => {
    const { receiver, path, say } = await hookOfTest();
    await say('one');
    await expect.poll(() => receiver.received.length).toBe(1);
    expect((await admin.call(path, { method: 'DELETE' })).status).toBe(200);
    const other = await hookOfTest();
    await say('two');
    await other.say('three');
    await expect.poll(() => other.receiver.received.length).toBe(1);
    expect(receiver.received).toHaveLength(1);
  });

  test('[WH1] settings that change hold from the next attempt on', async () => {
    const { receiver, path, say } = await hookOfTest();
    const other = await startReceiver();
    onTestFinished(() => other[Symbol.asyncDispose]());
    const { body } = await admin.patch<Webhook>(path, { url: other.url, concurrency: 2, headers: { 'X-New': '1' } });
    expect(body).toMatchObject({ url: other.url, concurrency: 2 });
    await say();
    await expect.poll(() => other.received.length).toBe(1);
    expect(first(other.received).headers['x-new']).toBe('1');
    expect(receiver.received).toEqual([]);
  });
});

describe('stopping and starting', () => {
  test('[WH13] an attempt in flight is finished, and not made again', async () => {
    const own = await startSpecServer();
    onTestFinished(() => own[Symbol.asyncDispose]());
    const { receiver, say } = await hookOfTest({
      client: own.admin,
      answer: () => new Promise((resolve) => setTimeout(resolve, 500, 200)),
    });
    await say();
    await expect.poll(() => receiver.received.length).toBe(1);
    await own.restart();
    const { body } = await own.admin.get<Page<Webhook>>('/v1/webhooks');
    const path = `/v1/webhooks/${first(body.data).id}/deliveries`;
    const { data } = (await own.admin.get<Page<Delivery>>(path)).body;
    expect(first(data)).toMatchObject({ status: 'delivered', attempts: [{ status: 200 }] });
    expect(receiver.received).toHaveLength(1);
  });

  test('[WH13][WH1] one that hangs is cut off, stays pending, and is made again after the start', async () => {
    const own = await startSpecServer();
    onTestFinished(() => own[Symbol.asyncDispose]());
    const { receiver, say } = await hookOfTest({ client: own.admin, answer: () => new Promise(() => {}) });
    const asked: Interaction = await own.admin.ask();
    await say();
    await expect.poll(() => receiver.received.length).toBe(1);
    await own.stop();
    receiver.answer = () => 200;
    await own.restart();
    await expect.poll(() => receiver.received.length).toBe(2);
    const [one, two] = receiver.received as [Received, Received];
    expect(two.headers['webhook-id']).toBe(one.headers['webhook-id']);
    expect((await own.admin.get(`/v1/interactions/${asked.id}`)).status).toBe(200);
  });
});
