/** The two schemas of create_input_request, property by property: what they allow is taken and shown, what they forbid is refused where it stands. */
import { type InputRequest, tools } from '@holdpoint/mcp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { outputErrors } from '../../src/dialects/input-requests/sent.fixture.ts';
import { startTestServer } from '../test-server.ts';

const server = await startTestServer();
afterAll(() => server[Symbol.asyncDispose]());
const { admin } = server;
const conversation = (await admin.post<{ id: string }>('/conversations')).body.id;
const requests = `/conversations/${conversation}/input-requests`;

let calls = 0;
const asking = (more: object = {}) => ({
  run_id: 'run-1',
  tool_call_id: `call-${calls++}`,
  requested_responder_type: 'human',
  title: 'Ship it?',
  fields: [{ name: 'version', type: 'text' }],
  ...more,
});

async function ask(more: object = {}): Promise<InputRequest> {
  const { status, body } = await admin.post<InputRequest>(requests, asking(more));
  expect({ status, body }).toMatchObject({ status: 201 });
  expect(outputErrors(body)).toEqual([]);
  return body;
}

/** The places of what was wrong. */
async function refusal(more: object): Promise<string[]> {
  const { status, body } = await admin.post<{ error: { details: { pointer: string }[] } }>(requests, asking(more));
  expect({ status, body }).toMatchObject({ status: 400, body: { error: { code: 'invalid-input' } } });
  return body.error.details.map(({ pointer }) => pointer);
}

const field = (more: object) => ({ fields: [{ name: 'a', type: 'text', ...more }] });
const fields = (count: number) => ({
  fields: Array.from({ length: count }, (_, index) => ({ name: `f${index}`, type: 'text' })),
});
const x = (length: number) => 'x'.repeat(length);
const options = [
  { value: 'eu', label: 'Europe' },
  { value: 'us', label: 'America', flag: { stars: 50 } },
];

describe('the input schema', () => {
  const properties: [string, string, object[], object[]][] = [
    ['conversation_id', '/conversation_id', [{}, { conversation_id: conversation }], badTexts('conversation_id')],
    ['run_id', '/run_id', [{ run_id: 'r' }, { run_id: x(255) }], badTexts('run_id', 255)],
    ['tool_call_id', '/tool_call_id', [{ tool_call_id: 'c' }, { tool_call_id: x(255) }], badTexts('tool_call_id', 255)],
    ['kind', '/kind', [{ kind: 'form' }], badTexts('kind')],
    [
      'requested_responder_type',
      '/requested_responder_type',
      ['human', 'agent', 'system'].map((type) => ({ requested_responder_type: type })),
      badTexts('requested_responder_type'),
    ],
    ['title', '/title', [{ title: 'T' }, { title: x(1_000) }], badTexts('title', 1_000)],
    [
      'description',
      '/description',
      [{ description: 'D' }, { description: x(20_000) }],
      badTexts('description', 20_000),
    ],
    ['fields', '/fields', [fields(1), fields(100)], [fields(0), fields(101), { fields: {} }, { fields: ['a'] }]],
    ['fields[].name', '/fields/0/name', [field({ name: x(255) })], [field({ name: undefined }), ...badIn('name', 255)]],
    ['fields[].type', '/fields/0/type', [field({ type: x(64) })], [field({ type: undefined }), ...badIn('type', 64)]],
    ['fields[].label', '/fields/0/label', [field({ label: 'L' }), field({ label: x(1_000) })], badIn('label', 1_000)],
    [
      'fields[].required',
      '/fields/0/required',
      [field({ required: true }), field({ required: false })],
      [field({ required: 'yes' }), field({ required: 1 })],
    ],
    [
      'fields[].options',
      '/fields/0/options',
      [field({ type: 'select', options }), field({ type: 'radio', options }), field({ type: 'palette', options })],
      [field({ type: 'select', options: 'eu' }), field({ type: 'select', options: [7] })],
    ],
    [
      'fields[], any further property',
      '/fields/0',
      [field({ 'x-icon': { any: ['thing', 1, null] }, hint: 'h' })],
      [{ fields: [7] }],
    ],
    [
      'recommendations',
      '/recommendations',
      [{ recommendations: { version: '4', of: [1, { a: null }] } }],
      badObjects('recommendations'),
    ],
    ['expires_at', '/expires_at', [{ expires_at: '2999-01-01T00:00:00.000Z' }], badTexts('expires_at')],
    ['metadata', '/metadata', [{ metadata: { submitLabel: 'Go', deep: [{ a: null }] } }], badObjects('metadata')],
    ['no further property', '/priority', [{}], [{ priority: 1 }]],
  ];

  test.each(properties)('[DL2] %s', async (_property, pointer, allowed, forbidden) => {
    for (const more of allowed) expect(await ask(more)).toMatchObject(more);
    for (const more of forbidden)
      for (const place of await refusal(more))
        expect(place, JSON.stringify(more).slice(0, 200)).toMatch(under(pointer));
  });

  test.each(['run_id', 'tool_call_id', 'requested_responder_type', 'title', 'fields'])(
    '[DL2] %s is required',
    async (property) => {
      expect(await refusal({ [property]: undefined })).toEqual([`/${property}`]);
    },
  );
});

const under = (pointer: string) => new RegExp(`^${pointer.replaceAll('[', '\\[')}(/|$)`);

function badTexts(property: string, maxLength?: number): object[] {
  const bad = ['', 7, ...(maxLength === undefined ? ['no such value'] : [x(maxLength + 1)])];
  return bad.map((value) => ({ [property]: value }));
}

function badIn(property: string, maxLength: number): object[] {
  return badTexts(property, maxLength).map(field);
}

function badObjects(property: string): object[] {
  return [[], 'x', 7].map((value) => ({ [property]: value }));
}

describe('the output schema', () => {
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
  const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
  const full = {
    run_id: 'the run',
    tool_call_id: 'the call',
    kind: 'form',
    requested_responder_type: 'human',
    title: 'Which version?',
    description: 'Of the three that were built.',
    fields: [{ name: 'version', type: 'text', label: 'Version', 'x-icon': 'tag' }],
    recommendations: { version: '4.2', why: ['newest'] },
    metadata: { submitLabel: 'Ship', ticket: 7 },
    expires_at: '2999-01-01T00:00:00.000Z',
  };
  const shown = {} as Record<'open' | 'plain' | 'submitted' | 'cancelled' | 'expired', InputRequest>;
  /** That of the request that was submitted. */
  const response = () => shown.submitted.latest_response ?? expect.fail('there is no response');

  beforeAll(async () => {
    const get = async ({ id }: InputRequest) => (await admin.get<InputRequest>(`${requests}/${id}`)).body;
    shown.open = await ask(full);
    shown.plain = await ask();
    const submitted = await ask({ ...full, tool_call_id: 'submitted' });
    const values = { version: '4.2' };
    expect((await admin.post(`${requests}/${submitted.id}/responses`, { values })).status).toBe(201);
    const cancelled = await ask();
    expect((await admin.post(`${requests}/${cancelled.id}/cancel`)).status).toBe(200);
    const expired = await ask({ expires_at: new Date(server.clock.now() + 60_000).toISOString() });
    server.clock.offsetMs += 120_000;
    await admin.get(`/v1/interactions/${expired.id}/wait`);
    Object.assign(shown, {
      submitted: await get(submitted),
      cancelled: await get(cancelled),
      expired: await get(expired),
    });
  });

  const properties: [string, () => void][] = [
    ['id', () => expect(shown.open.id).toMatch(uuid)],
    ['conversation_id', () => expect(shown.open.conversation_id).toBe(conversation)],
    ['run_id', () => expect(shown.open.run_id).toBe(full.run_id)],
    ['tool_call_id', () => expect(shown.open.tool_call_id).toBe(full.tool_call_id)],
    ['kind', () => expect([shown.open.kind, shown.plain.kind]).toEqual(['form', 'form'])],
    [
      'status',
      () => {
        const { open, submitted, cancelled, expired } = shown;
        const statuses = [open, submitted, cancelled, expired].map(({ status }) => status);
        expect(statuses).toEqual(['open', 'submitted', 'cancelled', 'expired']);
      },
    ],
    ['requested_responder_type', () => expect(shown.open.requested_responder_type).toBe('human')],
    ['title', () => expect(shown.open.title).toBe(full.title)],
    ['description', () => expect([shown.open.description, shown.plain.description]).toEqual([full.description, null])],
    ['fields', () => expect(shown.open.fields).toEqual(full.fields)],
    [
      'recommendations',
      () => expect([shown.open.recommendations, shown.plain.recommendations]).toEqual([full.recommendations, null]),
    ],
    ['metadata', () => expect([shown.open.metadata, shown.plain.metadata]).toEqual([full.metadata, null])],
    ['created_at', () => expect(shown.open.created_at).toMatch(time)],
    ['expires_at', () => expect([shown.open.expires_at, shown.plain.expires_at]).toEqual([full.expires_at, null])],
    ['submitted_at', () => timed('submitted_at', 'submitted')],
    ['cancelled_at', () => timed('cancelled_at', 'cancelled')],
    ['expired_at', () => timed('expired_at', 'expired')],
    ['latest_response', () => expect([shown.open.latest_response, typeof response()]).toEqual([null, 'object'])],
    ['latest_response.id', () => expect(response().id).toMatch(uuid)],
    ['latest_response.input_request_id', () => expect(response().input_request_id).toBe(shown.submitted.id)],
    ['latest_response.conversation_id', () => expect(response().conversation_id).toBe(conversation)],
    ['latest_response.run_id', () => expect(response().run_id).toBe(full.run_id)],
    ['latest_response.actor_type', () => expect(response().actor_type).toBe('human')],
    ['latest_response.actor_id', () => expect(response().actor_id).toMatch(/^key:./)],
    ['latest_response.values', () => expect(response().values).toEqual({ version: '4.2' })],
    ['latest_response.created_at', () => expect(response().created_at).toMatch(time)],
  ];

  test.each(properties)('[DL2] %s', (_property, check) => check());

  test('[DL2] has exactly the required properties, whatever became of the request', () => {
    const { required = [], properties } = tools.create.outputSchema;
    const { anyOf } = properties.latest_response as unknown as { anyOf: [{ required: string[] }] };
    for (const request of Object.values(shown)) {
      expect(outputErrors(request)).toEqual([]);
      expect(Object.keys(request).toSorted()).toEqual(required.toSorted());
    }
    expect(Object.keys(response()).toSorted()).toEqual(anyOf[0].required.toSorted());
  });

  test('[DL2] what is submitted is a string, a number, a boolean or null', async () => {
    const every = ['text', 'number', 'checkbox', 'gauge'].map((type) => ({ name: type, type }));
    const { id } = await ask({ fields: every });
    const path = `${requests}/${id}/responses`;
    for (const value of [{}, [], ['a']]) {
      const { status } = await admin.post(path, { values: { gauge: value } });
      expect(status).toBe(400);
    }
    const values = { text: 'a', number: 1.5, checkbox: false, gauge: null };
    const { status, body } = await admin.post<{ input_request: InputRequest }>(path, { values });
    expect(status).toBe(201);
    expect(body.input_request.latest_response?.values).toEqual({ text: 'a', number: 1.5, checkbox: false });
  });

  /** There where the status is that, and null in every other. */
  function timed(property: 'submitted_at' | 'cancelled_at' | 'expired_at', status: keyof typeof shown): void {
    for (const [name, request] of Object.entries(shown))
      if (name === status) expect(request[property]).toMatch(time);
      else expect(request[property]).toBeNull();
  }
});
