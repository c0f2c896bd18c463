/** Sessions of people: the link that opens one, the cookie that carries it, its rights, and its end. */
import type { CreatedApiKey, InvitedPerson, Me, Person, PersonSession, Thread } from '@holdpoint/protocol';
import fc from 'fast-check';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { adminKey, startTestServer } from '../../test-server.ts';
import { EventReader } from '../events/event-reader.ts';
import { hostileValue, junkQuery, junkText } from '../requests/hostile-input.ts';
import { exchange } from '../requests/raw-http.ts';
import {
  call,
  cookieOf,
  header,
  newLink,
  type Received,
  setCookies,
  signIn,
  signInWith,
  tokenOf,
} from './console-caller.ts';

const path = '/console/session';
const publicUrl = 'https://holdpoint.example.com';
const server = await startTestServer();
const shown = await startTestServer({ publicUrl });
afterAll(() => Promise.all([server, shown].map((each) => each[Symbol.asyncDispose]())));

/** Buckets that are made from now on are not filled again. */
function stoppedTime(): Disposable {
  vi.useFakeTimers({ toFake: ['performance'] });
  return { [Symbol.dispose]: () => void vi.useRealTimers() };
}

const { port } = new URL(server.url);
const session = (headers: Record<string, string> = {}, url = server.url) => call(url, path, { headers });
const threads = (headers: Record<string, string>, url = server.url) => call(url, '/v1/threads', { headers });
const open = (link: string, more: object = {}, headers: Record<string, string> = {}, url = server.url) =>
  call(url, path, { headers: { ...header, ...headers }, body: { link, ...more } });
const me = async (headers: Record<string, string>, url = server.url) =>
  (await call(url, '/v1/me', { headers })).body as unknown as Me;
const invite = async (person: object) => (await server.admin.post<InvitedPerson>('/v1/people', person)).body;
const change = async (path: string, body: object) => {
  const reply = await server.admin.call(path, { method: 'PATCH', body });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
};
const linkOf = ({ invitation }: InvitedPerson) => tokenOf(invitation?.url ?? '');

describe('the first admin', () => {
  test('[CO1][CO2] opens the link of the start, says a name, and is an admin of the org default', async () => {
    await using own = await startTestServer();
    const link = tokenOf(own.signInLink ?? '');
    expect(own.signInLink).toBe(`${own.url}/#/sign-in/${link}`);
    expect((await session({}, own.url)).body).toEqual({ signedIn: false });
    const described = await call(own.url, '/console/sign-in-link', { headers: header, body: { link } });
    expect(described).toMatchObject({ status: 200, body: { isFirstAdmin: true } });
    const nameless = await open(link, {}, {}, own.url);
    expect(nameless).toMatchObject({ status: 400, body: { errors: [{ pointer: '/name', code: 'required' }] } });
    const entered = await open(
      link,
      { name: '  Ada Rossi ' },
      { 'user-agent': 'Mozilla/5.0 (Linux) Firefox/9' },
      own.url,
    );
    expect(entered).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
    const headers = { ...header, cookie: cookieOf(entered) };
    const { body } = (await session(headers, own.url)) as Received & { body: { signedIn: boolean; me: Me } };
    expect(body).toMatchObject({ signedIn: true, me: { kind: 'person', orgId: 'default', via: 'link' } });
    expect(body.me.person).toMatchObject({ name: 'Ada Rossi', roles: ['admin'], status: 'active' });
    const made = await call(own.url, '/v1/threads', { headers, body: { title: 'By hand' } });
    const createdBy = { type: 'human', id: body.me.id, name: 'Ada Rossi', via: 'link' };
    expect(made).toMatchObject({ status: 201, body: { createdBy } });
  });

  test('[CO2] is one person, also if two open two links at the same time', async () => {
    await using own = await startTestServer();
    const links = await Promise.all(Array.from({ length: 6 }, () => newLink(own.url)));
    const replies = await Promise.all(links.map((link, n) => open(link, { name: `Person ${n}` }, {}, own.url)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 410, 410, 410, 410, 410]);
    const { body } = await own.admin.get<{ data: Person[] }>('/v1/people');
    expect(body.data).toHaveLength(1);
  });

  test('[CO2] has no link any more once there is one, and keeps the session over a restart', async () => {
    await using own = await startTestServer();
    const headers = await signIn(own.url);
    await own.restart();
    expect(own.signInLink).toBeUndefined();
    expect((await threads(headers, own.url)).status).toBe(200);
  });

  test('[CO2] no program enters without a link: not from this machine, and not with a key', async () => {
    for (const body of [
      {},
      { key: adminKey },
      { link: adminKey },
      { link: 'e30' },
      { link: Buffer.from('["a","b"]').toString('base64url') },
    ]) {
      const refused = await call(server.url, path, { headers: header, body });
      expect([400, 410]).toContain(refused.status);
      expect(setCookies(refused)).toEqual([]);
    }
  });
});

describe('a sign-in link', () => {
  test('[CO3] works once, in another browser too, and a look at it changes nothing', async () => {
    const person = await invite({ name: 'Ben Okoro', email: 'Ben@example.com' });
    const link = linkOf(person);
    for (let n = 0; n < 3; n++) {
      const described = await call(server.url, '/console/sign-in-link', { headers: header, body: { link } });
      expect(described).toMatchObject({ status: 200, body: { isFirstAdmin: false, name: 'Ben Okoro' } });
    }
    const replies = await Promise.all([open(link), open(link), open(link)]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 410, 410]);
    expect(await open(link)).toMatchObject({ status: 410, body: { code: 'link-used' } });
    const { body } = await server.admin.get<Person>(`/v1/people/${person.id}`);
    expect(body).toMatchObject({ status: 'active', name: 'Ben Okoro', roles: ['member'] });
  });

  test('[CO3] is invalid after its time, for a deactivated person, and in every other form', async () => {
    const person = await invite({ name: 'Cleo', email: 'cleo@example.com' });
    const link = linkOf(person);
    server.clock.offsetMs = 7 * 86_400_000 + 1_000;
    try {
      expect(await open(link)).toMatchObject({ status: 410 });
    } finally {
      server.clock.offsetMs = 0;
    }
    expect(await open(`${link}x`)).toMatchObject({ status: 410 });
    expect(await open('x'.repeat(1_025))).toMatchObject({ status: 400 });
    await change(`/v1/people/${person.id}`, { status: 'deactivated' });
    expect(await open(link)).toMatchObject({ status: 409, body: { code: 'person-deactivated' } });
  });

  test('[CO3] records the key that created it, and no agent key creates one', async () => {
    await signIn(server.url);
    const { body: key } = await server.admin.post<CreatedApiKey>('/v1/keys', { name: 'ops', role: 'admin' });
    const headers = await signIn(server.url, key.secret);
    const { body: thread } = await call(server.url, '/v1/threads', { headers, body: {} });
    expect(thread.createdBy).toMatchObject({ type: 'human', via: 'link', keyId: key.id });
    const { body: agent } = await server.admin.post<CreatedApiKey>('/v1/keys', { name: 'a', role: 'agent' });
    const refused = await server.admin.as(agent.secret).post('/v1/sign-in-links', {});
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  });

  test('[CO3] one address may try twenty wrong links a minute, and a right one is always accepted', async () => {
    using _time = stoppedTime();
    await using own = await startTestServer();
    const right = await newLink(own.url);
    const attempts = Array.from({ length: 40 }, (_, n) => open(`wrong-${n}`, {}, {}, own.url));
    const replies = await Promise.all(attempts);
    expect(replies.filter(({ status }) => status === 410)).toHaveLength(20);
    const limited = replies.filter(({ status }) => status === 429);
    expect(limited).toHaveLength(20);
    for (const { headers } of limited) expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect((await open(right, { name: 'Ada' }, {}, own.url)).status).toBe(200);
  });
});

describe('the end of a session', () => {
  test('[CO7] comes after thirty days, and when the person signs out', async () => {
    const headers = await signIn(server.url);
    const days = 86_400_000;
    server.clock.offsetMs = 30 * days - 60_000;
    try {
      expect((await threads(headers)).status).toBe(200);
      server.clock.offsetMs = 30 * days + 1_000;
      expect(await threads(headers)).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
      expect((await session(headers)).body).toEqual({ signedIn: false });
    } finally {
      server.clock.offsetMs = 0;
    }
    // A cookie of another server of the same host is left alone.
    const both = { ...headers, cookie: `holdpoint_session_1=x.y; ${headers.cookie}` };
    const out = await call(server.url, path, { method: 'DELETE', headers: both });
    expect(out.status).toBe(204);
    expect(setCookies(out)).toEqual([`holdpoint_session_${port}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict`]);
    // It ended on the server, so a copy of the cookie is worth nothing.
    expect((await threads(headers)).status).toBe(401);
  });

  test('[CO7] comes when it is ended elsewhere, or the person is deactivated, also for a stream', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const person = await invite({ name: 'Dana', roles: ['admin'] });
      const headers = await signInWith(server.url, linkOf(person));
      const stop = new AbortController();
      const response = await fetch(`${server.url}/v1/events`, { headers, signal: stop.signal });
      expect(response.status).toBe(200);
      const reader = new EventReader(response, stop);
      vi.advanceTimersByTime(15_000);
      await vi.waitFor(() => expect(reader.comments).toHaveLength(1));
      await change(`/v1/people/${person.id}`, { status: 'deactivated' });
      server.clock.offsetMs = 1_001;
      vi.advanceTimersByTime(15_000);
      await reader.ended;
      expect(await threads(headers)).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    } finally {
      server.clock.offsetMs = 0;
      vi.useRealTimers();
    }
  });

  test('[CO7] is chosen by the person, for each of their devices', async () => {
    const person = await invite({ name: 'Eli', email: 'eli@example.com' });
    const phone = await signInWith(server.url, linkOf(person), { 'user-agent': 'Mozilla/5.0 (iPhone) Safari/1' });
    const laptop = await signInWith(server.url, await newLink(server.url, { personId: person.id }));
    const list = async (headers: Record<string, string>) =>
      (await call(server.url, `/v1/people/${person.id}/sessions`, { headers })).body.data as PersonSession[];
    const sessions = await list(laptop);
    expect(sessions).toHaveLength(2);
    expect(sessions.map(({ device }) => device)).toContain('Safari on iPhone');
    expect(sessions.filter(({ isCurrent }) => isCurrent)).toHaveLength(1);
    const other = sessions.find(({ isCurrent }) => !isCurrent)?.id;
    const end = (headers: Record<string, string>, id = other) =>
      call(server.url, `/v1/people/${person.id}/sessions/${id}`, { method: 'DELETE', headers });
    // Another member does not see them, let alone end them.
    const stranger = await signInWith(server.url, linkOf(await invite({ name: 'Finn' })));
    expect((await end(stranger)).status).toBe(404);
    expect((await call(server.url, `/v1/people/${person.id}/sessions`, { headers: stranger })).status).toBe(404);
    expect((await end(laptop)).status).toBe(200);
    server.clock.offsetMs = 1_001;
    try {
      expect((await me(phone)).kind).toBeUndefined();
      expect(await me(laptop)).toMatchObject({ kind: 'person', id: person.id });
      expect(await list(laptop)).toHaveLength(1);
    } finally {
      server.clock.offsetMs = 0;
    }
  });

  test('[CO7] comes with a new sign-in in the same browser, so that no older session goes on', async () => {
    const before = await signIn(server.url);
    const after = await signInWith(server.url, await newLink(server.url), { cookie: before.cookie });
    expect(after.cookie).not.toBe(before.cookie);
    expect((await threads(before)).status).toBe(401);
    expect((await threads(after)).status).toBe(200);
  });
});

describe('the cookie', () => {
  test('[CO4] no script reads it, no other site sends it, and it is named by the port', async () => {
    const [cookie = ''] = setCookies(await open(await newLink(server.url), { name: 'Ada' }));
    expect(cookie).toMatch(
      new RegExp(`^holdpoint_session_${port}=[\\w-]+; Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict$`),
    );
  });

  test('[CO4] for a page that came by https it goes by https alone, and belongs to that host alone', async () => {
    const headers = { origin: publicUrl };
    const signedIn = await open(await newLink(shown.url), { name: 'Ada' }, headers, shown.url);
    const [cookie = ''] = setCookies(signedIn);
    expect(cookie).toMatch(/^__Host-holdpoint_session=.*; Path=\/; .*; Secure$/);
    expect((await threads({ ...header, cookie: cookieOf(signedIn) }, shown.url)).status).toBe(200);
  });

  test('[CO4] where people come by https, one of another name is none: a neighbour of the domain could have put it there', async () => {
    const { cookie } = await signIn(shown.url, adminKey, { origin: publicUrl });
    const value = cookie.slice(cookie.indexOf('=') + 1);
    const withCookie = (given: string) => threads({ ...header, cookie: given }, shown.url);
    expect((await withCookie(`__Host-holdpoint_session=${value}`)).status).toBe(200);
    for (const name of ['holdpoint_session', `holdpoint_session_${new URL(shown.url).port}`])
      expect((await withCookie(`${name}=${value}`)).status, name).toBe(401);
    // Nor is one of another name given, whatever the call says of itself.
    expect((await signIn(shown.url)).cookie).toMatch(/^__Host-/);
  });

  test('[CO4] one that was changed, or that another server gave, is none', async () => {
    const { cookie } = await signIn(server.url);
    const [name = '', value = ''] = cookie.split('=');
    const parts = JSON.parse(Buffer.from(value, 'base64url').toString());
    const forge = (...changed: unknown[]) => Buffer.from(JSON.stringify(changed)).toString('base64url');
    const others = await signIn(shown.url, adminKey, { origin: publicUrl });
    for (const bad of [
      `${name}=${forge('acme', ...parts.slice(1))}`,
      `${name}=${forge(parts[0], parts[1], parts[2], 'x')}`,
      `${name}=${forge(parts[0], 'x', parts[2], parts[3])}`,
      `${name}=${forge(...parts, 'more')}`,
      `${name}=${value.slice(0, -3)}`,
      `${name}=`,
      `other=${value}`,
      others.cookie,
    ])
      expect((await threads({ ...header, cookie: bad })).status, bad).toBe(401);
    // A browser also sends the cookies of other servers of the same host.
    const cookies = `${others.cookie}; a=b; holdpoint_session_1=x.y; ${cookie}`;
    expect((await threads({ ...header, cookie: cookies })).status).toBe(200);
  });
});

describe('a call with a session', () => {
  test('[CO5] counts with the limit of the person, whatever the browser', async () => {
    using _time = stoppedTime();
    await using limited = await startTestServer({ responderRateLimit: 2 });
    const headers = await signIn(limited.url);
    const replies = await Promise.all(Array.from({ length: 20 }, () => threads(headers, limited.url)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(10);
  });

  test('[CO5] answers as the person, and as nobody else', async () => {
    const headers = await signIn(server.url);
    const { id } = await me(headers);
    const { body: thread } = await server.admin.post<Thread>('/v1/threads');
    const { body: asked } = await server.admin.post<{ id: string }>(`/v1/threads/${thread.id}/interactions`, {
      title: 'Well?',
      options: ['yes', 'no'],
    });
    const answer = (more: object) =>
      call(server.url, `/v1/interactions/${asked.id}/answers`, {
        headers,
        body: { values: { choice: 'yes' }, ...more },
      });
    const forged = await answer({ responder: { type: 'human', id: 'mia' } });
    expect(forged).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    const { body } = await answer({});
    expect(body.closedBy).toMatchObject({ type: 'human', id, name: 'Ada Rossi', via: 'link' });
  });

  test('[CO5] gives the elements of the page a token that ends with it', async () => {
    const headers = await signIn(server.url);
    const { body } = await call(server.url, '/console/token', { headers, body: {} });
    const bearer = { authorization: `Bearer ${body.token}` };
    expect(await me(bearer)).toEqual(await me(headers));
    await call(server.url, path, { method: 'DELETE', headers });
    server.clock.offsetMs = 1_001;
    try {
      expect((await threads(bearer)).status).toBe(401);
    } finally {
      server.clock.offsetMs = 0;
    }
    expect((await call(server.url, '/console/token', { headers: header, body: {} })).status).toBe(401);
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
    const headers = await signIn(cors.url);
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
    const link = await newLink(server.url);
    for (const sent of [
      (more: Record<string, string>) => call(server.url, path, { headers: more, body: { link } }),
      (more: Record<string, string>) => call(server.url, '/console/sign-in-link', { headers: more, body: { link } }),
      (more: Record<string, string>) => call(server.url, '/console/token', { headers: more, body: {} }),
      (more: Record<string, string>) => call(server.url, path, { method: 'DELETE', headers: more }),
    ])
      for (const more of [
        { cookie },
        { ...headers, origin: 'https://evil.example.com' },
        { ...headers, 'sec-fetch-site': 'cross-site' },
      ]) {
        const refused = await sent(more);
        expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } });
        expect(setCookies(refused)).toEqual([]);
      }
    expect((await threads(headers)).status).toBe(200);
  });

  test('[CO6] where a proxy has put its own name in the place of ours, the refusal says what to do', async () => {
    const headers = { ...header, host: `127.0.0.1:${port}`, origin: 'https://holdpoint.example.com' };
    const refused = await call(server.url, path, { headers, body: { link: 'x' } });
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
      fc.constant('{"link":"k"}'),
    );
    const headersOf = fc.record(
      {
        'content-type': fc.constantFrom('application/json', 'text/plain', ''),
        ...header,
        'x-holdpoint-console': fc.constantFrom('1', ''),
        cookie: fc.oneof(
          latin,
          latin.map((value) => `holdpoint_session=${value}`),
          latin.map((value) => `holdpoint_session_1=${value}.${value}`),
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
    expect((await threads(await signIn(server.url))).status).toBe(200);
  });
});

test('[H4] of /console/session other methods are refused, with those it has', async () => {
  const refused = await call(server.url, path, { method: 'PUT', headers: header });
  expect(refused).toMatchObject({ status: 405, headers: { allow: expect.stringContaining('DELETE') } });
});
