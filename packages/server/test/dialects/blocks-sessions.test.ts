import type { LogEvent, Page } from '@holdpoint/protocol';
import { afterAll, describe, expect, test } from 'vitest';
import { dialects } from '../../src/web.ts';
import { exchange } from '../http/requests/raw-http.ts';
import { adminKey } from '../test-server.ts';
import { api, echoed, expectRefused, origin, type ReplyOrError, said, startSite } from './blocks-client.ts';

const site = await startSite();
afterAll(() => site[Symbol.asyncDispose]());
const { admin, newKey, open, openSession, publicKey, server } = site;

describe('sessions', () => {
  test('[BL1] are opened by a public key in the body, from a page that the key is for', async () => {
    const intents = [{ name: 'refund' }];
    const key = await newKey({ widget: { title: 'Help' }, intents, quickQuestions: ['Where is it?'] });
    const opened = await openSession({ publicKey: key, customerId: 'c-1', locale: 'en', variables: { plan: 'pro' } });
    expect(opened).toMatchObject({ status: 201 });
    expect(opened.body).toEqual({
      sessionToken: expect.any(String),
      conversationId: expect.any(String),
      expiresAt: expect.any(String),
      widget: { title: 'Help' },
      intents,
      quickQuestions: ['Where is it?'],
    });
    expectRefused(await openSession({}, {}), 403, 'origin_not_allowed');
    expectRefused(await openSession({}, { origin: 'https://evil.com' }), 403, 'origin_not_allowed');
    expectRefused(await openSession({ publicKey: 'hpp_nonsense' }), 401, 'invalid_session_token');
    // No other key is even looked up.
    for (const secret of [adminKey, `${adminKey} `, 'nonsense', ''])
      expectRefused(await openSession({ publicKey: secret }), 401, 'invalid_session_token');
    for (const none of [undefined, null, 7, [key]]) {
      const { details } = expectRefused(await openSession({ publicKey: none }), 400, 'invalid_input');
      expect(details).toMatchObject([{ field: 'publicKey', code: 'required' }]);
    }
    const wrong = expectRefused(await openSession({ variables: { A: 1 } }), 400, 'invalid_input');
    expect(wrong.details).toMatchObject([{ field: 'variables.A', code: 'name' }]);
  });

  test('[BL1] a key that is switched off opens none', async () => {
    const key = await newKey({ isEnabled: false });
    expectRefused(await openSession({ publicKey: key }), 403, 'widget_disabled');
  });

  test('[BL1] nothing but a session token takes part in a conversation', async () => {
    for (const token of [undefined, adminKey, publicKey, 'hpr_nonsense']) {
      const client = admin.as(token);
      expectRefused(
        await client.post<ReplyOrError>(`${api}/messages`, { text: 'hello' }),
        401,
        'invalid_session_token',
      );
      expectRefused(await client.get<ReplyOrError>(`${api}/executions/x`), 401, 'invalid_session_token');
      expectRefused(await client.post<ReplyOrError>(`${api}/events`, { name: 'a' }), 401, 'invalid_session_token');
    }
  });

  test('[PK4] a session reads nothing of its own conversation but through its dialect', async () => {
    const { client, conversationId, say } = await open();
    const { executionId } = await say('fail');
    for (const path of [
      `/v1/runs/${executionId}`,
      `/v1/threads/${conversationId}`,
      `/v1/threads/${conversationId}/turn`,
      `/v1/threads/${conversationId}/log`,
      `/v1/threads/${conversationId}/messages`,
      `/v1/interactions?threadId=${conversationId}`,
      `/v1/events?threadId=${conversationId}&after=start`,
    ]) {
      const { status, body } = await client.get(path);
      expect({ status, body }, path).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    }
    const others = dialects.filter(({ isOpenToPages }) => !isOpenToPages);
    const calls = others.flatMap(({ routes, stream }) => [
      ...routes.map(({ method, path }) => ({ method, path: path.replaceAll(/:\w+/g, conversationId) })),
      ...(stream ? [{ method: 'GET', path: stream.path }] : []),
    ]);
    expect(calls.length).toBeGreaterThan(20);
    for (const { method, path } of [...calls, { method: 'POST', path: '/mcp' }]) {
      const reply = await client.call(path, { method, ...(method === 'GET' ? {} : { body: {} }) });
      expect(reply.status, `${method} ${path}`).toBe(403);
    }
    const headers = `host: a\r\nauthorization: Bearer ${client.token}\r\nconnection: close`;
    for (const disguise of [
      '/api/public/v1/../../..',
      '/api/public/v1/%2e%2e/%2e%2e/%2e%2e',
      '/%76%31/..',
      '/%761/..',
    ]) {
      const { status } = await exchange(
        server.url,
        `GET ${disguise}/v1/threads/${conversationId} HTTP/1.1\r\n${headers}\r\n\r\n`,
      );
      expect(status, disguise).toBe(404);
    }
    const encoded = `/%76%31/threads/${conversationId}`;
    expect((await client.get(encoded)).status, encoded).toBe(403);
  });

  test('[BL2] pages of every origin may call with their token, and call nothing else', async () => {
    const preflight = (path: string) =>
      fetch(server.url + path, {
        method: 'OPTIONS',
        headers: { origin: 'https://any.org', 'access-control-request-method': 'POST' },
      });
    for (const path of ['sessions', 'messages', 'executions/x', 'uploads', 'events', 'events/batch']) {
      const reply = await preflight(`${api}/${path}`);
      expect(reply.status).toBe(204);
      expect(reply.headers.get('access-control-allow-origin')).toBe('*');
      expect(reply.headers.get('access-control-allow-headers')).toContain('authorization');
      expect(reply.headers.get('access-control-allow-methods')).toBe('GET, POST');
      expect(reply.headers.get('access-control-allow-credentials')).toBeNull();
    }
    for (const path of ['/v1/threads', '/v1/sessions', '/api/v1/chats', '/api/publicity/v1', '/healthz']) {
      expect((await preflight(path)).headers.get('access-control-allow-origin')).toBeNull();
      expect((await admin.get(path, { headers: { origin } })).headers.get('access-control-allow-origin')).toBeNull();
    }
    const refusal = await admin.as(undefined).get(`${api}/executions/x`, { headers: { origin } });
    expect(refusal).toMatchObject({ status: 401 });
    expect(refusal.headers.get('access-control-allow-origin')).toBe('*');
  });
});

describe('what a message is meant for', () => {
  test('[BL8] goes to the agent with it', async () => {
    const { say } = await open();
    await say('context');
    const meant = { intentName: 'anything', context: { page: '/cart' }, variables: { step: 2 } };
    const reply = await say('go on', meant);
    expect(echoed(reply)).toEqual({ intent: 'anything', context: { page: '/cart' }, variables: { step: 2 } });
  });

  test('[BL8] is one of the intents of the key, where it has any', async () => {
    const { say, send } = await open({ publicKey: await newKey({ intents: [{ name: 'refund' }] }) });
    expect((await say('hello', { intentName: 'refund' })).status).toBe('completed');
    expect((await say('hello')).status).toBe('completed');
    expectRefused(await send({ text: 'hello', intentName: 'other' }), 403, 'intent_not_allowed');
  });

  test('[BL8] finds nobody where the conversation has lost its agent', async () => {
    const { send, conversationId } = await open();
    await admin.call(`/v1/threads/${conversationId}`, { method: 'PATCH', body: { agent: null } });
    expectRefused(await send({ text: 'hello' }), 404, 'intent_not_matched');
  });
});

describe('limits', () => {
  test.each<[string, object, string[]]>([
    ['nothing', {}, ['text']],
    ['a blank text', { text: ' \n ' }, ['text']],
    ['a long text', { text: 'x'.repeat(4_001) }, ['text']],
    ['a resume without its parts', { waitToken: 'x' }, ['executionId', 'values']],
    ['a resume with a text', { waitToken: 'x', executionId: 'y', values: {}, text: 'z' }, ['text']],
    ['an unknown word', { text: 'hello', role: 'agent' }, ['role']],
    ['odd variables', { text: 'hello', variables: { 'A B': 1 } }, ['variables.A B']],
    ['a large context', { text: 'hello', context: { a: 'x'.repeat(40_000) } }, ['context']],
  ])('[BL8] %s is refused by name', async (_name, body, fields) => {
    const { send } = await open();
    const { details } = expectRefused(await send(body), 400, 'invalid_input');
    expect(details?.map(({ field }) => field)).toEqual(fields);
  });

  test('[BL8] a text of 4,000 characters is taken', async () => {
    const { say } = await open();
    expect(said(await say('x'.repeat(4_000)))).toEqual(['What?']);
  });

  test('[BL8] a stranger sends little', async () => {
    const sent = await openSession({ variables: { a: 'x'.repeat(70_000) } });
    expectRefused(sent, 413, 'body_too_large');
  });
});

describe('telemetry', () => {
  const recorded = async (conversationId: string) =>
    (await admin.get<Page<LogEvent>>(`/v1/threads/${conversationId}/log`)).body.data.flatMap(({ data }) =>
      'props' in data ? [data] : [],
    );

  test('[BL9] is recorded once for each id, alone and in batches', async () => {
    const { client, conversationId, say } = await open();
    const click = {
      name: 'link_click',
      props: { url: 'https://acme.com' },
      id: 'e-1',
      timestamp: '2030-01-31T12:00:00.000Z',
    };
    const one = (body: object) => client.post(`${api}/events`, body);
    expect((await one(click)).body).toEqual({ accepted: 1, duplicates: 0 });
    expect((await one(click)).body).toEqual({ accepted: 0, duplicates: 1 });
    const events = [click, { name: 'widget_open', timestamp: 1_900_000_000_000 }, { name: 'message_sent', id: 'e-2' }];
    const batch = await client.post(`${api}/events/batch`, { events: [...events, events[2]] });
    expect(batch.body).toEqual({ accepted: 2, duplicates: 2 });
    const stored = await recorded(conversationId);
    expect(stored.map(({ name }) => name).toSorted()).toEqual(['link_click', 'message_sent', 'widget_open']);
    expect(stored).toContainEqual({
      name: 'link_click',
      props: { url: 'https://acme.com' },
      id: 'e-1',
      at: click.timestamp,
    });
    expect(stored).toContainEqual({ name: 'widget_open', props: {}, at: new Date(1_900_000_000_000).toISOString() });
    expect(said(await say('hello'))).toEqual(['Hello.', '**What** now?']);
  });

  test.each<[string, object[], string[]]>([
    ['a name', [{ name: 'a' }, { name: 'Not this' }], ['events[1].name']],
    ['props', [{ name: 'a' }, { name: 'b', props: { a: 'x'.repeat(4_096) } }], ['events[1].props']],
    ['an id', [{ name: 'a', id: 'x'.repeat(129) }], ['events[0].id']],
    ['a time', [{ name: 'a', timestamp: 'now' }], ['events[0].timestamp']],
    ['too many', Array(51).fill({ name: 'a' }), ['events']],
    ['none', [], ['events']],
  ])('[BL9] a batch with %s out of bounds is refused whole', async (_name, events, fields) => {
    const { client, conversationId } = await open();
    const refused = expectRefused(
      await client.post<ReplyOrError>(`${api}/events/batch`, { events }),
      400,
      'invalid_input',
    );
    expect(refused.details?.map(({ field }) => field)).toEqual(fields);
    expect(await recorded(conversationId)).toEqual([]);
  });
});
