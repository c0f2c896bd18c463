/** What goes wrong, in the envelope of Opengram, at the place in what was sent. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../client.ts';
import { startTestServer } from '../test-server.ts';
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

let admin: Client;
let chat: string;
/** Where requests are left pending. */
let elsewhere: string;

beforeAll(async () => {
  const server = await startTestServer({ bodyLimitBytes: 100_000 });
  ({ admin } = server);
  chat = await newChat(admin);
  elsewhere = await newChat(admin);
  return () => server[Symbol.asyncDispose]();
});

const create = (body: unknown) => admin.post<Refusal>(`/api/v1/chats/${chat}/requests`, body);
const problemsOf = ({ details }: Refusal['error']) =>
  details?.problems?.map(({ pointer, code }) => `${pointer} ${code}`) ?? [];
const option = (id: string) => ({ id, label: id.toUpperCase() });
const asking = (type: string, config: unknown) => ({ type, title: 'T', config });
const field = (more: object) => asking('form', { fields: [{ name: 'a', type: 'text', ...more }] });

describe('a request that cannot be asked is refused at its place', () => {
  const cases: [string, unknown, string[], string?][] = [
    ['a body that is no object', [], [' type']],
    ['no title', { type: 'choice', config: { options: [option('a')] } }, ['/title required'], 'title'],
    [
      'a blank title',
      { ...asking('form', { fields: [{ name: 'a', type: 'text' }] }), title: ' ' },
      ['/title required'],
    ],
    ['a blank title of a text', { ...asking('text_input', {}), title: ' ' }, ['/title required'], 'title'],
    [
      'a blank title of a choice',
      { ...asking('choice', { options: [option('a')] }), title: ' ' },
      ['/title required'],
      'title',
    ],
    [
      'a password that is there already',
      field({ type: 'password', default: 'x', defaultValue: 'y', value: 'z' }),
      ['default', 'defaultValue', 'value'].map((name) => `/config/fields/0/${name} secret-default`),
      'config.fields[0].default',
    ],
    ['a secret that is there already', field({ secret: true, value: 'x' }), ['/config/fields/0/value secret-default']],
    [
      'a secret beside a choice',
      asking('choice', { options: [option('a')], fields: [{ name: 'p', type: 'password', defaultValue: 'x' }] }),
      ['/config/fields/0/defaultValue secret-default'],
    ],
    ['a title that is none', { ...asking('text_input', {}), title: 5 }, ['/title type']],
    ['a type of its own', asking('poll', {}), ['/type value'], 'type'],
    ['no config', { type: 'form', title: 'T' }, ['/config required']],
    ['a config that is no object', asking('form', []), ['/config type']],
    ['a body that is none', { ...asking('text_input', {}), body: 5 }, ['/body type']],
    ['a trace that is none', { ...asking('text_input', {}), trace: 'x' }, ['/trace type']],
    ['a time that is none', { ...asking('text_input', {}), expiresAt: 'tomorrow' }, ['/expiresAt datetime']],
    ['a time that is past', { ...asking('text_input', {}), expiresAt: '2001-01-01T00:00:00Z' }, ['/expiresAt past']],
    ['a choice of nothing', asking('choice', { options: [] }), ['/config/options min-items'], 'config.options'],
    [
      'an option without an id',
      asking('choice', { options: [option('a'), { label: 'B' }] }),
      ['/config/options/1/id required'],
      'config.options[1].id',
    ],
    [
      'a blank id and a blank label',
      asking('choice', { options: [{ id: ' ', label: ' ' }] }),
      ['/config/options/0/id required', '/config/options/0/label required'],
      'config.options[0].id',
    ],
    [
      'an id that is there twice',
      asking('choice', { options: [option('a'), option('a')] }),
      ['/config/options/1/id duplicate'],
      'config.options[1].id',
    ],
    [
      'a variant of its own',
      asking('choice', { options: [{ ...option('a'), variant: 'huge' }] }),
      ['/config/options/0/variant value'],
    ],
    [
      'more at least than at most',
      asking('choice', { options: [option('a'), option('b'), option('c')], minSelections: 3, maxSelections: 2 }),
      ['/config/minSelections order'],
      'config.minSelections',
    ],
    [
      'more at least than there are',
      asking('choice', { options: [option('a')], minSelections: 2, maxSelections: 3 }),
      ['/config/minSelections min-selections'],
    ],
    [
      'no whole number',
      asking('choice', { options: [option('a')], maxSelections: 1.5 }),
      ['/config/maxSelections type'],
    ],
    [
      'longer at least than at most',
      asking('text_input', { validation: { minLength: 5, maxLength: 2 } }),
      ['/config/validation/minLength order'],
      'config.validation.minLength',
    ],
    ['no pattern', asking('text_input', { validation: { pattern: '(' } }), ['/config/validation/pattern pattern']],
    [
      'a pattern without end',
      asking('text_input', { validation: { pattern: '(a)\\1' } }),
      ['/config/validation/pattern pattern'],
    ],
    ['a placeholder that is none', asking('text_input', { placeholder: 5 }), ['/config/placeholder type']],
    ['a form of nothing', asking('form', { fields: [] }), ['/config/fields required'], 'config.fields'],
    ['a field that is none', asking('form', { fields: ['a'] }), ['/config/fields/0 type']],
    ['a field without a name', field({ name: '' }), ['/config/fields/0/name min-length'], 'config.fields[0].name'],
    [
      'a name that is there twice',
      asking('form', {
        fields: [
          { name: 'a', type: 'text' },
          { name: 'a', type: 'date' },
        ],
      }),
      ['/config/fields/1/name duplicate'],
      'config.fields[1].name',
    ],
    ['a field type of its own', field({ type: 'colour' }), ['/config/fields/0/type unknown-type']],
    ['a select of nothing', field({ type: 'select' }), ['/config/fields/0/options required']],
    ['options elsewhere', field({ options: ['x'] }), ['/config/fields/0/options unknown-property']],
    ['a required that is none', field({ required: 'yes' }), ['/config/fields/0/required type']],
    ['a dangerous name', field({ name: 'constructor' }), ['/config/fields/0/name forbidden-name']],
  ];

  test.each(cases)('%s', async (_what, body, problems, field) => {
    const error = refused(await create(body), 'VALIDATION_ERROR', 400);
    expect(problemsOf(error)).toEqual(problems);
    if (field !== undefined)
      expect(error).toMatchObject({ message: expect.stringContaining(field), details: { field } });
    expect(await pending(admin, chat)).toEqual([]);
  });

  test('a trace that is too large', async () => {
    const error = refused(
      await create({ ...asking('text_input', {}), trace: { a: 'x'.repeat(70_000) } }),
      'VALIDATION_ERROR',
      400,
    );
    expect(problemsOf(error)).toEqual(['/trace too-large']);
  });

  test('all of it at once', async () => {
    const error = refused(await create({ type: 'poll', title: 5 }), 'VALIDATION_ERROR', 400);
    expect(problemsOf(error).toSorted()).toEqual(['/config required', '/title type', '/type value']);
  });
});

describe('an answer that does not fit is refused at its place', () => {
  const deploy = { environment: 'production', version: '1' };
  const cases: [string, string, unknown, string[], string?][] = [
    ['nothing selected', 'choice', {}, ['/selectedOptionIds required'], 'selectedOptionIds'],
    ['a selection that is none', 'choice', { selectedOptionIds: 'approve' }, ['/selectedOptionIds type']],
    ['an id that is none', 'choice', { selectedOptionIds: [5] }, ['/selectedOptionIds/0 type']],
    [
      'an unknown option',
      'choice',
      { selectedOptionIds: ['maybe'] },
      ['/selectedOptionIds option'],
      'selectedOptionIds',
    ],
    ['two of one', 'choice', { selectedOptionIds: ['approve', 'reject'] }, ['/selectedOptionIds option']],
    [
      'an unknown one of many',
      'choice-multi',
      { selectedOptionIds: ['cheese', 'olives'] },
      ['/selectedOptionIds/1 option'],
    ],
    ['too few', 'choice-multi', { selectedOptionIds: [] }, ['/selectedOptionIds required']],
    ['no text', 'text-input', {}, ['/text required'], 'text'],
    ['a blank text', 'text-input', { text: ' \n' }, ['/text required'], 'text'],
    ['a text that is none', 'text-input', { text: 5 }, ['/text type']],
    ['too long a text', 'text-input-validation', { text: '1.2.3'.padEnd(21, '4') }, ['/text max-length']],
    ['no values', 'form', { environment: 'production' }, ['/values required'], 'values'],
    ['values that are none', 'form', { values: [] }, ['/values type']],
    [
      'an unknown name',
      'form',
      { values: { ...deploy, colour: 'red' } },
      ['/values/colour unknown-field'],
      'values.colour',
    ],
    ['what is missing', 'form', { values: { version: '1' } }, ['/values/environment required'], 'values.environment'],
    ['what is blank', 'form', { values: { ...deploy, version: ' ' } }, ['/values/version required']],
    [
      'an unknown option of a field',
      'form',
      { values: { ...deploy, environment: 'moon' } },
      ['/values/environment option'],
    ],
    ['a text for a yes', 'form', { values: { ...deploy, notify: 'yes' } }, ['/values/notify type'], 'values.notify'],
  ];

  test.each(cases)('%s', async (_what, name, payload, problems, field) => {
    const request = await ask(admin, elsewhere, fixture(name));
    const error = refused(await resolve(admin, request, payload), 'VALIDATION_ERROR', 400);
    expect(problemsOf(error)).toEqual(problems);
    if (field !== undefined) expect(error.details?.field).toBe(field);
    expect((await admin.get<Request>(`/api/v1/requests/${request.id}`)).body).toEqual(request);
  });

  test('a field named like a place of ours keeps its place', async () => {
    const fields = ['choice', 'text', 'a/b'].map((name) => ({ name, type: 'checkbox' }));
    const request = await ask(admin, elsewhere, { type: 'form', title: 'T', config: { fields } });
    const values = { choice: 1, text: 1, 'a/b': 1 };
    const error = refused(await resolve(admin, request, { values }), 'VALIDATION_ERROR', 400);
    expect(problemsOf(error)).toEqual(['/values/choice type', '/values/text type', '/values/a~1b type']);
    expect(error.message).toContain('values.a/b: ');
  });

  test('a date must be one', async () => {
    const fields = [{ name: 'on', type: 'date' }];
    const request = await ask(admin, elsewhere, { type: 'form', title: 'T', config: { fields } });
    const error = refused(await resolve(admin, request, { values: { on: '2023-02-29' } }), 'VALIDATION_ERROR', 400);
    expect(problemsOf(error)).toEqual(['/values/on date']);
  });

  test('a required list must not be empty, and a required box may be false', async () => {
    const fields = [
      { name: 'list', type: 'multiselect', options: ['x', 'y'], required: true },
      { name: 'box', type: 'checkbox', required: true },
    ];
    const request = await ask(admin, elsewhere, { type: 'form', title: 'T', config: { fields } });
    const error = refused(await resolve(admin, request, { values: { list: [] } }), 'VALIDATION_ERROR', 400);
    expect(problemsOf(error)).toEqual(['/values/list required', '/values/box required']);
    const payload = { values: { list: ['y'], box: false } };
    expect((await resolve(admin, request, payload)).body.resolution_payload).toEqual(payload);
  });
});

describe('what is not there', () => {
  test.each([
    ['GET', '/api/v1/chats/nowhere'],
    ['PATCH', '/api/v1/chats/nowhere', { pinned: true }],
    ['POST', '/api/v1/chats/nowhere/archive', {}],
    ['POST', '/api/v1/chats/nowhere/mark-read', {}],
    ['POST', '/api/v1/chats/nowhere/typing', { agentId: 'a' }],
    ['POST', '/api/v1/chats/nowhere/user-typing', {}],
    ['GET', '/api/v1/chats/nowhere/requests'],
    ['POST', '/api/v1/chats/nowhere/requests', { type: 'text_input', title: 'T', config: {} }],
    ['GET', '/api/v1/chats/nowhere/messages'],
    ['POST', '/api/v1/chats/nowhere/messages', { role: 'user', senderId: 'user:primary', content: 'x' }],
    ['POST', '/api/v1/chats/nowhere/messages/cancel-streaming', {}],
    ['POST', '/api/v1/messages/nowhere/chunks', { deltaText: 'x' }],
    ['POST', '/api/v1/messages/nowhere/complete', {}],
    ['POST', '/api/v1/messages/nowhere/cancel', {}],
    ['GET', '/api/v1/requests/nowhere'],
    ['PATCH', '/api/v1/requests/nowhere', { title: 'T' }],
    ['POST', '/api/v1/requests/nowhere/resolve', { text: 'x' }],
    ['POST', '/api/v1/requests/nowhere/decline', {}],
    ['POST', '/api/v1/requests/nowhere/cancel', {}],
    ['POST', '/api/v1/dispatch/nowhere/heartbeat', { workerId: 'w' }],
    ['POST', '/api/v1/dispatch/nowhere/complete', { workerId: 'w' }],
    ['POST', '/api/v1/dispatch/nowhere/fail', { workerId: 'w', reason: 'x', retryable: true }],
    ['GET', '/api/v1/no-such-route'],
  ])('%s %s', async (method, path, body?: object) => {
    const { message } = refused(await admin.call(path, { method, ...(body ? { body } : {}) }), 'NOT_FOUND', 404);
    expect(message).not.toMatch(/thread|interaction/i);
  });

  test('what is of another org', async () => {
    const request = await ask(admin, elsewhere, fixture('choice'));
    const { body } = await admin.post<{ adminKey: { secret: string } }>('/v1/orgs', { id: 'other' });
    const other = admin.as(body.adminKey.secret);
    expect((await other.get('/api/v1/chats')).body).toEqual({ data: [], cursor: { next: null, hasMore: false } });
    refused(await other.get(`/api/v1/chats/${chat}`), 'NOT_FOUND', 404);
    refused(await other.get(`/api/v1/requests/${request.id}`), 'NOT_FOUND', 404);
    refused(await resolve(other, request, { selectedOptionIds: ['approve'] }), 'NOT_FOUND', 404);
    refused(await other.post(`/api/v1/requests/${request.id}/cancel`), 'NOT_FOUND', 404);
    refused(await other.post(`/api/v1/chats/${chat}/requests`, fixture('choice')), 'NOT_FOUND', 404);
    expect((await other.get('/api/v1/chats/pending-summary')).body).toEqual({ pending_requests_total: 0 });
    expect((await admin.get<Request>(`/api/v1/requests/${request.id}`)).body).toEqual(request);
  });
});

describe('the transport', () => {
  test('no key, no call', async () => {
    const reply = await admin.as(undefined).get('/api/v1/chats');
    refused(reply, 'UNAUTHORIZED', 401);
    expect(reply.headers.get('www-authenticate')).toBe('Bearer');
    refused(await admin.as('wrong').post('/api/v1/dispatch/claim', { workerId: 'w' }), 'UNAUTHORIZED', 401);
  });

  test('a person does not do what an agent does', async () => {
    const { body } = await admin.post<{ token: string }>('/v1/responder-tokens', {
      responderId: 'ann',
      threadId: chat,
    });
    refused(await admin.as(body.token).post('/api/v1/chats', { agentIds: ['a'] }), 'FORBIDDEN', 403);
  });

  test('broken JSON', async () => {
    refused(await create('{"type":'), 'VALIDATION_ERROR', 400);
  });

  test('too much of it', async () => {
    refused(await create({ ...asking('text_input', {}), body: 'x'.repeat(200_000) }), 'PAYLOAD_TOO_LARGE', 413);
  });

  test('another content type', async () => {
    const headers = { 'content-type': 'text/plain' };
    refused(
      await admin.call(`/api/v1/chats/${chat}/requests`, { method: 'POST', body: 'x', headers }),
      'UNSUPPORTED_MEDIA_TYPE',
      415,
    );
  });

  test('another method', async () => {
    const reply = await admin.call(`/api/v1/chats/${chat}`, { method: 'DELETE' });
    refused(reply, 'METHOD_NOT_ALLOWED', 405);
    expect(reply.headers.get('allow')).toContain('PATCH');
  });

  test('an idempotency key that is none', async () => {
    const reply = await admin.post('/api/v1/chats', { agentIds: ['a'] }, { 'idempotency-key': 'a b' });
    expect(refused(reply, 'VALIDATION_ERROR', 400).details?.field).toBe('Idempotency-Key');
  });

  test.each([
    ['/api/v1/chats?limit=0', 'limit'],
    ['/api/v1/chats?archived=maybe', 'archived'],
    ['/api/v1/chats?cursor=nowhere', 'cursor'],
  ])('%s', async (path, field) => {
    const { details } = refused(await admin.get(path), 'VALIDATION_ERROR', 400);
    expect(details?.field).toBe(field);
  });

  test('a status that is none, and what nobody knows', async () => {
    const path = `/api/v1/chats/${chat}/requests`;
    refused(await admin.get(`${path}?status=open`), 'VALIDATION_ERROR', 400);
    expect((await admin.get(`${path}?_=1`)).status).toBe(200);
    expect((await admin.get(`/api/v1/chats/${chat}?_=1`)).status).toBe(200);
  });

  test('too many calls', async () => {
    await using server = await startTestServer({ keyRateLimit: 1 });
    const replies = await Promise.all(Array.from({ length: 30 }, () => server.admin.get('/api/v1/chats')));
    const limited = replies.find(({ status }) => status === 429);
    if (!limited) return expect.unreachable();
    refused(limited, 'RATE_LIMITED', 429);
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
