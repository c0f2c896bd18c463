/** Attacks on the sign-in with a provider: forged, mixed-up, replayed and late responses, and redirects to other sites. */
// cspell:ignore Finbox
import { SignJWT } from 'jose';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { HttpBrowser, type Visited } from '../../oidc/http-browser.ts';
import { startIdentityProvider } from '../../oidc/identity-provider.ts';
import {
  clientSecret,
  connect,
  errorOf,
  events,
  isCallback,
  meOf,
  signInAt,
  startOf,
} from '../../oidc/sign-in-of-a-test.ts';
import { startTestServer } from '../../test-server.ts';
import { call, header, newLink, setCookies } from './console-caller.ts';

const server = await startTestServer();
const [idp, other] = await Promise.all([startIdentityProvider(), startIdentityProvider({ host: '127.0.0.1' })]);
afterAll(() => Promise.all([server, idp, other].map((each) => each[Symbol.asyncDispose]())));

const open = { signUp: true, allowedDomains: ['acme.example'] };
await connect(server, idp, open);
await connect(server, other, { ...open, id: 'other' });
for (const provider of [idp, other])
  for (const login of ['ada', 'eve'])
    provider.users.set(login, { email: `${login}@acme.example`, email_verified: true, name: login });

beforeEach(() => {
  server.clock.offsetMs = 0;
  idp.intercept = undefined;
});

/** Signs in at the provider, and returns the address of the callback, unopened. */
async function atCallback(browser: HttpBrowser, { user = 'ada', provider = 'acme' } = {}): Promise<URL> {
  const { url } = await signInAt(browser, startOf(server, provider), { user, until: isCallback });
  return new URL(url);
}
const changed = (url: URL, parameters: Record<string, string | undefined>): string => {
  const copy = new URL(url);
  for (const [name, value] of Object.entries(parameters))
    if (value === undefined) copy.searchParams.delete(name);
    else copy.searchParams.set(name, value);
  return copy.href;
};
const sessionsOf = (browser: HttpBrowser) =>
  browser.received.filter((cookie) => cookie.startsWith('holdpoint_session') && !cookie.includes('Max-Age=0'));

async function expectRefused(browser: HttpBrowser, done: Visited, ...codes: string[]): Promise<void> {
  expect(codes).toContain(errorOf(done));
  expect(sessionsOf(browser)).toEqual([]);
  expect(await meOf(browser, server)).toBeUndefined();
}

describe('the state', () => {
  test('[PE91] of another browser, a wrong one and none are refused', async () => {
    const [victim, attacker] = [new HttpBrowser(), new HttpBrowser()];
    const ofAttacker = await atCallback(attacker, { user: 'eve' });
    // The classic login attack: the victim opens the response to the attacker's sign-in.
    await expectRefused(victim, await victim.open(ofAttacker.href), 'expired');
    const ofVictim = await atCallback(victim);
    await expectRefused(victim, await victim.open(ofAttacker.href), 'expired');
    for (const state of [undefined, '', 'wrong', 'x'.repeat(4_000)])
      await expectRefused(victim, await victim.open(changed(ofVictim, { state })), 'expired');
    const twice = `${ofVictim.href}&state=${ofVictim.searchParams.get('state')}`;
    await expectRefused(victim, await victim.open(twice), 'expired');
    // None of this ended the sign-in of the victim.
    expect((await victim.open(ofVictim.href)).url).toBe(`${server.url}/#/`);
    expect((await meOf(victim, server))?.name).toBe('ada');
  });

  test('[PE91] is for one provider: the response of one is refused at the address of another', async () => {
    const browser = new HttpBrowser();
    const url = await atCallback(browser);
    const elsewhere = url.href.replace('/auth/acme/', '/auth/other/');
    await expectRefused(browser, await browser.open(elsewhere), 'expired');
    expect(other.requests.filter((request) => request.includes('/token'))).toEqual([]);
  });

  test('[PE91] is used once, also by the browser that has its cookie', async () => {
    const browser = new HttpBrowser();
    const url = await atCallback(browser);
    const copy = new HttpBrowser();
    copy.cookies.set('127.0.0.1', [...(browser.cookies.get('127.0.0.1') ?? [])]);
    expect((await browser.open(url.href)).url).toBe(`${server.url}/#/`);
    await expectRefused(copy, await copy.open(url.href), 'already-used');
    const before = sessionsOf(browser).length;
    expect(errorOf(await browser.open(url.href))).toBe('expired');
    expect(sessionsOf(browser)).toHaveLength(before);
    const same = new HttpBrowser();
    const next = await atCallback(same);
    const both = await Promise.all([same.send(next.href), same.send(next.href)]);
    expect(both.filter((reply) => reply.headers.get('location') === '/#/')).toHaveLength(1);
  });

  test('[PE91] is valid for ten minutes', async () => {
    const browser = new HttpBrowser();
    const url = await atCallback(browser);
    server.clock.offsetMs = 10 * 60_000 + 2_000;
    await expectRefused(browser, await browser.open(url.href), 'expired');
  });

  test('[PE91] cannot be forged', async () => {
    const [browser, { port }] = [new HttpBrowser(), new URL(server.url)];
    const url = await atCallback(browser);
    const claims = { state: url.searchParams.get('state'), to: '#/', iss: 'holdpoint-sign-in', aud: 'acme' };
    const forged = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('5m')
      .sign(new Uint8Array(32));
    for (const value of [
      forged,
      `${Buffer.from('{"alg":"none"}').toString('base64url')}.${forged.split('.')[1]}.`,
      'x',
    ]) {
      browser.cookies.set('127.0.0.1', [{ name: `holdpoint_auth_${port}`, value, path: '/auth' }]);
      await expectRefused(browser, await browser.open(url.href), 'expired');
    }
  });
});

describe('the response', () => {
  test('[PE91] of another issuer is refused', async () => {
    for (const iss of [other.issuer, `${idp.issuer}/`, undefined]) {
      const browser = new HttpBrowser();
      const url = await atCallback(browser);
      await expectRefused(browser, await browser.open(changed(url, { iss })), 'invalid-response');
    }
  });

  test('[PE91] with a code of another sign-in is refused', async () => {
    const [victim, attacker] = [new HttpBrowser(), new HttpBrowser()];
    const code = (await atCallback(attacker, { user: 'eve' })).searchParams.get('code') ?? '';
    const url = await atCallback(victim);
    // The code is bound to the secret of PKCE, which follows from the state of the attacker.
    await expectRefused(victim, await victim.open(changed(url, { code })), 'provider-refused');
  });

  test('[PE91] to a request with another nonce is refused', async () => {
    await using own = await startTestServer();
    await connect(own, idp, { ...open, client: { client_id: 'nonce' }, clientId: 'nonce' });
    const browser = new HttpBrowser();
    const begun = await browser.send(startOf(own));
    const url = new URL(begun.headers.get('location') ?? '');
    url.searchParams.set('nonce', 'of-the-attacker');
    const { url: back } = await signInAt(browser, url.href, { user: 'ada', until: isCallback });
    await expectRefused(browser, await browser.open(back), 'invalid-response');
    const { data } = (await events(own, 'sign-in.failed'))[0] ?? {};
    expect(data).toMatchObject({ reason: 'invalid-response', detail: 'OAUTH_JWT_CLAIM_COMPARISON_FAILED' });
  });

  test('[PE102] with an id token that is signed with the client secret, or forged, is refused', async () => {
    const algorithm = await startIdentityProvider({ host: '127.0.0.1' });
    await using _ = algorithm;
    await connect(server, algorithm, { ...open, id: 'hmac', client: { id_token_signed_response_alg: 'HS256' } });
    algorithm.users.set('ada', idp.users.get('ada') ?? {});
    const browser = new HttpBrowser();
    await expectRefused(browser, await signInAt(browser, startOf(server, 'hmac'), { user: 'ada' }), 'invalid-response');
    // A signature of a key that is not the provider's.
    let isForging = false;
    idp.intercept = (request, response) => {
      if (!isForging || !request.url?.startsWith('/jwks')) return false;
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"keys":[]}');
      return true;
    };
    isForging = true;
    await using fresh = await startTestServer();
    await connect(fresh, idp, { ...open, client: { client_id: 'fresh' }, clientId: 'fresh' });
    expect(errorOf(await signInAt(new HttpBrowser(), startOf(fresh), { user: 'ada' }))).toBe('invalid-response');
  });

  test('[PE103] may come from a clock that differs by a minute, and no more', async () => {
    const outcome = async (offsetMs: number) => {
      server.clock.offsetMs = offsetMs;
      const browser = new HttpBrowser();
      const done = await signInAt(browser, startOf(server), { user: 'ada' });
      return errorOf(done) ?? 'in';
    };
    expect(await outcome(50_000)).toBe('in');
    expect(await outcome(-50_000)).toBe('in');
    expect(await outcome(-90_000)).toBe('invalid-response');
    // An id token is valid for an hour. One that was made long ago is not for this sign-in.
    expect(await outcome(30 * 60_000)).toBe('invalid-response');
    expect(await outcome(3 * 3_600_000)).toBe('invalid-response');
  });
});

describe('the session', () => {
  test('[PE108] is a new one: no session or cookie from before the sign-in is used', async () => {
    const attacker = await call(server.url, '/console/session', {
      headers: header,
      body: { link: await newLink(server.url), name: 'Eve' },
    });
    const [planted = ''] = setCookies(attacker)[0]?.split(';') ?? [];
    const [name = '', value = ''] = planted.split('=');
    const browser = new HttpBrowser();
    browser.cookies.set('127.0.0.1', [{ name, value, path: '/' }]);
    const done = await signInAt(browser, startOf(server), { user: 'ada' });
    expect(done.url).toBe(`${server.url}/#/`);
    expect(browser.cookieHeader(server.url)).not.toContain(value);
    expect((await meOf(browser, server))?.name).toBe('ada');
    const stale = await call(server.url, '/console/session', { headers: { ...header, cookie: planted } });
    expect(stale.body).toEqual({ signedIn: false });
  });

  test('[PE90] is not opened by the start, whatever a page of another site sends', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const reply = await fetch(startOf(server), { method, redirect: 'manual' });
      expect([404, 405, 415]).toContain(reply.status);
      expect(reply.headers.get('set-cookie')).toBeNull();
    }
    const reply = await fetch(startOf(server), {
      redirect: 'manual',
      headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', referer: 'https://evil.example/' },
    });
    expect(reply.status).toBe(302);
    expect(new URL(reply.headers.get('location') ?? '').origin).toBe(idp.issuer);
    expect(reply.headers.get('access-control-allow-origin')).toBeNull();
    expect(reply.headers.getSetCookie()).toHaveLength(1);
    expect(reply.headers.getSetCookie()[0]).toContain('holdpoint_auth');
  });
});

describe('the page after the sign-in', () => {
  const wrong = [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/a',
    '#x',
    '#//\n',
    '#/a\r\nset-cookie: a=b',
    'javascript:alert(1)',
  ];

  test.each([...wrong, '\u0000#/', ' #/x', '#/é', `#/${'x'.repeat(2_000)}`, '@evil.example#/'])(
    '[PE104] is never %j',
    async (to) => {
      const browser = new HttpBrowser();
      const done = await signInAt(browser, startOf(server, 'acme', to), { user: 'ada' });
      expect(done.trail.at(-1)).toBe(`${server.url}/#/`);
      expect(done.trail.every((url) => [server.url, idp.issuer].includes(new URL(url).origin))).toBe(true);
    },
  );

  test('[PE104] may contain an address, as a part of ours', async () => {
    const browser = new HttpBrowser();
    const to = '#//evil.example/?next=https://evil.example';
    const done = await signInAt(browser, startOf(server, 'acme', to), { user: 'ada' });
    expect(done.url).toBe(`${server.url}/${to}`);
    expect(new URL(done.url).origin).toBe(new URL(server.url).origin);
  });

  test('[PE90] at another name of the server, the sign-in begins at the public one', async () => {
    const { port } = new URL(server.url);
    const browser = new HttpBrowser();
    const done = await signInAt(browser, `http://localhost:${port}/auth/acme/start?to=%23%2Finbox`, { user: 'ada' });
    expect(done.trail[1]).toBe(`${server.url}/auth/acme/start?to=%23%2Finbox&here=1`);
    expect(done.url).toBe(`${server.url}/#/inbox`);
    const behindProxy = await call(server.url, '/auth/acme/start?here=1', { headers: { host: 'internal:81' } });
    expect(String(behindProxy.headers.location)).toContain(idp.issuer);
  });
});

test('[PE97] no secret is in an event, a list or an error', async () => {
  const all = await Promise.all(
    ['/v1/admin-events?limit=200', '/v1/identity-providers', '/console/sign-in'].map((path) => server.admin.get(path)),
  );
  expect(JSON.stringify(all.map(({ body }) => body))).not.toContain(clientSecret);
});
