/** Signing in to the console: sign-in without a key, the rights of a session, and its end. */
import { once } from 'node:events';
import { connect } from 'node:net';
import type { ApiKey, Interaction, Thread } from '@holdpoint/protocol';
import fc from 'fast-check';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { adminKey, startTestServer } from '../../test-server.ts';
import { EventReader } from '../events/event-reader.ts';
import { hostileValue, junkQuery, junkText } from '../requests/hostile-input.ts';
import { exchange } from '../requests/raw-http.ts';
import { call, cookieOf, header, type Received, setCookies, signIn } from './console-caller.ts';

const path = '/console/session';
const publicUrl = 'https://holdpoint.example.com';
const server = await startTestServer();
const shown = await startTestServer({ publicUrl });
const open = await startTestServer({ host: '0.0.0.0' });
afterAll(() => Promise.all([server, shown, open].map((each) => each[Symbol.asyncDispose]())));

/** Buckets that are made from now on are not filled again. */
function stoppedTime(): Disposable {
  vi.useFakeTimers({ toFake: ['performance'] });
  return { [Symbol.dispose]: () => void vi.useRealTimers() };
}

const { port } = new URL(server.url);
const session = (headers: Record<string, string> = {}, url = server.url) => call(url, path, { headers });
const enter = (headers: Record<string, string> = {}, url = server.url) =>
  call(url, path, { headers: { ...header, ...headers }, body: {} });
const threads = (headers: Record<string, string>, url = server.url) => call(url, '/v1/threads', { headers });

describe('without a key', () => {
  test('[CO1][CO2] somebody of this machine enters the org default, and the session says so', async () => {
    expect((await session()).body).toEqual({ signedIn: false, mayEnter: true });
    const entered = await enter();
    const state = { signedIn: true, orgId: 'default', isLocal: true, expiresAt: expect.any(String) };
    expect(entered).toMatchObject({ status: 200, body: state });
    const left = Date.parse(String(entered.body.expiresAt)) - Date.now();
    expect(left).toBeGreaterThan(43_190_000);
    expect(left).toBeLessThanOrEqual(43_201_000);
    const headers = { ...header, cookie: cookieOf(entered) };
    expect((await session(headers)).body).toEqual(entered.body);
    expect((await session({ cookie: headers.cookie })).body).toEqual(entered.body);
    expect((await session(headers)).headers['cache-control']).toBe('no-store');
    const made = await call(server.url, '/v1/threads', { headers, body: { title: 'By hand' } });
    expect(made).toMatchObject({ status: 201, body: { createdBy: { type: 'agent', id: 'console' } } });
    expect((await server.admin.get<Thread>(`/v1/threads/${made.body.id}`)).status).toBe(200);
  });

  test.each<[string, Record<string, string>]>([
    ['by localhost', { host: `localhost:${port}` }],
    ['by its address', { host: `127.0.0.1:${port}` }],
    ['by that of IPv6', { host: `[::1]:${port}` }],
    [
      'from its own page',
      { host: `localhost:${port}`, origin: `http://localhost:${port}`, 'sec-fetch-site': 'same-origin' },
    ],
    ['by the address bar', { 'sec-fetch-site': 'none' }],
  ])('[CO2] it is let in %s', async (_how, headers) => {
    expect((await session(headers)).body).toEqual({ signedIn: false, mayEnter: true });
    expect((await enter(headers)).status).toBe(200);
  });

  const strange: [string, Record<string, string>][] = [
    ['a name that was made to lead here', { host: `rebound.example.com:${port}` }],
    ['such a name as its page', { host: `rebound.example.com:${port}`, origin: `http://rebound.example.com:${port}` }],
    ['a name that begins like ours', { host: `localhost.example.com:${port}` }],
    ['another port', { host: 'localhost:1' }],
    ['no port', { host: 'localhost' }],
    ['an address that is not loopback', { host: `0.0.0.0:${port}` }],
    ['a page of elsewhere', { origin: 'https://evil.example.com' }],
    ['a page of another port', { origin: 'http://127.0.0.1:3000' }],
    ['a page without an origin', { origin: 'null' }],
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
    ['a page of a neighbour', { 'sec-fetch-site': 'same-site' }],
    ...[
      ...['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-server'],
      ...['x-real-ip', 'x-client-ip', 'x-original-host', 'true-client-ip', 'cf-connecting-ip', 'x-arr-ssl'],
      ...['fly-client-ip', 'x-envoy-external-address', 'x-cluster-client-ip', 'cdn-loop', 'tailscale-user-login'],
      ...['ngrok-trace-id', 'cf-ray'],
    ].map((name): [string, Record<string, string>] => [`a proxy that adds ${name}`, { [name]: '127.0.0.1' }]),
  ];

  test.each(strange)(
    '[CO2] %s is not let in, and a session of this machine is worth nothing there',
    async (_who, headers) => {
      expect((await session(headers)).body).toEqual({ signedIn: false, mayEnter: false });
      const refused = await enter(headers);
      expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      expect(setCookies(refused)).toEqual([]);
      const entered = await signIn(server.url);
      expect((await session({ ...entered, ...headers })).body).toEqual({ signedIn: false, mayEnter: false });
      expect([401, 403]).toContain((await threads({ ...entered, ...headers })).status);
    },
  );

  test('[CO2] by HTTP/1.0, as some proxies speak, nobody is let in', async () => {
    const ask = (version: string) => {
      const lines = [`GET ${path} HTTP/${version}`, `Host: 127.0.0.1:${port}`, 'Connection: close', '', ''];
      return exchange(server.url, lines.join('\r\n'));
    };
    expect(JSON.parse((await ask('1.0')).body)).toEqual({ signedIn: false, mayEnter: false });
    expect(JSON.parse((await ask('1.1')).body)).toEqual({ signedIn: false, mayEnter: true });
  });

  test.each([
    ['that is reached at another address', () => shown.url],
    ['that listens on every address', () => open.url.replace('0.0.0.0', '127.0.0.1')],
  ])('[CO2] a server %s lets nobody in', async (_which, url) => {
    expect((await session({}, url())).body).toEqual({ signedIn: false, mayEnter: false });
    expect(await enter({}, url())).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    // Nor does it take the word of one that did, which signs with the same secret when it shares the data.
    const forged = cookieOf(await enter());
    expect((await threads({ ...header, cookie: forged }, url())).status).toBe(401);
  });

  test('[CO2] a session that was opened without a key ends when the server is opened to others', async () => {
    await using first = await startTestServer();
    const entered = await signIn(first.url);
    await first.stop();
    await using second = await startTestServer({ place: first.place, publicUrl });
    expect((await session(entered, second.url)).body).toEqual({ signedIn: false, mayEnter: false });
    expect((await threads(entered, second.url)).status).toBe(401);
  });
});

describe('with a key', () => {
  const bySomebodyElse = { origin: publicUrl, 'sec-fetch-site': 'same-origin', 'x-forwarded-for': '10.0.0.9' };
  const signInWith = (key: string, headers: Record<string, string> = {}) =>
    call(shown.url, path, { headers: { ...header, ...bySomebodyElse, ...headers }, body: { key } });

  test('[CO3] an admin key opens a session in its own org, also behind a proxy', async () => {
    const signedIn = await signInWith(adminKey);
    expect(signedIn).toMatchObject({ status: 200, body: { signedIn: true, orgId: 'default', isLocal: false } });
    const { body: org } = await shown.admin.post<{ adminKey: { secret: string } }>('/v1/orgs', { id: 'acme' });
    const other = await signInWith(org.adminKey.secret);
    expect(other).toMatchObject({ status: 200, body: { signedIn: true, orgId: 'acme', isLocal: false } });
    const headers = { ...header, ...bySomebodyElse, cookie: cookieOf(other) };
    const made = await call(shown.url, '/v1/threads', { headers, body: {} });
    expect(made.status).toBe(201);
    expect((await shown.admin.get(`/v1/threads/${made.body.id}`)).status).toBe(404);
    expect((await shown.admin.as(org.adminKey.secret).get(`/v1/threads/${made.body.id}`)).status).toBe(200);
  });

  test('[CO3] what was pasted with spaces around it is the key', async () => {
    const headers = await signIn(server.url, ` ${adminKey}\n`);
    expect((await threads(headers)).status).toBe(200);
  });

  test('[CO3] other keys, tokens and what is no key are refused', async () => {
    const { body: agent } = await shown.admin.post<{ secret: string }>('/v1/keys', { name: 'a', role: 'agent' });
    const settings = { allowedOrigins: ['*'], agent: 'helper' };
    const { body: page } = await shown.admin.post<ApiKey>('/v1/keys', { name: 'p', role: 'public', public: settings });
    const { body: thread } = await shown.admin.post<Thread>('/v1/threads');
    const minted = { responderId: 'ada', threadId: thread.id };
    const { body: token } = await shown.admin.post<{ token: string }>('/v1/responder-tokens', minted);
    for (const key of [agent.secret, page.publicKey ?? '', token.token]) {
      const refused = await signInWith(key);
      expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      expect(setCookies(refused)).toEqual([]);
    }
    for (const key of ['wrong', `${adminKey}x`, ' ', 'hpr_a.b.c'])
      expect(await signInWith(key)).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    expect(await signInWith('')).toMatchObject({ status: 400, body: { code: 'invalid-input' } });
    expect(await signInWith('x'.repeat(513))).toMatchObject({ status: 400, body: { code: 'invalid-input' } });
  });

  test('[CO3] one address may try ten wrong keys a minute, and the right key is always accepted', async () => {
    using _time = stoppedTime();
    await using own = await startTestServer();
    const attempt = (key: string) => call(own.url, path, { headers: header, body: { key } });
    for (let n = 0; n < 30; n++) expect((await attempt(adminKey)).status).toBe(200);
    const replies = await Promise.all(Array.from({ length: 30 }, (_, n) => attempt(`wrong ${n}`.replace(' ', '-'))));
    expect(replies.filter(({ status }) => status === 401)).toHaveLength(10);
    const limited = replies.filter(({ status }) => status === 429);
    expect(limited).toHaveLength(20);
    for (const { headers } of limited) expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
    // A user of the same address cannot lock others out.
    expect((await attempt(adminKey)).status).toBe(200);
    // Entering without a key gives none of them back.
    await call(own.url, path, { headers: header, body: {} });
    expect((await attempt('wrong-again')).status).toBe(429);
  });

  test('[CO7] a session ends with its key, also one that follows the log', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const { body: key } = await server.admin.post<{ id: string; secret: string }>('/v1/keys', {
        name: 'k',
        role: 'admin',
      });
      const headers = await signIn(server.url, key.secret);
      expect((await threads(headers)).status).toBe(200);
      const stop = new AbortController();
      const response = await fetch(`${server.url}/v1/events`, { headers, signal: stop.signal });
      expect(response.status).toBe(200);
      const reader = new EventReader(response, stop);
      vi.advanceTimersByTime(15_000);
      await vi.waitFor(() => expect(reader.comments).toHaveLength(1));
      // It was asked whether the session stands, and goes on.
      await server.admin.post('/v1/threads');
      await reader.take(1);
      vi.advanceTimersByTime(15_000);
      await vi.waitFor(() => expect(reader.comments).toHaveLength(2));
      await server.admin.post(`/v1/keys/${key.id}/revoke`);
      vi.advanceTimersByTime(15_000);
      await reader.ended;
      expect(await threads(headers)).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
      expect((await session(headers)).body).toMatchObject({ signedIn: false });
    } finally {
      vi.useRealTimers();
    }
  });

  test('[CO7] a session of the configured key ends when that is another', async () => {
    await using first = await startTestServer();
    const headers = await signIn(first.url, adminKey);
    expect((await threads(headers, first.url)).status).toBe(200);
    await first.restart();
    expect((await threads(headers, first.url)).status).toBe(200);
    await first.stop();
    await using second = await startTestServer({ place: first.place, adminKey: 'another-key' });
    expect((await threads(headers, second.url)).status).toBe(401);
  });

  test('[CO7] it is over after twelve hours, and when it is signed out of', async () => {
    const headers = await signIn(server.url, adminKey);
    server.clock.offsetMs = 43_190_000;
    try {
      expect((await threads(headers)).status).toBe(200);
      server.clock.offsetMs = 43_202_000;
      expect(await threads(headers)).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
      expect((await session(headers)).body).toEqual({ signedIn: false, mayEnter: true });
    } finally {
      server.clock.offsetMs = 0;
    }
    // That of another server of the same host is left alone.
    const both = { ...headers, cookie: `holdpoint_console_1=x.y; ${headers.cookie}` };
    const out = await call(server.url, path, { method: 'DELETE', headers: both });
    expect(out.status).toBe(204);
    expect(setCookies(out)).toEqual([`holdpoint_console_${port}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict`]);
  });
});

describe('the cookie', () => {
  test('[CO4] no script reads it, no other site sends it, and it is named by the port', async () => {
    const [cookie = ''] = setCookies(await enter());
    expect(cookie).toMatch(
      new RegExp(`^holdpoint_console_${port}=[\\w-]+\\.[\\w-]{43}; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict$`),
    );
  });

  test('[CO4] for a page that came by https it goes by https alone, and belongs to that host alone', async () => {
    const headers = { ...header, origin: publicUrl };
    const signedIn = await call(shown.url, path, { headers, body: { key: adminKey } });
    const [cookie = ''] = setCookies(signedIn);
    expect(cookie).toMatch(/^__Host-holdpoint_console=.*; Path=\/; .*; Secure$/);
    expect((await threads({ ...header, cookie: cookieOf(signedIn) }, shown.url)).status).toBe(200);
  });

  test('[CO4] where people come by https, one of another name is none: a neighbour of the domain could have put it there', async () => {
    const { cookie } = await signIn(shown.url, adminKey, { origin: publicUrl });
    const value = cookie.slice(cookie.indexOf('=') + 1);
    const withCookie = (given: string) => threads({ ...header, cookie: given }, shown.url);
    expect((await withCookie(`__Host-holdpoint_console=${value}`)).status).toBe(200);
    for (const name of ['holdpoint_console', `holdpoint_console_${new URL(shown.url).port}`])
      expect((await withCookie(`${name}=${value}`)).status, name).toBe(401);
    // Nor is one of another name given, whatever the call says of itself.
    expect((await signIn(shown.url, adminKey)).cookie).toMatch(/^__Host-/);
  });

  test('[CO4] a call that names no host that could be one is given it all the same', async () => {
    const signedIn = await call(server.url, path, { headers: { ...header, host: '[' }, body: { key: adminKey } });
    expect(setCookies(signedIn)[0]).toMatch(/^holdpoint_console=/);
  });

  test('[CO4] one that was changed, or that another server gave, is none', async () => {
    const { cookie } = await signIn(server.url);
    const [name = '', value = ''] = cookie.split('=');
    const [text = '', signature = ''] = value.split('.');
    const claims = JSON.parse(Buffer.from(text, 'base64url').toString());
    const forged = Buffer.from(JSON.stringify({ ...claims, orgId: 'acme' })).toString('base64url');
    const others = await signIn(shown.url, adminKey, { origin: publicUrl });
    for (const bad of [
      `${name}=${forged}.${signature}`,
      `${name}=${text}.${signature.slice(0, -1)}`,
      `${name}=${text}`,
      `${name}=.${signature}`,
      `${name}=`,
      `other=${value}`,
      others.cookie,
    ])
      expect((await threads({ ...header, cookie: bad })).status, bad).toBe(401);
    // A browser also sends the cookies of other servers of the same host.
    const cookies = `${others.cookie}; a=b; holdpoint_console_1=x.y; ${cookie}`;
    expect((await threads({ ...header, cookie: cookies })).status).toBe(200);
  });
});

describe('a call with a session', () => {
  test('[CO5] has the rights of an admin key under /v1, and every limit of one', async () => {
    using _time = stoppedTime();
    await using limited = await startTestServer({ keyRateLimit: 2 });
    const headers = await signIn(limited.url);
    const replies = await Promise.all(Array.from({ length: 20 }, () => threads(headers, limited.url)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(10);
    // What it does with a key is counted with what the key does elsewhere.
    const byKey = await signIn(limited.url, adminKey);
    const both = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        n % 2 ? threads(byKey, limited.url) : threads({ authorization: `Bearer ${adminKey}` }, limited.url),
      ),
    );
    expect(both.filter(({ status }) => status === 200)).toHaveLength(10);
  });

  test('[CO5] answers for the named person, as an admin key does', async () => {
    const headers = await signIn(server.url);
    const { body: thread } = await call(server.url, '/v1/threads', { headers, body: {} });
    const question = { title: 'Well?', options: ['yes', 'no'] };
    const ask = () => call(server.url, `/v1/threads/${thread.id}/interactions`, { headers, body: question });
    const answer = async (more: object) =>
      (await call(server.url, `/v1/interactions/${(await ask()).body.id}/answers`, {
        headers,
        body: { values: { choice: 'yes' }, ...more },
      })) as Received & { body: Interaction };
    expect((await answer({})).body.closedBy).toEqual({ type: 'human', id: 'key:console' });
    const mia = { type: 'human', id: 'mia' };
    expect((await answer({ responder: mia })).body.closedBy).toEqual(mia);
  });

  test('[CO5] is none without the header, which no page of another origin can send', async () => {
    const { cookie } = await signIn(server.url);
    for (const headers of [{ cookie }, { cookie, 'x-holdpoint-console': '0' }])
      expect(await threads(headers)).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    const preflight = await call(server.url, '/v1/threads', {
      method: 'OPTIONS',
      headers: {
        origin: 'https://evil.example.com',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'x-holdpoint-console',
      },
    });
    expect(preflight.headers['access-control-allow-origin']).toBeUndefined();
  });

  test('[CO5] is refused where it says that it comes from a page of another origin, even one that is let in', async () => {
    await using cors = await startTestServer({ corsOrigins: ['https://app.example.com'] });
    const headers = await signIn(cors.url, adminKey);
    const foreign = { ...headers, origin: 'https://app.example.com' };
    expect(await threads(foreign, cors.url)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    const refused = await threads({ ...headers, 'sec-fetch-site': 'cross-site' }, cors.url);
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect((await threads({ ...headers, 'sec-fetch-site': 'same-origin' }, cors.url)).status).toBe(200);
    // A key of its own counts for more than the cookie.
    expect((await threads({ ...foreign, authorization: `Bearer ${adminKey}` }, cors.url)).status).toBe(200);
    expect((await threads({ ...headers, authorization: 'Bearer wrong' }, cors.url)).status).toBe(401);
  });

  test('[CO5] is none for MCP and for the dialects', async () => {
    const headers = await signIn(server.url);
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    expect((await call(server.url, '/mcp', { headers, body: ping })).status).toBe(401);
    for (const path of ['/api/v1/chats', '/api/v1/requests', '/conversations', '/runs', '/api/public/v1/x']) {
      const { status } = await call(server.url, path, { headers });
      expect([401, 404, 405], path).toContain(status);
    }
    expect((await call(server.url, '/api/v1/chats', { headers })).status).toBe(401);
  });
});

describe('signing in and out', () => {
  test('[CO6] take the header, and no page of another origin', async () => {
    const headers = await signIn(server.url);
    const { cookie } = headers;
    for (const call6 of [
      (more: Record<string, string>) => call(server.url, path, { headers: more, body: { key: adminKey } }),
      (more: Record<string, string>) => call(server.url, path, { headers: more, body: {} }),
      (more: Record<string, string>) => call(server.url, path, { method: 'DELETE', headers: more }),
    ])
      for (const more of [
        { cookie },
        { ...headers, origin: 'https://evil.example.com' },
        { ...headers, 'sec-fetch-site': 'cross-site' },
      ]) {
        const refused = await call6(more);
        expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } });
        expect(setCookies(refused)).toEqual([]);
      }
  });

  test('[CO6] where a proxy has put its own name in the place of ours, the refusal says what to do', async () => {
    const headers = { ...header, host: `127.0.0.1:${port}`, origin: 'https://holdpoint.example.com' };
    const refused = await call(server.url, path, { headers, body: { key: adminKey } });
    expect(refused).toMatchObject({ status: 403, body: { detail: expect.stringContaining('--public-url') } });
  });

  test('[H2] stand whatever they are sent', async () => {
    const latin = fc.string({
      unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
      maxLength: 40,
    });
    const text = fc.oneof(
      hostileValue.map((value) => JSON.stringify(value) ?? ''),
      junkText,
      fc.constant('{"key":"k"}'),
    );
    const headersOf = fc.record(
      {
        'content-type': fc.constantFrom('application/json', 'text/plain', ''),
        ...header,
        'x-holdpoint-console': fc.constantFrom('1', ''),
        cookie: fc.oneof(
          latin,
          latin.map((value) => `holdpoint_console=${value}`),
          latin.map((value) => `holdpoint_console_1=${value}.${value}`),
        ),
        origin: fc.oneof(latin, fc.constantFrom(server.url, 'null', 'http://[', 'https://')),
        host: fc.oneof(latin, fc.constantFrom(`127.0.0.1:${port}`, 'localhost', '[', '')),
        'sec-fetch-site': latin,
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('GET', 'POST', 'DELETE'),
        headersOf,
        junkQuery,
        text,
        async (method, headers, query, body) => {
          const lines = Object.entries({ host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}`);
          const target = `${path}${query && /^[\x21-\x7e]+$/.test(query) ? `?${query}` : ''}`;
          const length = `content-length: ${method === 'GET' ? 0 : Buffer.byteLength(body)}`;
          const sent = [
            `${method} ${target} HTTP/1.1`,
            ...lines,
            length,
            'connection: close',
            '',
            method === 'GET' ? '' : body,
          ];
          const { status, head } = await exchange(server.url, sent.join('\r\n'));
          expect(status).toBeGreaterThanOrEqual(200);
          expect(status, head).toBeLessThan(500);
        },
      ),
      { numRuns: 300 },
    );
    expect((await enter()).status).toBe(200);
  });
});

test('[H4] of /console/session other methods are refused, with those it has', async () => {
  const refused = await call(server.url, path, { method: 'PUT', headers: header });
  expect(refused).toMatchObject({ status: 405, headers: { allow: expect.stringContaining('DELETE') } });
});

test('[CO2] a connection that is gone before it is looked at enters nowhere', async () => {
  const socket = connect({ host: '127.0.0.1', port: Number(port) });
  await once(socket, 'connect');
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nx-holdpoint-console: 1\r\ncontent-length: 0\r\n\r\n`,
  );
  socket.destroy();
  expect((await session()).body).toEqual({ signedIn: false, mayEnter: true });
});
