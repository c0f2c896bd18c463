/** Signing out with a provider: from our page, and from the provider. */
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HttpBrowser } from '../../oidc/http-browser.ts';
import { startIdentityProvider } from '../../oidc/identity-provider.ts';
import { clientId, connect, events, meOf, signInAt, startOf } from '../../oidc/sign-in-of-a-test.ts';
import { startTestServer } from '../../test-server.ts';
import { newLink, signInWith } from './console-caller.ts';

const server = await startTestServer();
const idp = await startIdentityProvider();
afterAll(() => Promise.all([server, idp].map((each) => each[Symbol.asyncDispose]())));
await connect(server, idp, { signUp: true, allowedDomains: ['*'] });

const enter = async (user: string, browser = new HttpBrowser()) => {
  await signInAt(browser, startOf(server), { user });
  expect((await meOf(browser, server))?.name).toBe(user);
  return browser;
};
const signOut = (browser: HttpBrowser, url = server.url) =>
  fetch(`${url}/console/session`, {
    method: 'DELETE',
    headers: { 'x-holdpoint-console': '1', cookie: browser.cookieHeader(url) },
  });
const isSignedIn = async (browser: HttpBrowser) => (await meOf(browser, server)) !== undefined;

describe('signing out', () => {
  test('[PE106] ends our session, and gives the address that ends the one of the provider', async () => {
    const browser = await enter('ada');
    const reply = await signOut(browser);
    expect(reply.status).toBe(200);
    const { endSessionUrl } = (await reply.json()) as { endSessionUrl: string };
    const url = new URL(endSessionUrl);
    expect(url.origin).toBe(idp.issuer);
    expect(url.searchParams.get('post_logout_redirect_uri')).toBe(`${server.url}/`);
    expect(url.searchParams.get('client_id')).toBe(clientId);
    expect(url.searchParams.get('id_token_hint')?.split('.')).toHaveLength(3);
    expect(await isSignedIn(browser)).toBe(false);
    // The provider asks, ends its session, and leads back.
    const asked = await browser.open(endSessionUrl);
    const [, secret = ''] = /name="xsrf" value="([^"]+)"/.exec(asked.text) ?? [];
    const confirmed = await browser.open(`${idp.issuer}/session/end/confirm`, {
      form: { xsrf: secret, logout: 'yes' },
    });
    expect(confirmed.url).toBe(`${server.url}/`);
    const again = await browser.open(startOf(server));
    expect(again.url).toContain('/interaction/');
  });

  test('[PE106] is done here also when the provider is gone, deleted, or was not used', async () => {
    await using own = await startTestServer();
    const down = await startIdentityProvider();
    await connect(own, down, { signUp: true, allowedDomains: ['*'], client: { client_id: 'down' }, clientId: 'down' });
    const users = [new HttpBrowser(), new HttpBrowser()];
    for (const [index, browser] of users.entries()) await signInAt(browser, startOf(own), { user: `u${index}` });
    await own.restart();
    await down.stop();
    const [first, second] = users as [HttpBrowser, HttpBrowser];
    expect((await signOut(first, own.url)).status).toBe(204);
    await own.admin.call('/v1/identity-providers/acme', { method: 'DELETE' });
    expect((await signOut(second, own.url)).status).toBe(204);
    const byLink = await signInWith(server.url, await newLink(server.url));
    const reply = await fetch(`${server.url}/console/session`, { method: 'DELETE', headers: byLink });
    expect(reply.status).toBe(204);
  });
});

describe('back-channel logout', () => {
  test('[PE107] of the provider ends the sessions that began in its session, and no other', async () => {
    const [here, there] = [await enter('cleo'), await enter('cleo')];
    const url = new URL(`${idp.issuer}/session/end`);
    const asked = await here.open(url.href);
    const [, secret = ''] = /name="xsrf" value="([^"]+)"/.exec(asked.text) ?? [];
    await here.open(`${idp.issuer}/session/end/confirm`, { form: { xsrf: secret, logout: 'yes' } });
    await expect.poll(() => isSignedIn(here)).toBe(false);
    expect(await isSignedIn(there)).toBe(true);
    const ended = await events(server, 'session.ended');
    expect(ended[0]).toMatchObject({ actor: { type: 'system', id: 'provider:acme', via: 'oidc' } });
  });
});

describe('a logout token', () => {
  const event = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  let sign: (claims?: object, header?: object) => Promise<string>;
  let count = 0;
  const fake = startIdentityProvider();
  let issuer = '';

  beforeAll(async () => {
    const provider = await fake;
    issuer = provider.issuer;
    await connect(server, provider, { id: 'keyed', signUp: true, allowedDomains: ['*'] });
    // A second key beside those of the provider, so that the test can sign.
    const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
    const own = { ...(await exportJWK(publicKey)), kid: 'own', use: 'sig', alg: 'RS256' };
    const keys = (await (await fetch(`${issuer}/jwks`)).json()) as { keys: object[] };
    provider.intercept = (request, response) => {
      if (!request.url?.startsWith('/jwks')) return false;
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ keys: [...keys.keys, own] }));
      return true;
    };
    sign = (claims = {}, header = {}) => {
      const now = Math.floor(Date.now() / 1000);
      const all = {
        iss: issuer,
        aud: clientId,
        iat: now,
        exp: now + 120,
        jti: `j-${count++}`,
        events: event,
        ...claims,
      };
      const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
      return new SignJWT(given)
        .setProtectedHeader({ alg: 'RS256', kid: 'own', typ: 'logout+jwt', ...header })
        .sign(privateKey);
    };
  });
  afterAll(async () => (await fake)[Symbol.asyncDispose]());

  const post = (token: string, id = 'keyed') =>
    fetch(`${server.url}/auth/${id}/backchannel-logout`, {
      method: 'POST',
      body: new URLSearchParams({ logout_token: token }),
    });
  const enterKeyed = async (user: string) => {
    const browser = new HttpBrowser();
    await signInAt(browser, startOf(server, 'keyed'), { user });
    expect((await meOf(browser, server))?.name).toBe(user);
    return browser;
  };

  test('[PE107] with a subject ends all sessions of the account', async () => {
    const [one, two, other] = [await enterKeyed('dan'), await enterKeyed('dan'), await enterKeyed('eva')];
    const reply = await post(await sign({ sub: 'dan' }));
    expect([reply.status, reply.headers.get('cache-control')]).toEqual([200, 'no-store']);
    await expect.poll(() => isSignedIn(one)).toBe(false);
    await expect.poll(() => isSignedIn(two)).toBe(false);
    expect(await isSignedIn(other)).toBe(true);
  });

  test('[PE107] that is not right is refused, and ends nothing', async () => {
    const browser = await enterKeyed('fay');
    const now = Math.floor(Date.now() / 1000);
    const wrong = [
      { iss: 'https://other.example' },
      { aud: 'another client' },
      { iat: undefined },
      { iat: now - 3_600, exp: now + 60 },
      { iat: now + 3_600, exp: now + 7_200 },
      { iat: now - 300, exp: now - 200 },
      { nonce: 'n' },
      { jti: undefined },
      { events: undefined },
      { events: {} },
      { events: [Object.keys(event)[0]] },
      { events: { 'http://schemas.openid.net/event/backchannel-logout': 'x' } },
      { sub: undefined },
      { sub: undefined, sid: 7 },
    ];
    for (const claims of wrong)
      expect([claims, (await post(await sign({ sub: 'fay', ...claims }))).status]).toEqual([claims, 400]);
    const token = await sign({ sub: 'fay' });
    const [head, body, signature] = token.split('.');
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.`;
    for (const forged of [
      `${head}.${body}.`,
      `${head}.${body}.${signature?.slice(0, -4)}AAAA`,
      unsigned,
      'x',
      '',
      'a.b.c',
    ])
      expect((await post(forged)).status).toBe(400);
    expect((await post(token, 'acme')).status).toBe(400);
    expect((await post(token, 'nobody')).status).toBe(400);
    const asJson = await fetch(`${server.url}/auth/keyed/backchannel-logout`, {
      ...{
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ logout_token: token }),
      },
    });
    expect([400, 415]).toContain(asJson.status);
    expect(await isSignedIn(browser)).toBe(true);
  });

  test('[PE107] works once', async () => {
    const token = await sign({ sub: 'gus' });
    expect((await post(token)).status).toBe(200);
    const browser = await enterKeyed('gus');
    expect((await post(token)).status).toBe(400);
    expect(await isSignedIn(browser)).toBe(true);
  });

  test('[PE107] with a session that nobody has here ends nothing else', async () => {
    const browser = await enterKeyed('hal');
    expect((await post(await sign({ sub: undefined, sid: 'unknown' }))).status).toBe(200);
    expect(await isSignedIn(browser)).toBe(true);
  });
});
