import { once } from 'node:events';
import { request } from 'node:http';
import type { Problem } from '@holdpoint/protocol';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { adminKey } from '../../test-server.ts';
import { startSpecServer } from '../openapi/spec-server.ts';
import { everyCall, makeThings } from './every-route.ts';
import { exchange, openSocket } from './raw-http.ts';

const server = await startSpecServer();
const { admin } = server;
afterAll(() => server[Symbol.asyncDispose]());
const things = await makeThings(admin);
const authorization = `Bearer ${adminKey}`;

describe('problems', () => {
  test('[H1] an error says what, where, whether to try again, and under which id the log has it', async () => {
    const reply = await admin.call<{ errors: Problem[] }>('/v1/keys', {
      body: { name: '', role: 'king', extra: 1 },
      headers: { 'x-request-id': 'my-id' },
    });
    expect(reply.body).toMatchObject({
      type: '/docs#error-invalid-input',
      title: 'The input is invalid',
      status: 400,
      code: 'invalid-input',
      retryable: false,
      instance: 'my-id',
    });
    expect(reply.body.errors.map(({ pointer }) => pointer).sort()).toEqual(['/extra', '/name', '/role']);
  });

  test('[H1] an error of many problems names a few in its sentence and all in its list', async () => {
    const body = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`extra${i}`, i]));
    const reply = await admin.post<{ detail: string; errors: Problem[] }>('/v1/threads', body);
    expect(reply.body.errors).toHaveLength(50);
    expect(reply.body.detail).toMatch(/And 45 more\.$/);
  });

  test.each(['null', '[]', '7', '"text"', 'true'])(
    '[H1] the body %s is no object, and is refused as such',
    async (body) => {
      for (const call of everyCall(things).filter(({ method, takesFile }) => method !== 'GET' && !takesFile)) {
        const reply = await admin.call(call.path, { method: call.method, body });
        expect(reply, call.route).toMatchObject({ status: 400, body: { errors: [{ pointer: '', code: 'type' }] } });
      }
    },
  );
});

describe('bodies', () => {
  const post = (body: string, contentType = 'application/json') =>
    admin.call('/v1/threads', { method: 'POST', body, headers: { 'content-type': contentType } });

  test.each([
    '{',
    '{"title":}',
    '{"title":"a"',
    "{'title':'a'}",
    '{"title":"a"}x',
    'undefined',
    'NaN',
    '{"title":"\u0000"}',
    '\uFEFF\uFEFF{}',
    '<xml/>',
    '{"__proto__":{"title":"x"}}',
    '{"metadata":{"__proto__":{}}}',
    '{"\\u005f_proto__":{}}',
    '{"constructor":{"prototype":{}}}',
  ])('[H1] %s is refused as malformed', async (text) => {
    expect(await post(text)).toMatchObject({ status: 400, body: { code: 'malformed-body' } });
  });

  test.each(['[', '{"a":'])('[H2] a body nested 100,000 levels deep by %s is refused', async (open) => {
    const close = open === '[' ? ']' : '}';
    const deep = `${open.repeat(100_000)}1${close.repeat(100_000)}`;
    expect(await post(deep)).toMatchObject({ status: 400, body: { code: 'malformed-body' } });
    expect(await post(`{"metadata":${deep}}`)).toMatchObject({ status: 400, body: { code: 'malformed-body' } });
    expect(await post(open.repeat(100_000))).toMatchObject({ status: 400, body: { code: 'malformed-body' } });
  });

  test('[H2] a body may be nested 64 levels deep, whatever becomes of it then, and not deeper', async () => {
    const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    expect((await post(nested(64))).body).toMatchObject({ code: 'invalid-input' });
    for (const levels of [65, 1_000])
      expect((await post(nested(levels))).body).toMatchObject({ code: 'malformed-body' });
  });

  test('[H1] no body is an empty one', async () => {
    expect((await admin.call('/v1/threads', { method: 'POST' })).status).toBe(201);
    expect((await post('')).status).toBe(201);
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'nonsense',
    'application/xml',
  ])('[H4] a body of type %s gets 415', async (contentType) => {
    expect(await post('{}', contentType)).toMatchObject({ status: 415, body: { code: 'unsupported-media-type' } });
  });

  test.each(['application/json; charset=utf-8', 'application/json;charset=UTF-8', 'Application/JSON'])(
    '[H4] a body of type %s is read',
    async (contentType) => {
      expect((await post('{}', contentType)).status).toBe(201);
    },
  );

  test('[H4] a body without a type gets 415', async () => {
    const { status } = await exchange(
      server.url,
      `POST /v1/threads HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: ${authorization}\r\ncontent-length: 2\r\n\r\n{}`,
    );
    expect(status).toBe(415);
  });

  test('[H4] a body beyond the limit gets 413, announced or not, and the limit is the one configured', async () => {
    await using small = await startSpecServer({ bodyLimitBytes: 2_048 });
    const title = 'x'.repeat(900);
    const fits = JSON.stringify({ title, metadata: { fill: 'y'.repeat(1_000) } });
    expect(fits.length).toBeLessThan(2_048);
    expect((await small.admin.call('/v1/threads', { body: fits })).status).toBe(201);
    const over = JSON.stringify({ metadata: { fill: 'y'.repeat(2_048) } });
    const announced = await small.admin.call('/v1/threads', { body: over });
    expect(announced).toMatchObject({ status: 413, body: { code: 'body-too-large' } });
    const outgoing = request(`${small.url}/v1/threads`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
    });
    outgoing.write(over.slice(0, 1_500));
    outgoing.end(over.slice(1_500));
    const [response] = await once(outgoing, 'response');
    expect(response.statusCode).toBe(413);
    response.resume();
  });

  test('[H2] a caller that hangs up in the middle of its body leaves nothing behind', async () => {
    const before = (await admin.get<{ data: { id: string }[] }>('/v1/threads?limit=1')).body.data[0]?.id;
    const socket = openSocket(server.url);
    socket.write(
      `POST /v1/threads HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"title"`,
    );
    await once(socket, 'connect');
    socket.destroy();
    await once(socket, 'close');
    expect((await admin.get<{ data: { id: string }[] }>('/v1/threads?limit=1')).body.data[0]?.id).toBe(before);
  });
});

describe('paths and methods', () => {
  test.each([
    '/v1',
    '/v1/',
    '/v1/nothing',
    '/v1/threads/x/y',
    '/V1/threads',
    '/v2/threads',
    '//v1/threads',
    '/v1/threads/a%2Fb/c',
  ])('[H4] there is nothing at %s', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE'])
      expect(await admin.call(path, { method })).toMatchObject({ status: 404, body: { code: 'route-not-found' } });
    // A body nobody asked for is not looked at.
    const reply = await admin.call(path, { method: 'POST', body: '{', headers: { 'content-type': 'text/plain' } });
    expect(reply.status).toBe(404);
  });

  test.each([
    '/v1/threads/%',
    '/v1/threads/%zz',
    '/v1/threads/%C3%28',
    '/v1/threads/%ff',
    `/v1/threads/${'x'.repeat(2_000)}`,
  ])('[H2] the path %s leads nowhere', async (path) => {
    const { status, head, body } = await exchange(
      server.url,
      `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: ${authorization}\r\n\r\n`,
    );
    expect(status).toBe(404);
    expect(head).toContain('content-type: application/problem+json');
    expect(head).toContain(`x-request-id: ${(JSON.parse(body) as { instance: string }).instance}`);
  });

  test.each(['%00', '%20', '..%2f..', '%F0%9F%92%A9', "'%3B--", '__proto__', 'constructor', 'x'.repeat(256)])(
    '[H2] %s is an id like any other, of nothing',
    async (id) => {
      for (const path of [`/v1/threads/${id}`, `/v1/threads/${id}/log`])
        expect((await admin.get(path)).body).toMatchObject({ code: 'thread-not-found' });
      for (const path of [`/v1/interactions/${id}`, `/v1/interactions/${id}/wait`])
        expect((await admin.get(path)).body).toMatchObject({ code: 'interaction-not-found' });
    },
  );

  test('[H4] another method gets 405 with what is offered, on every route', async () => {
    const calls = everyCall(things);
    for (const { route, path } of calls) {
      // A path may be that of a route and that of a thing of another: /v1/interactions/count.
      const leadsTo = (pattern: string) =>
        new RegExp(`^${pattern.replaceAll(/:\w+/g, '[^/]+')}$`).test(path.split('?', 1)[0] ?? '');
      const offered = [...new Set(calls.filter((call) => leadsTo(call.route)).map(({ method }) => method))];
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']) {
        if (offered.includes(method)) continue;
        const reply = await admin.call<{ detail: string }>(path, { method });
        expect(reply, `${method} ${route}`).toMatchObject({ status: 405, body: { code: 'method-not-allowed' } });
        const allowed = reply.headers.get('allow')?.split(', ') ?? [];
        expect(allowed.filter((each) => each !== 'HEAD').toSorted()).toEqual(offered.toSorted());
        expect(reply.body.detail).toContain(`${method} is not offered here; offered: `);
      }
    }
  });

  test('[H4] the health checks and the reference are only read', async () => {
    for (const path of ['/healthz', '/readyz', '/metrics', '/openapi.json', '/docs']) {
      const reply = await admin.call(path, { method: 'POST' });
      expect(reply.status, path).toBe(405);
      expect(reply.headers.get('allow')).toBe('GET, HEAD');
    }
  });

  test('[H3] HEAD is GET without its body, except of a stream, which has no end', async () => {
    const head = (path: string) => fetch(server.url + path, { method: 'HEAD', headers: { authorization } });
    const reply = await head(`/v1/threads/${things.threadId}`);
    expect([reply.status, await reply.text()]).toEqual([200, '']);
    expect((await head('/v1/threads/never-was')).status).toBe(404);
    expect((await head('/v1/events')).status).toBe(405);
  });

  test('[H3] a GET changes nothing', async () => {
    const read = async () => (await admin.get<{ data: unknown[] }>(`/v1/threads/${things.threadId}/log`)).body;
    const before = await read();
    for (const call of everyCall(things)) {
      if (call.method !== 'GET' || call.route === '/v1/events') continue;
      const path = call.route.endsWith('/wait') ? `${call.path}?timeoutMs=0` : call.path;
      expect((await admin.call(path, { headers: { 'idempotency-key': 'unused' } })).status, call.route).toBe(200);
    }
    expect(await read()).toEqual(before);
    expect((await admin.post('/v1/threads', {}, { 'idempotency-key': 'unused' })).status).toBe(201);
  });
});

describe('request ids', () => {
  test('[H5] every response has an id: the one that was sent, or a new one', async () => {
    const id = async (sent?: string) =>
      (await fetch(`${server.url}/healthz`, { headers: sent ? { 'x-request-id': sent } : {} })).headers.get(
        'x-request-id',
      );
    expect(await id('abc-1.2:3_4')).toBe('abc-1.2:3_4');
    expect(await id()).toMatch(/^[0-9a-f-]{36}$/);
    for (const bad of ['a b', 'x'.repeat(129), '<script>', 'ä']) expect(await id(bad)).toMatch(/^[0-9a-f-]{36}$/);
    for (const path of ['/healthz', '/readyz', '/metrics', '/openapi.json', '/docs', '/nothing', '/v1/threads'])
      expect((await fetch(server.url + path)).headers.get('x-request-id'), path).toBeTruthy();
  });
});

describe('what is not HTTP', () => {
  test.each([
    ['nonsense\r\n\r\n', 400, 'malformed-request'],
    ['GET /v1/threads HTTP/1.1\r\nbad header\r\n\r\n', 400, 'malformed-request'],
    ['GET /v1/threads HTTP/9.9\r\n\r\n', 400, 'malformed-request'],
    ['POST /v1/threads HTTP/1.1\r\nhost: x\r\ncontent-length: x\r\n\r\n', 400, 'malformed-request'],
    [
      'POST /v1/threads HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n',
      400,
      'malformed-request',
    ],
    [`GET /healthz HTTP/1.1\r\nhost: x\r\nx-huge: ${'x'.repeat(70_000)}\r\n\r\n`, 431, 'headers-too-large'],
  ])('[H1] %.40s is answered with a problem', async (text, status, code) => {
    const reply = await exchange(server.url, text);
    expect(reply.status).toBe(status);
    expect(reply.head).toContain('content-type: application/problem+json');
    const problem = JSON.parse(reply.body) as Record<string, unknown>;
    expect(problem).toMatchObject({ status, code, type: `/docs#error-${code}` });
    expect(reply.head).toContain(`x-request-id: ${problem.instance}`);
  });

  test('[H2] an expectation the server does not know is ignored, and one it knows is met', async () => {
    for (const expectation of ['100-continue', 'miracles']) {
      const { head, body } = await exchange(
        server.url,
        `POST /v1/threads HTTP/1.1\r\nhost: x\r\nconnection: close\r\nexpect: ${expectation}\r\nauthorization: ${authorization}\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}`,
      );
      expect(`${head}${body}`).toMatch(/http\/1\.1 201 created/i);
    }
  });
});

describe('stopping', () => {
  test('[H1] a call that is still being sent to a stopping server gets 503 with a problem, to be tried again', async () => {
    await using stopping = await startSpecServer();
    const { id } = await stopping.admin.ask();
    const head = `host: x\r\nauthorization: ${authorization}\r\n`;
    const open = (begun: string) => {
      const socket = openSocket(stopping.url).setEncoding('utf8');
      const connection = { socket, received: '', closed: once(socket, 'close') };
      socket.on('data', (chunk) => {
        connection.received += chunk;
      });
      socket.write(begun);
      return connection;
    };
    // What is on its way keeps its connection open until the server has answered; only its head says whether it may.
    const admitted = open(
      `POST /v1/threads HTTP/1.1\r\n${head}content-type: application/json\r\ncontent-length: 2\r\n\r\n{`,
    );
    const late = open(`GET /v1/threads HTTP/1.1\r\n${head}`);
    const waiting = stopping.admin.get(`/v1/interactions/${id}/wait`);
    await vi.waitFor(async () => expect(await stopping.admin.metric('holdpoint_waiters')).toBe(1), 20_000);
    const stopped = stopping.stop();
    expect((await waiting).status).toBe(200);
    await vi.waitFor(() => expect(fetch(`${stopping.url}/healthz`)).rejects.toThrow(), 20_000);
    admitted.socket.write('}');
    late.socket.write('\r\n');
    await Promise.all([admitted.closed, late.closed, stopped]);
    expect(admitted.received).toMatch(/^HTTP\/1\.1 201 /);
    expect(late.received).toMatch(/^HTTP\/1\.1 503 /);
    for (const { received } of [admitted, late]) expect(received.toLowerCase()).toContain('\r\nconnection: close\r\n');
    expect(late.received.toLowerCase()).toContain('content-type: application/problem+json');
    expect(late.received).toContain('"code":"shutting-down","detail"');
    expect(late.received.toLowerCase()).toContain('retry-after: 1');
  });
});
