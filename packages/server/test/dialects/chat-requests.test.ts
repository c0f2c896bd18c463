/** Requests in the words of Opengram: a client that was written for it works unchanged. */
import type { Interaction } from '@holdpoint/protocol';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Client } from '../client.ts';
import { startTestServer, type TestServer } from '../test-server.ts';
import {
  ask,
  fixture,
  newChat,
  pending,
  type Refusal,
  type Request,
  refused,
  resolve,
} from './chat-requests.client.ts';

let server: TestServer;
let admin: Client;
let chat: string;

beforeEach(async () => {
  server = await startTestServer();
  onTestFinished(() => server[Symbol.asyncDispose]());
  ({ admin } = server);
  chat = await newChat(admin);
});

const examples = ['choice', 'choice-multi', 'text-input', 'text-input-validation', 'form', 'choice-trace'];
const yesOrNo = {
  type: 'choice',
  title: 'Deploy?',
  config: {
    options: [
      { id: 'yes', label: 'Yes' },
      { id: 'no', label: 'No' },
    ],
  },
};
const get = (request: Request) => admin.get<Request>(`/api/v1/requests/${request.id}`);
const patch = <T = Request>({ id }: Request, body: unknown) =>
  admin.call<T>(`/api/v1/requests/${id}`, { method: 'PATCH', body });

/** The defaults of Opengram for a config that omits them. */
const withDefaults = ({ type, config }: Pick<Request, 'type' | 'config'>) => ({
  ...(type === 'choice' ? { minSelections: 0, maxSelections: 1 } : {}),
  ...(type === 'form' ? { submitLabel: 'Submit' } : {}),
  ...config,
});
/** The error of a late call. */
const metClosed = ({ id: requestId }: Request, status: string) => ({
  ...{ requestId, status, closedAt: expect.any(String) },
  closedBy: { type: expect.any(String), id: expect.any(String) },
});

describe('the examples of the page', () => {
  test.each(examples)('%s is asked as it stands and shown as it was sent', async (name) => {
    const sent = JSON.parse(fixture(name)) as Request;
    const request = await ask(admin, chat, fixture(name));
    expect(request).toStrictEqual({
      id: request.id,
      chat_id: chat,
      type: sent.type,
      status: 'pending',
      title: sent.title,
      body: sent.body ?? null,
      config: withDefaults(sent),
      created_at: request.created_at,
      resolved_at: null,
      resolved_by: null,
      resolution_payload: null,
      trace: sent.trace ?? null,
      expires_at: null,
    });
    expect(new Date(request.created_at).toISOString()).toBe(request.created_at);
    expect((await get(request)).body).toStrictEqual(request);
    expect(await pending(admin, chat)).toStrictEqual([request]);
  });

  test.each(['choice', 'text-input', 'form'])('%s is resolved by the payload of the page', async (name) => {
    const request = await ask(admin, chat, fixture(name));
    const resolved = await resolve(admin, request, fixture(`${name}.resolution`));
    expect(resolved.status, JSON.stringify(resolved.body)).toBe(200);
    expect(resolved.body).toStrictEqual({
      ...request,
      status: 'resolved',
      resolved_at: expect.any(String),
      resolved_by: 'user',
      resolution_payload: JSON.parse(fixture(`${name}.resolution`)),
    });
    expect((await get(request)).body).toStrictEqual(resolved.body);
  });

  test('several of many are picked within the bounds', async () => {
    const request = await ask(admin, chat, fixture('choice-multi'));
    for (const selectedOptionIds of [[], ['cheese', 'pepperoni', 'mushrooms', 'cheese'], ['olives']])
      refused(await resolve(admin, request, { selectedOptionIds }), 'VALIDATION_ERROR', 400);
    const payload = { selectedOptionIds: ['mushrooms', 'cheese'] };
    expect((await resolve(admin, request, payload)).body).toMatchObject({ resolution_payload: payload });
  });

  test('a version number must look like one', async () => {
    const request = await ask(admin, chat, fixture('text-input-validation'));
    const { details } = refused(await resolve(admin, request, { text: 'one' }), 'VALIDATION_ERROR', 400);
    expect(details).toMatchObject({ field: 'text', problems: [{ pointer: '/text', code: 'pattern' }] });
    expect((await resolve(admin, request, { text: ' 1.2.3\n' })).body.resolution_payload).toEqual({ text: '1.2.3' });
  });
});

describe('listing', () => {
  test('what is pending, the oldest first, unless another status is asked for', async () => {
    const requests: Request[] = [];
    for (const title of ['a', 'b', 'c', 'd']) requests.push(await ask(admin, chat, { ...yesOrNo, title }));
    const [first, second, third] = requests as [Request, Request, Request];
    await resolve(admin, second, { selectedOptionIds: ['yes'] });
    await admin.post(`/api/v1/requests/${third.id}/cancel`);
    await admin.post(`/api/v1/requests/${first.id}/decline`, { reason: 'Not now' });
    const titles = async (query: string) =>
      (await admin.get<{ data: Request[] }>(`/api/v1/chats/${chat}/requests${query}`)).body.data.map(
        ({ title }) => title,
      );
    expect(await titles('')).toEqual(['d']);
    expect(await titles('?status=pending')).toEqual(['d']);
    expect(await titles('?status=resolved')).toEqual(['b']);
    expect(await titles('?status=cancelled')).toEqual(['a', 'c']);
    expect(await titles('?status=all')).toEqual(['a', 'b', 'c', 'd']);
  });

  test('a list longer than a page is whole', async () => {
    await Promise.all(Array.from({ length: 203 }, (_, n) => ask(admin, chat, { ...yesOrNo, title: `${n}` })));
    const list = await admin.get<{ data: Request[] }>(`/api/v1/chats/${chat}/requests`);
    expect(Object.keys(list.body)).toEqual(['data']);
    expect(new Set(list.body.data.map(({ id }) => id)).size).toBe(203);
  });

  test('pending requests are counted for all chats and for each', async () => {
    const other = await newChat(admin);
    const request = await ask(admin, chat, yesOrNo);
    await ask(admin, other, yesOrNo);
    const total = async () => (await admin.get('/api/v1/chats/pending-summary')).body;
    const count = async () => (await admin.get(`/api/v1/chats/${chat}`)).body.pending_requests_count;
    expect([await total(), await count()]).toEqual([{ pending_requests_total: 2 }, 1]);
    await resolve(admin, request, { selectedOptionIds: ['no'] });
    expect([await total(), await count()]).toEqual([{ pending_requests_total: 1 }, 0]);
  });
});

describe('resolving', () => {
  test('nothing may be picked where nothing is asked for', async () => {
    const request = await ask(admin, chat, yesOrNo);
    const { body } = await resolve(admin, request, { selectedOptionIds: [] });
    expect(body).toMatchObject({ status: 'resolved', resolution_payload: { selectedOptionIds: [] } });
  });

  test('an option cannot be picked twice', async () => {
    const request = await ask(admin, chat, { ...yesOrNo, config: { ...yesOrNo.config, maxSelections: 2 } });
    const answer = await resolve(admin, request, { selectedOptionIds: ['yes', 'yes'] });
    expect(refused(answer, 'VALIDATION_ERROR', 400).details).toMatchObject({
      field: 'selectedOptionIds',
      problems: [{ pointer: '/selectedOptionIds', code: 'unique' }],
    });
    expect((await get(request)).body.status).toBe('pending');
  });

  test('resolvedBy says who did it', async () => {
    const [one, two] = [await ask(admin, chat, yesOrNo), await ask(admin, chat, yesOrNo)];
    const payload = { selectedOptionIds: ['yes'] };
    expect((await resolve(admin, one, { ...payload, resolvedBy: 'backend' })).body).toMatchObject({
      resolved_by: 'backend',
      resolution_payload: payload,
    });
    const native = await admin.get<Interaction>(`/v1/interactions/${one.id}`);
    expect(native.body.closedBy).toEqual({ type: 'system', id: 'backend', via: 'key', keyId: 'admin' });
    const wrong = await resolve(admin, two, { ...payload, resolvedBy: 'nobody' });
    expect(refused(wrong, 'VALIDATION_ERROR', 400).details?.field).toBe('resolvedBy');
    expect((await resolve(admin, two, { ...payload, resolvedBy: 'user' })).body.resolved_by).toBe('user');
    const answered = await admin.get<Interaction>(`/v1/interactions/${two.id}`);
    expect(answered.body.closedBy).toEqual({ type: 'human', id: 'user:primary', via: 'key', keyId: 'admin' });
  });

  test('an agent and a person resolve as themselves, whatever they say', async () => {
    const { body: key } = await admin.post<{ secret: string; id: string }>('/v1/keys', { name: 'a', role: 'agent' });
    const { body: token } = await admin.post<{ token: string }>('/v1/responder-tokens', {
      responderId: 'ann',
      threadId: chat,
    });
    const [one, two] = [await ask(admin, chat, yesOrNo), await ask(admin, chat, yesOrNo)];
    const payload = { selectedOptionIds: ['yes'] };
    expect((await resolve(admin.as(key.secret), one, payload)).body.resolved_by).toBe('backend');
    expect((await resolve(admin.as(token.token), two, { ...payload, resolvedBy: 'backend' })).body.resolved_by).toBe(
      'user',
    );
    const { body } = await admin.get<Interaction>(`/v1/interactions/${two.id}`);
    expect(body.closedBy).toEqual({ type: 'human', id: 'ann', via: 'token', keyId: 'admin' });
  });

  test.each([
    ['resolved', (request: Request) => resolve(admin, request, { selectedOptionIds: ['no'] })],
    ['cancelled', (request: Request) => admin.post(`/api/v1/requests/${request.id}/cancel`)],
    ['cancelled', (request: Request) => admin.post(`/api/v1/requests/${request.id}/decline`)],
  ])('what is %s is not pending, which is a mistake to overlook (%#)', async (status, close) => {
    const request = await ask(admin, chat, yesOrNo);
    expect((await close(request)).body).toMatchObject({ status });
    const { body: closed } = await get(request);
    for (const late of [
      await resolve<Refusal>(admin, request, { selectedOptionIds: ['yes'] }),
      await admin.post<Refusal>(`/api/v1/requests/${request.id}/cancel`),
      await admin.post<Refusal>(`/api/v1/requests/${request.id}/decline`),
      await patch<Refusal>(request, { title: 'Other' }),
    ])
      expect(refused(late, 'VALIDATION_ERROR', 400).details).toEqual(metClosed(request, status));
    expect((await get(request)).body).toEqual(closed);
  });

  test('cancelled, declined and expired look the same: cancelled, with nothing in it', async () => {
    const expiresAt = new Date(server.clock.now() + 3_600_000).toISOString();
    const [cancelled, declined, expiring] = [
      await ask(admin, chat, yesOrNo),
      await ask(admin, chat, yesOrNo),
      await ask(admin, chat, { ...yesOrNo, expiresAt }),
    ];
    expect(expiring.expires_at).toBe(expiresAt);
    await admin.post(`/api/v1/requests/${cancelled.id}/cancel`);
    await admin.post(`/api/v1/requests/${declined.id}/decline`, { reason: 'Not now' });
    server.clock.offsetMs += 3_600_000;
    const late = await resolve(admin, expiring, { selectedOptionIds: ['yes'] });
    refused(late, 'VALIDATION_ERROR', 400);
    await admin.get(`/v1/interactions/${expiring.id}/wait`);
    for (const request of [cancelled, declined, expiring])
      expect((await get(request)).body).toEqual({ ...request, status: 'cancelled' });
    expect((await admin.get(`/v1/interactions/${declined.id}`)).body).toMatchObject({
      closedReason: 'declined',
      closedBy: { type: 'human', id: 'user:primary' },
      answer: { reason: 'Not now' },
    });
  });

  test('of many at once one wins, and the others get an error', async () => {
    const requests = await Promise.all(Array.from({ length: 5 }, () => ask(admin, chat, yesOrNo)));
    const answers = await Promise.all(
      requests.flatMap((request) =>
        ['yes', 'no', 'yes'].map((id) => resolve<Request & Refusal>(admin, request, { selectedOptionIds: [id] })),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    for (const answer of answers.filter(({ status }) => status !== 200)) refused(answer, 'VALIDATION_ERROR', 400);
    // Resolves that finish in any order leave nothing behind in the list.
    expect(await pending(admin, chat)).toEqual([]);
    expect((await admin.get(`/api/v1/chats/${chat}`)).body.pending_requests_count).toBe(0);
  });
});

describe('changing', () => {
  test('title, body, config and trace', async () => {
    const request = await ask(admin, chat, { ...yesOrNo, body: 'Now?', trace: { a: 1 } });
    const config = { options: [{ id: 'go', label: 'Go', variant: 'primary' }], minSelections: 1, note: 'kept' };
    const changed = await patch(request, { title: ' Sure? ', body: null, config, trace: { b: 2 } });
    const shown = { ...config, maxSelections: 1 };
    expect(changed.body).toEqual({ ...request, title: 'Sure?', body: null, config: shown, trace: { b: 2 } });
    refused(await resolve(admin, request, { selectedOptionIds: ['yes'] }), 'VALIDATION_ERROR', 400);
    expect((await patch(request, { title: 'Very sure?' })).body.config).toEqual(shown);
    expect((await patch(request, { trace: null })).body).toMatchObject({ trace: null, config: shown });
    expect((await resolve(admin, request, { selectedOptionIds: ['go'] })).status).toBe(200);
  });

  test('nothing else, and not nothing', async () => {
    const request = await ask(admin, chat, yesOrNo);
    const foreign = await patch<Refusal>(request, { title: 'T', status: 'resolved' });
    expect(refused(foreign, 'VALIDATION_ERROR', 400).details).toMatchObject({
      field: 'status',
      problems: [{ pointer: '/status', code: 'unknown-property' }],
    });
    refused(await patch(request, {}), 'VALIDATION_ERROR', 400);
    expect((await get(request)).body).toEqual(request);
  });

  test('a config must fit the type that was asked', async () => {
    const request = await ask(admin, chat, yesOrNo);
    const form = await patch<Refusal>(request, { config: { fields: [{ name: 'a', type: 'text' }] } });
    expect(refused(form, 'VALIDATION_ERROR', 400).details?.field).toBe('config.options');
    const twice = [
      { id: 'a', label: 'A' },
      { id: 'a', label: 'B' },
    ];
    const double = await patch<Refusal>(request, { config: { options: twice } });
    expect(refused(double, 'VALIDATION_ERROR', 400).details?.field).toBe('config.options[1].id');
  });

  test('of two at once neither is lost', async () => {
    const request = await ask(admin, chat, yesOrNo);
    const config = { options: [{ id: 'go', label: 'Go' }] };
    const changes = [{ title: 'Other' }, { config }, { body: 'Words' }, { trace: { a: 1 } }];
    const statuses = await Promise.all(changes.map(async (change) => (await patch(request, change)).status));
    expect(statuses).toEqual([200, 200, 200, 200]);
    expect((await get(request)).body).toMatchObject({ title: 'Other', config, body: 'Words', trace: { a: 1 } });
  });
});

describe('changing a form', () => {
  const fields = [{ name: 'a', type: 'text' }];
  const native = async ({ id }: Request) => (await admin.get<Interaction>(`/v1/interactions/${id}`)).body;

  test('its submitLabel changes, and is that of Opengram when it is left out', async () => {
    const request = await ask(admin, chat, { type: 'form', title: 'F', config: { fields, submitLabel: 'Send' } });
    const label = async (config: object) => {
      const { body } = await patch(request, { config });
      expect(body.config).toEqual({ submitLabel: 'Submit', ...config });
      return (await native(request)).submitLabel;
    };
    expect((await native(request)).submitLabel).toBe('Send');
    expect(await label({ fields, submitLabel: 'Go' })).toBe('Go');
    expect(await label({ fields })).toBe('Submit');
  });

  test('its payloadSchema does not', async () => {
    const config = { fields: [], payloadSchema: { type: 'object' } };
    const request = await ask(admin, chat, { type: 'form', title: 'F', config });
    for (const other of [{ fields }, { fields: [], payloadSchema: { type: 'array' } }]) {
      const { message, details } = refused(await patch(request, { config: other }), 'VALIDATION_ERROR', 400);
      expect(details?.field).toBe('config.payloadSchema');
      expect(message).toContain('cannot be changed');
    }
    expect((await get(request)).body).toEqual(request);
    const same = { ...config, submitLabel: 'Go' };
    expect((await patch(request, { config: same })).body.config).toEqual(same);
  });
});

describe('one record, many dialects', () => {
  test('an approval that was rejected by its option is resolved by it', async () => {
    const { body: asked } = await admin.post<Interaction>(`/v1/threads/${chat}/interactions`, {
      kind: 'approval',
      title: 'Delete?',
    });
    await admin.post(`/v1/interactions/${asked.id}/answers`, { values: { decision: 'deny' } });
    const { body: request } = await admin.get<Request>(`/api/v1/requests/${asked.id}`);
    expect(request).toMatchObject({
      status: 'resolved',
      resolution_payload: { selectedOptionIds: ['deny'], values: { decision: 'deny' } },
    });
    const list = await admin.get<{ data: Request[] }>(`/api/v1/chats/${chat}/requests?status=resolved`);
    expect(list.body.data).toEqual([request]);
    for (const late of [
      await resolve<Refusal>(admin, request, { selectedOptionIds: ['allow'] }),
      await patch<Refusal>(request, { title: 'Other' }),
      await admin.post<Refusal>(`/api/v1/requests/${request.id}/decline`),
      await admin.post<Refusal>(`/api/v1/requests/${request.id}/cancel`),
    ]) {
      const { message, details } = refused(late, 'VALIDATION_ERROR', 400);
      expect(details).toEqual(metClosed(request, 'resolved'));
      expect(message).toMatch(/^Only pending requests can be (resolved|updated|declined|cancelled)\.$/);
    }
  });

  test('[X23] a native call cannot write the words that this dialect shows', async () => {
    const original = { dialect: 'chat-requests', sent: { config: { options: [{ id: 'allow', label: 'No' }] } } };
    const asking = { kind: 'approval', title: 'Delete?' };
    const path = `/v1/threads/${chat}/interactions`;
    const notOurs = { status: 400, body: { errors: [{ pointer: '/original/dialect' }] } };
    expect(await admin.post(path, { ...asking, original })).toMatchObject(notOurs);
    const { body: asked } = await admin.post<Interaction>(path, asking);
    expect(await admin.call(`/v1/interactions/${asked.id}`, { method: 'PATCH', body: { original } })).toMatchObject(
      notOurs,
    );
  });

  test('a question that was asked natively is a request', async () => {
    const { body: asked } = await admin.post<Interaction>(`/v1/threads/${chat}/interactions`, {
      kind: 'approval',
      title: 'Delete?',
      fields: [{ name: 'path', type: 'text' }],
      arguments: { path: '/tmp' },
    });
    const [request] = (await pending(admin, chat)) as [Request];
    expect(request).toMatchObject({
      id: asked.id,
      type: 'choice',
      config: { options: [{ id: 'allow' }, { id: 'deny' }] },
    });
    const resolved = await resolve(admin, request, { selectedOptionIds: ['allow'], values: { path: '/var' } });
    expect(resolved.body).toMatchObject({
      status: 'resolved',
      resolution_payload: { selectedOptionIds: ['allow'], values: { decision: 'allow', path: '/var' } },
    });
  });

  test('a request is a question that can be answered natively', async () => {
    const request = await ask(admin, chat, fixture('form'));
    const values = { environment: 'staging', version: '2', notes: 'None' };
    const answer = await admin.post(`/v1/interactions/${request.id}/answers`, { values });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect((await get(request)).body).toMatchObject({ status: 'resolved', resolution_payload: { values } });
  });

  test('a question that was changed natively is shown as it reads now', async () => {
    const request = await ask(admin, chat, fixture('form'));
    const fields = [{ name: 'size', type: 'number' }];
    await admin.call(`/v1/interactions/${request.id}`, { method: 'PATCH', body: { fields } });
    expect((await get(request)).body.config).toEqual({ fields, submitLabel: 'Deploy' });
  });
});

describe('doing it once', () => {
  test('a request that is created again with its key is the same', async () => {
    const key = { 'idempotency-key': 'k1' };
    const create = (to: string, body: object) =>
      admin.post<Request & Refusal>(`/api/v1/chats/${to}/requests`, body, key);
    const [first, again] = [await create(chat, yesOrNo), await create(chat, yesOrNo)];
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
    const conflict = refused(await create(chat, { ...yesOrNo, title: 'Other' }), 'CONFLICT', 409);
    expect(conflict.details).toEqual({ field: 'Idempotency-Key' });
    refused(await create(await newChat(admin), yesOrNo), 'CONFLICT', 409);
    expect(await pending(admin, chat)).toHaveLength(1);
  });

  test('a resolve that is repeated with its key is not late', async () => {
    const request = await ask(admin, chat, yesOrNo);
    const again = () =>
      admin.post(`/api/v1/requests/${request.id}/resolve`, { selectedOptionIds: ['yes'] }, { 'idempotency-key': 'r1' });
    const [first, second] = [await again(), await again()];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body).toEqual(first.body);
  });
});
