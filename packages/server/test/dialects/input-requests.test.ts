import { createHash } from 'node:crypto';
import type { InputRequest, InputRequestPage, SubmittedInputRequest } from '@holdpoint/mcp';
import type { Interaction } from '@holdpoint/protocol';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { outputErrors } from '../../src/dialects/input-requests/sent.fixture.ts';
import type { Client, Reply } from '../client.ts';
import { startTestServer } from '../test-server.ts';

const server = await startTestServer();
afterAll(() => server[Symbol.asyncDispose]());
const { admin } = server;
const agent = await withKey('agent');

interface Refused {
  error: { code: string; message: string; details?: { pointer: string; code: string }[] };
  input_request?: InputRequest;
}

let conversation: string;
let requests: string;
beforeEach(async () => {
  conversation = (await admin.post<{ id: string }>('/conversations')).body.id;
  requests = `/conversations/${conversation}/input-requests`;
});

async function withKey(role: 'agent' | 'admin', as: Client = admin): Promise<Client> {
  const { body } = await as.post<{ secret: string }>('/v1/keys', { name: 'a key', role });
  return admin.as(body.secret);
}

async function withToken(reach: object): Promise<Client> {
  const { body } = await admin.post<{ token: string }>('/v1/responder-tokens', { responderId: 'ada', ...reach });
  return admin.as(body.token);
}

let calls = 0;
const asking = (more: object = {}) => ({
  run_id: 'run-1',
  tool_call_id: `call-${calls++}`,
  requested_responder_type: 'human',
  title: 'Ship it?',
  fields: [{ name: 'version', type: 'text', label: 'Version', required: true }],
  ...more,
});

async function ask(more: object = {}, as: Client = agent): Promise<InputRequest> {
  const { status, body } = await as.post<InputRequest>(requests, asking(more));
  expect(status, JSON.stringify(body)).toBe(201);
  return valid(body);
}

function valid(request: InputRequest): InputRequest {
  expect(outputErrors(request)).toEqual([]);
  return request;
}

const submit = <T = SubmittedInputRequest>(id: string, values: unknown, as: Client = admin): Promise<Reply<T>> =>
  as.post<T>(`${requests}/${id}/responses`, { values });

const get = async (id: string): Promise<InputRequest> =>
  valid((await agent.get<InputRequest>(`${requests}/${id}`)).body);

const pointers = ({ error }: Refused) => error.details?.map(({ pointer, code }) => `${pointer} ${code}`);

async function expectRefused(reply: Promise<Reply<Refused>>, status: number, code: string): Promise<Refused> {
  const { status: given, body, headers } = await reply;
  expect({ given, body }).toMatchObject({ given: status, body: { error: { code, message: expect.any(String) } } });
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  return body;
}

describe('conversations', () => {
  test('are threads whose id is a UUID', async () => {
    const id = crypto.randomUUID();
    const made = await agent.post('/conversations', { id, title: 'Release', metadata: { team: 'web' } });
    const shown = { id, title: 'Release', created_at: expect.any(String), metadata: { team: 'web' } };
    expect(made).toMatchObject({ status: 201, body: shown });
    expect((await agent.get(`/conversations/${id}`)).body).toEqual(shown);
    expect((await admin.get(`/v1/threads/${id}`)).body).toMatchObject({ id, title: 'Release' });
    const plain = await agent.post<{ id: string }>('/conversations');
    expect(plain.body).toEqual({ id: expect.any(String), title: null, created_at: expect.any(String), metadata: null });
    await expectRefused(agent.post('/conversations', { id }), 409, 'thread-exists');
    await expectRefused(agent.post('/conversations', { id: 'release' }), 400, 'invalid-input');
  });

  test('[X2] what is none is not found, nor is a thread with another id, nor one of another org', async () => {
    await admin.post('/v1/threads', { id: 'plain' });
    const { body: org } = await admin.post<{ adminKey: { secret: string } }>('/v1/orgs', { id: 'neighbours' });
    const stranger = admin.as(org.adminKey.secret);
    const places: [Client, string][] = [
      [admin, crypto.randomUUID()],
      [admin, 'plain'],
      [admin, '%00'],
      [stranger, conversation],
    ];
    for (const [as, id] of places) {
      await expectRefused(as.get(`/conversations/${id}`), 404, 'thread-not-found');
      await expectRefused(as.get(`/conversations/${id}/input-requests`), 404, 'thread-not-found');
      await expectRefused(as.post(`/conversations/${id}/input-requests`, asking()), 404, 'thread-not-found');
    }
    const { id } = await ask();
    await expectRefused(stranger.get(`${requests}/${id}`), 404, 'interaction-not-found');
    await expectRefused(submit(id, { version: '7' }, stranger), 404, 'interaction-not-found');
    const resume = { type: 'tool_result', tool_call_id: (await get(id)).tool_call_id, result: { version: '7' } };
    await expectRefused(stranger.post('/runs/run-1/resume', resume), 404, 'interaction-not-found');
    expect(await get(id)).toMatchObject({ status: 'open' });
  });

  test('[DL3][X1] every error under these paths has the form of this dialect', async () => {
    await expectRefused(admin.as('nobody').get(`/conversations/${conversation}`), 401, 'unauthenticated');
    await expectRefused(admin.get('/conversations/a/b/c/d/e'), 404, 'route-not-found');
    await expectRefused(admin.call('/runs/run-1/resume', { method: 'GET' }), 405, 'method-not-allowed');
    await expectRefused(admin.post(requests, '{"'), 400, 'malformed-body');
  });
});

describe('creating', () => {
  test('[DL2] a request is a form of ours, and comes back as it was sent', async () => {
    const fields = [
      { name: 'version', type: 'text', label: 'Version', required: true, pattern: '^\\d+$', 'x-icon': 'tag' },
      { name: 'where', type: 'select', options: [{ value: 'eu', label: 'Europe', flag: '*' }, { value: 7 }] },
      { name: 'count', type: 'number', min: 1, max: 10, defaultValue: '3' },
      { name: 'colour', type: 'colour-wheel', label: 'Colour', defaultValue: ['#fff'], wheel: { steps: 12 } },
    ];
    const recommendations = { where: { value: 7, why: 'quiet' }, count: 4, version: 'not a number', other: [1] };
    const metadata = { submitLabel: 'Ship', nested: { deep: [null] } };
    const expires_at = new Date(server.clock.now() + 3_600_000).toISOString();
    const request = await ask({ fields, recommendations, metadata, description: 'To **all**.', expires_at });
    expect(request).toMatchObject({ conversation_id: conversation, status: 'open', kind: 'form', fields, expires_at });
    expect(request).toMatchObject({ recommendations, metadata, description: 'To **all**.', latest_response: null });
    expect(await get(request.id)).toEqual(request);
    const { body: ours } = await admin.get<Interaction>(`/v1/interactions/${request.id}`);
    expect(ours).toMatchObject({
      kind: 'form',
      body: 'To **all**.',
      submitLabel: 'Ship',
      recommendations: { where: '7', count: 4 },
      deadline: { at: expires_at, outcome: 'expire' },
      run: { id: 'run-1', toolCallId: request.tool_call_id },
      fields: [
        { type: 'text', name: 'version', label: 'Version', required: true, pattern: '^\\d+$' },
        {
          type: 'select',
          options: [
            { value: 'eu', label: 'Europe' },
            { value: '7', label: '7' },
          ],
        },
        { type: 'number', min: 1, max: 10, default: 3 },
        { type: 'custom', customType: 'colour-wheel', label: 'Colour', default: '["#fff"]' },
      ],
    });
    expect(Object.keys(ours.recommendations ?? {})).toEqual(['where', 'count']);
  });

  test('[I1][I2] the run and its tool call are its key, in one conversation, whatever header is sent', async () => {
    const body = asking({ tool_call_id: 'the-call' });
    const first = await agent.post<InputRequest>(requests, body);
    const again = await agent.post<InputRequest>(requests, body, { 'idempotency-key': 'mine' });
    expect(again).toMatchObject({ status: 201, body: first.body });
    await submit(first.body.id, { version: '7' });
    expect((await agent.post(requests, body)).body).toMatchObject({ id: first.body.id, status: 'submitted' });
    const otherwise = agent.post<Refused>(requests, { ...body, title: 'Something else?' });
    const refused = await expectRefused(otherwise, 409, 'idempotency-key-reused');
    expect(refused.input_request).toMatchObject({ id: first.body.id, title: 'Ship it?' });
    const { body: elsewhere } = await agent.post<{ id: string }>('/conversations');
    const other = await agent.post<InputRequest>(`/conversations/${elsewhere.id}/input-requests`, body);
    expect(other).toMatchObject({ status: 201, body: { status: 'open' } });
    expect(other.body.id).not.toBe(first.body.id);
  });

  test('[I1][I2] another key of the org that repeats the call gets the request too, if it asks for the same', async () => {
    const other = await withKey('agent');
    const expires_at = new Date(server.clock.now() + 3_600_000).toISOString();
    const body = asking({
      title: ' Ship it? ',
      description: 'To all.',
      expires_at,
      metadata: { submitLabel: 'Ship', nested: [1] },
      recommendations: { version: '7' },
    });
    const { body: first } = await agent.post<InputRequest>(requests, body);
    const offset = expires_at.replace('Z', '+00:00');
    for (const same of [body, { ...body, kind: 'form', expires_at: offset }])
      expect(await other.post(requests, same)).toMatchObject({ status: 201, body: first });
    for (const more of [
      { title: 'Else?' },
      { description: 'To some.' },
      { description: undefined },
      { expires_at: new Date(Date.parse(expires_at) + 1).toISOString() },
      { expires_at: undefined },
      { metadata: { submitLabel: 'Ship', nested: [2] } },
      { metadata: undefined },
      { recommendations: { version: '8' } },
      { requested_responder_type: 'agent' },
      { fields: [{ name: 'version', type: 'text', label: 'Version' }] },
    ]) {
      const refused = other.post<Refused>(requests, { ...body, ...more });
      expect((await expectRefused(refused, 409, 'idempotency-key-reused')).input_request).toEqual(first);
    }
    await submit(first.id, { version: '7' });
    expect(await other.post(requests, body)).toMatchObject({
      status: 201,
      body: { id: first.id, status: 'submitted' },
    });
    expect((await agent.get<InputRequestPage>(requests)).body.data).toHaveLength(1);
  });

  test('[I1] nobody can take the key of a tool call before it asks', async () => {
    const ids = JSON.stringify([conversation, 'run-1', 'taken']);
    const digest = createHash('sha256').update(ids).digest('hex');
    for (const between of [':', ' ', '%20'])
      await admin.post('/v1/threads', {}, { 'idempotency-key': `input-request${between}${digest}` });
    const { id, tool_call_id } = await ask({ tool_call_id: 'taken' });
    for (const between of [':', ' ', '%20'])
      await admin.post('/v1/threads', {}, { 'idempotency-key': `input-request-resume${between}${id}` });
    const resumed = { type: 'tool_result', tool_call_id, result: { version: '7' } };
    expect((await admin.post('/runs/run-1/resume', resumed)).body).toEqual({ accepted: true });
  });

  test('the input of the tool is taken as it is, unless it names another conversation', async () => {
    expect(await ask({ conversation_id: conversation })).toMatchObject({ conversation_id: conversation });
    const elsewhere = asking({ conversation_id: crypto.randomUUID() });
    expect(pointers(await expectRefused(agent.post(requests, elsewhere), 400, 'invalid-input'))).toEqual([
      '/conversation_id value',
    ]);
  });

  test.each<[string, object, string[]]>([
    ['no field', { fields: [] }, ['/fields min-items']],
    ['a field without a name', { fields: [{ type: 'text' }] }, ['/fields/0/name required']],
    ['an unknown property', { priority: 1 }, ['/priority unknown-property']],
    ['another responder', { requested_responder_type: 'robot' }, ['/requested_responder_type value']],
    ['another kind', { kind: 'choice' }, ['/kind value']],
    ['a blank title', { title: ' ' }, ['/title required']],
    ['a time that is none', { expires_at: 'soon' }, ['/expires_at format']],
    ['a time that is past', { expires_at: '2020-01-01T00:00:00Z' }, ['/expires_at past']],
    ['a time as only some write it', { expires_at: '2040-01-01t00:00:00z' }, ['/expires_at datetime']],
    ['a run that no database keeps', { run_id: 'a\u0000' }, ['/run_id pattern']],
    ['a forbidden name', { fields: [{ name: 'constructor', type: 'text' }] }, ['/fields/0/name forbidden-name']],
    ['a select without options', { fields: [{ name: 'a', type: 'select' }] }, ['/fields/0/options required']],
    ...[{}, { colour: 'red' }, { label: '', name: null }].map((option): [string, object, string[]] => [
      `${JSON.stringify(option)} as an option`,
      { fields: [{ name: 'a', type: 'radio', options: ['A', option] }] },
      ['/fields/0/options/1 option'],
    ]),
    ...[7, null, ['A']].map((option): [string, object, string[]] => [
      `${JSON.stringify(option)} as an option`,
      { fields: [{ name: 'a', type: 'radio', options: ['A', option] }] },
      ['/fields/0/options/1 type'],
    ]),
    [
      'an option with an empty value',
      { fields: [{ name: 'a', type: 'select', options: [{ value: '', label: 'None' }] }] },
      ['/fields/0/options/0/value min-length'],
    ],
    [
      'an option of which nothing can be read',
      { fields: [{ name: 'a', type: 'select', options: [{ id: { deep: 1 }, name: 'A' }, ' '] }] },
      ['/fields/0/options/0/id type'],
    ],
    [
      'a blank option',
      { fields: [{ name: 'a', type: 'select', options: [{ label: 'A' }, ' '] }] },
      ['/fields/0/options/1 required'],
    ],
    [
      'a label that is no text',
      { fields: [{ name: 'a', type: 'select', options: [{ id: 1, name: 7 }] }] },
      ['/fields/0/options/0/name type'],
    ],
    [
      'two fields of one name',
      { fields: ['a', 'b', 'a'].map((name) => ({ name, type: 'text' })) },
      ['/fields/2/name duplicate'],
    ],
    [
      'two options of one value',
      { fields: [{ name: 'a', type: 'select', options: [{ value: 1 }, { value: '1' }] }] },
      ['/fields/0/options/1/value duplicate'],
    ],
    [
      'two options of one value in other words',
      {
        fields: [{ name: 'a', type: 'select', options: [{ value: 'A' }, { id: 'A', name: 'B' }, { label: 'A' }, 'A'] }],
      },
      ['id', 'label', ''].map((key, index) => `/fields/0/options/${index + 1}${key && `/${key}`} duplicate`),
    ],
    [
      'a default that does not fit',
      { fields: [{ name: 'a', type: 'number', defaultValue: 'many' }] },
      ['/fields/0/defaultValue type'],
    ],
    [
      'a default of a secret',
      { fields: [{ name: 'a', type: 'pin', secret: true, defaultValue: [1] }] },
      ['/fields/0/defaultValue secret-default'],
    ],
    ...[
      { type: 'pin', secret: true },
      { type: 'text', secret: true },
      { type: 'confirm', secret: true },
      { type: 'password' },
    ].map((field): [string, object, string[]] => [
      `a value in ${JSON.stringify(field)}`,
      {
        fields: [
          { name: 'a', type: 'text' },
          { name: 'b', ...field, default: 'x', defaultValue: 'x', value: 'x' },
        ],
      },
      ['default', 'defaultValue', 'value'].map((name) => `/fields/1/${name} secret-default`),
    ]),
    ...['pin', 'text', 'password'].flatMap((type) =>
      ['true', 1, null, ['true']].map((secret): [string, object, string[]] => [
        `${JSON.stringify(secret)} as the secrecy of a ${type}`,
        { fields: [{ name: 'a', type, secret }] },
        ['/fields/0/secret type'],
      ]),
    ),
    [
      'a recommendation of a secret',
      { fields: [{ name: 'a', type: 'password' }], recommendations: { a: { value: 'x' } } },
      ['/recommendations/a secret'],
    ],
    [
      'a hint at a secret',
      { fields: [{ name: 'a', type: 'password' }], recommendations: { a: { hint: 'hunter2' } } },
      ['/recommendations/a secret'],
    ],
    [
      'a pattern that takes for ever',
      { fields: [{ name: 'a', type: 'text', pattern: '(?=a)' }] },
      ['/fields/0/pattern pattern'],
    ],
    ['metadata that are too large', { metadata: { x: 'x'.repeat(70_000) } }, ['/metadata too-large']],
  ])('[A6] %s is refused where it stands', async (_what, more, expected) => {
    const refused = await expectRefused(agent.post(requests, asking(more)), 400, 'invalid-input');
    expect(pointers(refused)).toEqual(expected);
    for (const one of expected) expect(refused.error.message).toContain(one.split(' ')[0]);
    expect((await agent.get<InputRequestPage>(requests)).body.data).toEqual([]);
  });

  test('[A6] what is kept as it was sent has bounds too', async () => {
    let deep: unknown = 1;
    for (let i = 0; i < 40; i++) deep = [deep];
    const fields = [{ name: 'a', type: 'text', deep }];
    const refused = await expectRefused(agent.post(requests, asking({ fields })), 400, 'invalid-input');
    expect(pointers(refused)).toEqual([expect.stringMatching(/^\/fields\/0\/deep(\/0)+ too-deep$/)]);
  });
});

describe('answering', () => {
  test('[AN4] the first response closes it; the error of the second shows the current request', async () => {
    const { id, tool_call_id } = await ask();
    const { status, body } = await submit(id, { version: '7' });
    expect({ status, success: body.success }).toEqual({ status: 201, success: true });
    expect(valid(body.input_request)).toMatchObject({
      id,
      tool_call_id,
      status: 'submitted',
      submitted_at: expect.any(String),
      latest_response: {
        input_request_id: id,
        conversation_id: conversation,
        run_id: 'run-1',
        actor_type: 'human',
        actor_id: 'key:admin',
        values: { version: '7' },
      },
    });
    expect(await get(id)).toEqual(body.input_request);
    const second = await expectRefused(submit(id, { version: '8' }), 409, 'interaction-already-answered');
    expect(second.input_request).toEqual(body.input_request);
  });

  test('[AN4] of many at once exactly one is taken', async () => {
    const { id } = await ask();
    const replies = await Promise.all(Array.from({ length: 8 }, (_, index) => submit(id, { version: `${index}` })));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
  });

  test('[AN3] an invalid response changes nothing, and its error names every problem', async () => {
    const fields = [
      { name: 'version', type: 'text', required: true },
      { name: 'count', type: 'number' },
      { name: 'where', type: 'select', options: [{ value: 'eu' }] },
      { name: 'colour', type: 'colour-wheel' },
    ];
    const { id } = await ask({ fields });
    const values = { count: 'many', where: 'us', nobody: 1, colour: true };
    const refused = await expectRefused(submit(id, values), 422, 'invalid-answer');
    expect(pointers(refused)).toEqual([
      '/values/nobody unknown-field',
      '/values/version required',
      '/values/count type',
      '/values/where option',
    ]);
    for (const bad of [{ version: ['7'] }, { version: {} }, 'seven', null])
      await expectRefused(submit(id, bad), 400, 'invalid-input');
    await expectRefused(agent.post(`${requests}/${id}/responses`, { values: {}, more: 1 }), 400, 'invalid-input');
    expect(await get(id)).toMatchObject({ status: 'open', latest_response: null });
  });

  test('null is no value, and a value of a number or of an option comes back as what it was', async () => {
    const fields = [
      { name: 'a', type: 'text' },
      { name: 'b', type: 'radio', options: [{ value: 1 }, { value: true }] },
      { name: 'c', type: 'mystery' },
      { name: 'd', type: 'confirm' },
    ];
    const { id } = await ask({ fields });
    const { body } = await submit(id, { a: null, b: true, c: 0.5, d: false });
    expect(body.input_request.latest_response?.values).toEqual({ b: true, c: 0.5, d: false });
    const { body: ours } = await admin.get<Interaction>(`/v1/interactions/${id}`);
    expect(ours.answer?.values).toEqual({ b: 'true', c: 0.5, d: false });
  });

  test.each([
    [
      '{id, name}',
      [
        { id: 7, name: 'Berlin' },
        { id: 8, name: 'Paris' },
      ],
      7,
      ['7', 'Berlin'],
    ],
    [
      '{id, label}',
      [
        { id: 'b', label: 'Berlin' },
        { id: 'p', label: 'Paris' },
      ],
      'b',
      ['b', 'Berlin'],
    ],
    ['{label}', [{ label: 'Berlin' }, { label: 'Paris' }], 'Berlin', ['Berlin', 'Berlin']],
    ['{name}', [{ name: 'Berlin' }, { name: 'Paris' }], 'Berlin', ['Berlin', 'Berlin']],
    ['{id}', [{ id: false }, { id: true }], false, ['false', 'false']],
    ['{value}', [{ value: 1.5 }, { value: 2 }], 1.5, ['1.5', '1.5']],
    ['{value, id, name, label}', [{ value: 'v', id: 'i', name: 'n', label: 'l' }], 'v', ['v', 'l']],
    ['texts', ['Berlin', 'Paris'], 'Berlin', ['Berlin', 'Berlin']],
    ['a mixture', ['Paris', { id: null, name: '', label: 'Berlin' }], 'Berlin', ['Berlin', 'Berlin']],
  ])('[IR1] options that are %s are read, and answered as they were asked', async (_what, options, answer, shown) => {
    const fields = [{ name: 'where', type: 'select', options, defaultValue: answer }];
    const asked = await ask({ fields, recommendations: { where: answer } });
    expect(asked.fields).toEqual(fields);
    const [value, label] = shown;
    const { body: ours } = await admin.get<Interaction>(`/v1/interactions/${asked.id}`);
    expect(ours.fields[0]).toMatchObject({ default: value });
    expect((ours.fields[0] as { options: object[] }).options).toContainEqual({ value, label });
    expect(ours.recommendations).toEqual({ where: value });
    const { body } = await submit(asked.id, { where: answer });
    expect(body.input_request.latest_response?.values).toEqual({ where: answer });
    const other = await ask({ fields });
    await admin.post(`/v1/interactions/${other.id}/answers`, { values: { where: value } });
    expect((await get(other.id)).latest_response?.values).toEqual({ where: answer });
  });

  test('[DL4][AN9] a secret value is shown nowhere, and the requester takes it once', async () => {
    const { id } = await ask({
      fields: [
        { name: 'user', type: 'text' },
        { name: 'token', type: 'text', secret: true },
        { name: 'pass', type: 'password' },
      ],
    });
    const { body } = await submit(id, { user: 'ann', token: 'hunter2', pass: 'hunter3' });
    expect(body.input_request.latest_response?.values).toEqual({ user: 'ann' });
    expect(JSON.stringify([body, await get(id), (await agent.get(requests)).body])).not.toContain('hunter');
    const secrets = await agent.post(`/v1/interactions/${id}/secrets`);
    expect(secrets.body).toEqual({ values: { token: 'hunter2', pass: 'hunter3' } });
  });

  test('[D3] after its time nobody answers any more', async () => {
    const expires_at = new Date(server.clock.now() + 3_600_000).toISOString();
    const { id } = await ask({ expires_at });
    server.clock.offsetMs += 3_600_000;
    const late = await expectRefused(submit(id, { version: '7' }), 409, 'interaction-expired');
    expect(late.input_request).toMatchObject({ id, status: 'expired', latest_response: null });
    // At its time, or when the timer has fired: who is late may meet it before or after.
    expect(Date.parse(late.input_request?.expired_at ?? '')).toBeGreaterThanOrEqual(Date.parse(expires_at));
    await admin.get(`/v1/interactions/${id}/wait?timeoutMs=30000`);
    const expired = await get(id);
    expect(expired).toMatchObject({ status: 'expired', expired_at: expect.any(String), submitted_at: null });
    const later = await expectRefused(submit(id, { version: '7' }), 409, 'interaction-expired');
    expect(later.input_request).toEqual(expired);
  });

  test('[AN5] only who was asked may answer; an admin answers as whoever that is', async () => {
    const person = await withToken({ threadId: conversation });
    const toHuman = await ask();
    const refused = await expectRefused(submit(toHuman.id, { version: '7' }, agent), 403, 'wrong-responder');
    expect(refused.input_request).toBeUndefined();
    const answered = await submit(toHuman.id, { version: '7' }, person);
    expect(answered.body.input_request.latest_response).toMatchObject({ actor_type: 'human', actor_id: 'ada' });

    const toAgent = await ask({ requested_responder_type: 'agent' });
    await expectRefused(submit(toAgent.id, { version: '7' }, person), 403, 'wrong-responder');
    const byAgent = await submit(toAgent.id, { version: '7' }, agent);
    expect(byAgent.body.input_request.latest_response).toMatchObject({ actor_type: 'agent' });

    for (const type of ['agent', 'system']) {
      const { id } = await ask({ requested_responder_type: type });
      const byAdmin = await submit(id, { version: '7' });
      expect(byAdmin.body.input_request.latest_response).toMatchObject({ actor_type: type, actor_id: 'key:admin' });
    }
    await expectRefused(person.post(requests, asking()), 403, 'forbidden');
  });

  test('[X4] a token for one request reads and answers it, and sees no other', async () => {
    const [mine, other] = [await ask(), await ask()];
    const person = await withToken({ interactionId: mine.id });
    await expectRefused(person.get(`${requests}/${other.id}`), 404, 'interaction-not-found');
    expect((await person.get(`${requests}/${mine.id}`)).body).toEqual(mine);
    expect((await submit(mine.id, { version: '7' }, person)).status).toBe(201);
  });

  test('[I1] a response repeated under its key is taken once', async () => {
    const { id } = await ask();
    const twice = () =>
      admin.post(`${requests}/${id}/responses`, { values: { version: '7' } }, { 'idempotency-key': id });
    expect(await twice()).toMatchObject({ status: 201, body: { success: true } });
    expect(await twice()).toMatchObject({ status: 201, body: { success: true } });
    await expectRefused(submit(id, { version: '7' }), 409, 'interaction-already-answered');
  });
});

describe('ending without an answer', () => {
  test('[AN7] the requester cancels, and the request is shown as cancelled', async () => {
    const { id } = await ask();
    const cancelled = await agent.post<InputRequest>(`${requests}/${id}/cancel`);
    expect(cancelled.status).toBe(200);
    const shown = { status: 'cancelled', cancelled_at: expect.any(String), latest_response: null };
    expect(valid(cancelled.body)).toMatchObject(shown);
    for (const again of [agent.post<Refused>(`${requests}/${id}/cancel`), submit<Refused>(id, { version: '7' })])
      expect((await expectRefused(again, 409, 'interaction-cancelled')).input_request).toEqual(cancelled.body);
  });

  test('[AN6] who declines has responded with nothing', async () => {
    const { id } = await ask();
    const responder = { type: 'human', id: 'ann' };
    await admin.post(`/v1/interactions/${id}/decline`, { responder, reason: 'No.' });
    expect(await get(id)).toMatchObject({
      status: 'cancelled',
      cancelled_at: expect.any(String),
      submitted_at: null,
      latest_response: { actor_type: 'human', actor_id: 'ann', values: {} },
    });
  });

  test('[X2] a request is found in its conversation alone', async () => {
    const { id } = await ask();
    const { body: elsewhere } = await agent.post<{ id: string }>('/conversations');
    for (const place of [`/conversations/${elsewhere.id}/input-requests/${id}`, `${requests}/${crypto.randomUUID()}`]) {
      await expectRefused(agent.get(place), 404, 'interaction-not-found');
      await expectRefused(agent.post(`${place}/cancel`), 404, 'interaction-not-found');
      await expectRefused(admin.post(`${place}/responses`, { values: {} }), 404, 'interaction-not-found');
    }
    await expectRefused(agent.get(`${requests}/nonsense`), 404, 'interaction-not-found');
  });
});

describe('listing', () => {
  test('[H3] gives every request once, the oldest first, in pages', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.push((await ask()).id);
    const seen: string[] = [];
    let self: string | null = null;
    do {
      const cursor: string = self === null ? '' : `&cursor=${self}`;
      const { body } = await agent.get<InputRequestPage>(`${requests}?limit=2${cursor}`);
      expect(body.page_info).toMatchObject({ self, first: null, prev: null });
      seen.push(...body.data.map((request) => valid(request).id));
      self = body.page_info.next;
    } while (self !== null);
    expect(seen).toEqual(ids);
  });

  test('by status, where a decline is no response and a rejection is one; by run; by both', async () => {
    const [open, submitted, cancelled, declined] = [
      await ask({ run_id: 'other' }),
      await ask(),
      await ask(),
      await ask(),
    ];
    await submit(submitted.id, { version: '7' });
    await agent.post(`${requests}/${cancelled.id}/cancel`);
    await admin.post(`/v1/interactions/${declined.id}/decline`);
    const { body: approval } = await agent.post<Interaction>(`/v1/threads/${conversation}/interactions`, {
      kind: 'approval',
      title: 'Deploy?',
    });
    await submit(approval.id, { decision: 'deny' });
    const listed = async (query: string) =>
      (await agent.get<InputRequestPage>(`${requests}?${query}`)).body.data.map(({ id }) => id);
    expect(await listed('status=open')).toEqual([open.id]);
    expect(await listed('status=submitted')).toEqual([submitted.id, approval.id]);
    expect(await listed('status=cancelled')).toEqual([cancelled.id, declined.id]);
    expect(await listed('status=expired')).toEqual([]);
    expect(await listed('run_id=other')).toEqual([open.id]);
    expect(await listed('run_id=other&status=submitted')).toEqual([]);
    expect(await listed('status=cancelled&limit=1')).toEqual([cancelled.id]);
    const more = [await ask(), await ask(), await ask()];
    for (const { id } of more) await agent.post(`${requests}/${id}/cancel`);
    // Past those of another status a page is filled up to its limit, and no further.
    expect(await listed('status=cancelled&limit=4')).toEqual([cancelled.id, declined.id, more[0]?.id, more[1]?.id]);
  });

  test.each(['status=pending', 'limit=0', 'limit=101', 'limit=x', 'cursor=', 'page=2'])(
    'refuses ?%s',
    async (query) => {
      const refused = await expectRefused(agent.get(`${requests}?${query}`), 400, 'invalid-input');
      expect(pointers(refused)?.[0]).toContain(`/query/${query.split('=')[0]}`);
    },
  );

  test('[L4] refuses a cursor of nobody', async () => {
    await expectRefused(agent.get(`${requests}?cursor=nonsense`), 400, 'invalid-cursor');
  });
});

describe('resuming a run', () => {
  const resume = <T = Record<string, unknown>>(tool_call_id: string, more: object, as: Client = admin) =>
    as.post<T>('/runs/run-1/resume', { type: 'tool_result', tool_call_id, ...more });

  test('[I1] a result answers what its tool call asked; the same again is known, another is refused', async () => {
    for (const result of [
      { version: '7' },
      { values: { version: '7' } },
      { submitted: true, values: { version: '7' } },
    ]) {
      const { id, tool_call_id } = await ask();
      expect(await resume(tool_call_id, { result })).toMatchObject({ status: 200, body: { accepted: true } });
      expect(await get(id)).toMatchObject({ status: 'submitted', latest_response: { values: { version: '7' } } });
      expect((await resume(tool_call_id, { result })).body).toEqual({ accepted: true, duplicate: true });
      const other = resume<Refused>(tool_call_id, { result: { version: '8' } });
      expect((await expectRefused(other, 409, 'idempotency-key-reused')).input_request).toMatchObject({ id });
    }
  });

  test.each([
    [{ is_error: true, result: 'It broke.' }, 'It broke.'],
    [{ is_error: true, result: { message: 'It broke.' } }, 'It broke.'],
    [{ is_error: true, result: { code: 7 } }, '{"code":7}'],
    [{ is_error: true }, undefined],
    [{ result: { submitted: false, values: {} } }, undefined],
  ])('[AN6] %j declines', async (more, reason) => {
    const { id, tool_call_id } = await ask();
    expect((await resume(tool_call_id, more)).body).toEqual({ accepted: true });
    expect(await get(id)).toMatchObject({ status: 'cancelled', latest_response: { values: {} } });
    expect((await admin.get<Interaction>(`/v1/interactions/${id}`)).body.answer?.reason).toBe(reason);
    expect((await resume(tool_call_id, more)).body).toEqual({ accepted: true, duplicate: true });
  });

  test('a field may be named submitted', async () => {
    const { id, tool_call_id } = await ask({ fields: [{ name: 'submitted', type: 'checkbox' }] });
    await resume(tool_call_id, { result: { submitted: false } });
    expect(await get(id)).toMatchObject({ status: 'submitted', latest_response: { values: { submitted: false } } });
  });

  test('an answer by another responder is shown, and an unknown tool call is not found', async () => {
    const { id, tool_call_id } = await ask();
    await submit(id, { version: '7' });
    const late = resume<Refused>(tool_call_id, { result: { version: '7' } });
    const refused = await expectRefused(late, 409, 'interaction-already-answered');
    expect(refused.input_request).toMatchObject({ id, status: 'submitted' });
    await expectRefused(resume('never', { result: {} }), 404, 'interaction-not-found');
    const never = crypto.randomUUID();
    const resumed = { type: 'tool_result', tool_call_id: never, result: {} };
    await expectRefused(admin.post(`/runs/${never}/resume`, resumed), 404, 'interaction-not-found');
  });

  test('[AN3][AN5] an answer that does not fit, or of who was not asked, changes nothing', async () => {
    const { id, tool_call_id } = await ask();
    const bad = await expectRefused(resume(tool_call_id, { result: { version: 7 } }), 422, 'invalid-answer');
    expect(pointers(bad)).toEqual(['/values/version type']);
    for (const result of ['7', 7, null, [], undefined])
      expect(pointers(await expectRefused(resume(tool_call_id, { result }), 400, 'invalid-input'))).toEqual([
        '/result type',
      ]);
    await expectRefused(resume(tool_call_id, { result: { version: '7' } }, agent), 403, 'wrong-responder');
    expect(await get(id)).toMatchObject({ status: 'open' });
    expect((await resume(tool_call_id, { result: { version: '7' } })).body).toEqual({ accepted: true });
  });

  test('one that was asked elsewhere, without a run, is found by the ids that it is shown with', async () => {
    const { body } = await agent.post<Interaction>(`/v1/threads/${conversation}/interactions`, { title: 'Name?' });
    const { run_id, tool_call_id, id } = await get(body.id);
    const resumed = { type: 'tool_result', tool_call_id, result: { text: 'Ann' } };
    expect((await admin.post(`/runs/${run_id}/resume`, resumed)).body).toEqual({ accepted: true });
    expect(await get(id)).toMatchObject({ status: 'submitted', latest_response: { values: { text: 'Ann' } } });
  });

  test('a run may have asked more than a page of them', async () => {
    const run_id = crypto.randomUUID();
    const first = await ask({ run_id });
    await Promise.all(Array.from({ length: 60 }, () => ask({ run_id })));
    const resumed = { type: 'tool_result', tool_call_id: first.tool_call_id, result: { version: '7' } };
    expect((await admin.post(`/runs/${run_id}/resume`, resumed)).body).toEqual({ accepted: true });
    expect(await get(first.id)).toMatchObject({ status: 'submitted' });
  });

  test('[I2] of the same tool call in two conversations none is answered, whichever is open', async () => {
    const tool_call_id = `call-${calls++}`;
    const here = await ask({ tool_call_id });
    expect((await resume(tool_call_id, { result: { version: '7' } })).body).toEqual({ accepted: true });
    const { body: elsewhere } = await agent.post<{ id: string }>('/conversations');
    const there = `/conversations/${elsewhere.id}/input-requests`;
    const { body: open } = await agent.post<InputRequest>(there, asking({ tool_call_id }));
    const again = await expectRefused(
      resume(tool_call_id, { result: { version: '7' } }),
      409,
      'idempotency-key-reused',
    );
    expect(again.error.message).toContain('several conversations');
    expect((await agent.get(`${there}/${open.id}`)).body).toEqual(open);
    expect(await get(here.id)).toMatchObject({ status: 'submitted' });
    // Who reaches one of them only cannot mean the other.
    const person = await withToken({ threadId: elsewhere.id });
    expect((await resume(tool_call_id, { result: { version: '8' } }, person)).body).toEqual({ accepted: true });
  });

  test('[I1] the same result from another key is known, another is not', async () => {
    const other = await withKey('admin');
    const { tool_call_id } = await ask();
    await resume(tool_call_id, { result: { version: '7' } });
    expect((await resume(tool_call_id, { result: { values: { version: '7' } } }, other)).body).toEqual({
      accepted: true,
      duplicate: true,
    });
    for (const more of [{ result: { version: '8' } }, { result: {} }, { is_error: true }])
      await expectRefused(resume(tool_call_id, more, other), 409, 'idempotency-key-reused');

    const declined = await ask();
    await resume(declined.tool_call_id, { is_error: true, result: 'No.' });
    const again = await resume(declined.tool_call_id, { is_error: true, result: 'No.' }, other);
    expect(again.body).toEqual({ accepted: true, duplicate: true });
    for (const more of [{ is_error: true }, { is_error: true, result: 'Never.' }, { result: { version: '7' } }])
      await expectRefused(resume(declined.tool_call_id, more, other), 409, 'idempotency-key-reused');
  });

  test('[AN9] no error shows whether a secret is the same', async () => {
    const other = await withKey('admin');
    const { tool_call_id } = await ask({ fields: [{ name: 'pass', type: 'password' }] });
    await resume(tool_call_id, { result: { pass: 'hunter2' } });
    for (const result of [{ pass: 'hunter2' }, { pass: 'hunter3' }, {}])
      await expectRefused(resume(tool_call_id, { result }, other), 409, 'idempotency-key-reused');
  });
});

describe('what is asked elsewhere', () => {
  test('[DL1] a choice of several, an approval and a payload are asked and answered here', async () => {
    const made = async (question: object) =>
      (await agent.post<Interaction>(`/v1/threads/${conversation}/interactions`, { title: 'Well?', ...question })).body;
    const choice = await made({ options: ['a', 'b', 'c'], maxSelections: 2 });
    expect((await get(choice.id)).fields).toMatchObject([{ name: 'choice', type: 'multi_select' }]);
    await expectRefused(submit(choice.id, { choice: '["a","d"]' }), 422, 'invalid-answer');
    expect((await submit(choice.id, { choice: '["a","c"]' })).body.input_request.latest_response?.values).toEqual({
      choice: '["a","c"]',
    });
    const payload = await made({
      payloadSchema: { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } },
    });
    const bad = await expectRefused(submit(payload.id, { payload: '{"n":"x"}' }), 422, 'invalid-answer');
    expect(bad.error.details?.[0]?.pointer).toBe('/values/payload');
    const { body } = await submit(payload.id, { payload: '{"n":1}' });
    expect(valid(body.input_request).latest_response?.values).toEqual({ payload: '{"n":1}' });
    expect((await admin.get<Interaction>(`/v1/interactions/${payload.id}`)).body.answer?.payload).toEqual({ n: 1 });
  });

  test('[A6] JSON text that is nested too deep is a text, which does not fit', async () => {
    const made = async (question: object) =>
      (await agent.post<Interaction>(`/v1/threads/${conversation}/interactions`, { title: 'Well?', ...question })).body;
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const upload = await made({ fields: [{ name: 'photo', type: 'image_upload' }] });
    await expectRefused(submit(upload.id, { photo: deep }), 422, 'invalid-answer');
    const choice = await made({ options: ['a', 'b', 'c'], maxSelections: 2 });
    await expectRefused(submit(choice.id, { choice: deep }), 422, 'invalid-answer');
    const payload = await made({ payloadSchema: { type: 'object' } });
    for (const text of [deep, `{"a":${deep}}`, `{"__proto__":1,"a":${deep}}`])
      await expectRefused(submit(payload.id, { payload: text }), 422, 'invalid-answer');
    // Under a key each of them is hashed.
    const reply = admin.post<Refused>(
      `${requests}/${payload.id}/responses`,
      { values: { payload: deep } },
      { 'idempotency-key': 'deep' },
    );
    await expectRefused(reply, 422, 'invalid-answer');
  });

  test('[DL2][U1] a request that was changed elsewhere is shown with its new texts', async () => {
    const { id } = await ask({ metadata: { a: 1 } });
    const fields = [{ name: 'other', type: 'rating' }];
    await admin.call(`/v1/interactions/${id}`, { method: 'PATCH', body: { fields } });
    expect(await get(id)).toMatchObject({ fields, metadata: { a: 1 }, run_id: 'run-1' });
    expect((await submit(id, { other: 4 })).body.input_request.latest_response?.values).toEqual({ other: 4 });
  });
});
