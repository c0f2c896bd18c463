/** Sign-in with LemonLDAP::NG, an identity provider in another language. Installs it from Debian if it can. */
// cspell:ignore dwho rtyler msmith badwolf timelords
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installFromDebian } from '../../../widget/test/debian.ts';
import { startTestServer, type TestServer } from '../test-server.ts';
import { HttpBrowser, type Visited } from './http-browser.ts';
import { hasLemonldap, type Lemonldap, lemonldapPackages, startLemonldap } from './lemonldap.ts';
import { errorOf, meOf, startOf } from './sign-in-of-a-test.ts';

let server: TestServer;
let idp: Lemonldap | undefined;
let missing = '';

beforeAll(async () => {
  if (!hasLemonldap()) missing = install();
  if (missing) return;
  server = await startTestServer();
  idp = await startLemonldap({
    ...{
      id: 'holdpoint',
      secret: 'hush',
      redirectUri: `${server.url}/auth/lemon/callback`,
      returnTo: `${server.url}/`,
    },
  });
  const { status } = await server.admin.post('/v1/identity-providers', {
    ...{ id: 'lemon', name: 'Lemon', issuer: idp.issuer, clientId: 'holdpoint', clientSecret: 'hush' },
    ...{ signUp: true, allowedDomains: ['badwolf.org'], scopes: ['profile', 'email', 'groups'] },
    ...{ groupClaim: 'groups', createGroups: true, roleClaim: 'groups', roles: { legal: 'admin' } },
  });
  expect(status).toBe(201);
});
afterAll(() => Promise.all([server?.[Symbol.asyncDispose](), idp?.[Symbol.asyncDispose]()]));

/** Returns why it cannot be installed, if so. */
function install(): string {
  try {
    if (!installFromDebian(...lemonldapPackages))
      return 'LemonLDAP::NG is not installed, and this is not a Debian with root';
  } catch (error) {
    return `apt cannot install LemonLDAP::NG: ${(error as Error).message}`;
  }
  return hasLemonldap() ? '' : 'LemonLDAP::NG was installed and cannot be loaded';
}

/** Fills in the login page as a browser does, with its hidden fields. */
async function enter(browser: HttpBrowser, user: string, password = user): Promise<Visited> {
  const page = await browser.open(startOf(server, 'lemon', '#/inbox'));
  if (!page.text.includes('name="password"')) return page;
  const hidden = [...page.text.matchAll(/<input type="hidden" name="(\w+)"(?: value="([^"]*)")?/g)];
  const fields = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value]));
  return browser.open(page.url, { form: { ...fields, user, password } });
}

test('[PE91][PE93][PE94] signs in with LemonLDAP::NG, with roles and groups from its claims', async (context) => {
  if (missing) context.skip(missing);
  const browser = new HttpBrowser();
  const done = await enter(browser, 'dwho');
  expect(done.url, idp?.log()).toBe(`${server.url}/#/inbox`);
  const me = await meOf(browser, server);
  expect(me).toMatchObject({ via: 'oidc', name: 'Doctor Who' });
  expect(me?.person).toMatchObject({ email: 'dwho@badwolf.org', roles: ['admin'] });
  // The last two are those of its demonstration.
  expect(me?.person.groups.toSorted()).toEqual(['finance', 'legal', 'timelords', 'users']);
  const other = new HttpBrowser();
  await enter(other, 'rtyler');
  expect((await meOf(other, server))?.person).toMatchObject({ roles: ['member'] });
  // It still knows the user, and asks nothing.
  const again = await browser.open(startOf(server, 'lemon'));
  expect(again.url).toBe(`${server.url}/#/`);
});

test('[PE106] signing out leads to LemonLDAP::NG, which then asks for the password again', async (context) => {
  if (missing) context.skip(missing);
  const browser = new HttpBrowser();
  await enter(browser, 'msmith');
  const reply = await fetch(`${server.url}/console/session`, {
    method: 'DELETE',
    headers: { 'x-holdpoint-console': '1', cookie: browser.cookieHeader(server.url) },
  });
  const { endSessionUrl } = (await reply.json()) as { endSessionUrl: string };
  expect(endSessionUrl.startsWith(`${idp?.issuer}oauth2/logout?`)).toBe(true);
  const ended = await browser.open(endSessionUrl);
  expect(ended.url).toBe(`${server.url}/`);
  expect((await browser.open(startOf(server, 'lemon'))).text).toContain('name="password"');
});

test('[PE91] a wrong password opens no session', async (context) => {
  if (missing) context.skip(missing);
  const browser = new HttpBrowser();
  const done = await enter(browser, 'dwho', 'wrong');
  expect(errorOf(done)).toBeUndefined();
  expect(done.text).toContain('name="password"');
  expect(await meOf(browser, server)).toBeUndefined();
});
