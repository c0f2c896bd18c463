/** Sign-in with a real identity provider: who gets in, with which rights, and what is recorded. */
// cspell:ignore Cscript
import type { Group, InvitedPerson, Person, PersonSession } from '@holdpoint/protocol';
import { afterAll, describe, expect, test } from 'vitest';
import { HttpBrowser } from '../../oidc/http-browser.ts';
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
import { call, signIn } from './console-caller.ts';

const server = await startTestServer();
const idp = await startIdentityProvider();
afterAll(() => Promise.all([server, idp].map((each) => each[Symbol.asyncDispose]())));

const open = { signUp: true, allowedDomains: ['acme.example'] };
const acme = await connect(server, idp, {
  ...open,
  ...{ roleClaim: 'roles', roles: { boss: 'admin', look: 'auditor' } },
  ...{ groupClaim: 'groups', groups: { fin: 'finance', law: 'legal' }, createGroups: true },
  contact: 'help@acme.example',
});
// There is another admin, so that claims can take the role.
await signIn(server.url);

let users = 0;
/** Adds a user of the provider with a verified email. */
function user(claims: Record<string, unknown> = {}): string {
  const login = `user-${users++}`;
  idp.users.set(login, { email: `${login}@acme.example`, email_verified: true, name: `User ${login}`, ...claims });
  return login;
}
const enter = async (login: string, to?: string, browser = new HttpBrowser()) => {
  const done = await signInAt(browser, startOf(server, acme, to), { user: login });
  return { browser, done, me: await meOf(browser, server) };
};
const change = (login: string, claims: object) => idp.users.set(login, { ...idp.users.get(login), ...claims });
const invite = async (input: object) => (await server.admin.post<InvitedPerson>('/v1/people', input)).body;

describe('a sign-in', () => {
  test('[PE90][PE91] leads to the provider and back to the page, with a session of the person', async () => {
    const login = user({ locale: 'de-CH', zoneinfo: 'Europe/Zurich' });
    const { browser, done, me } = await enter(login, '#/inbox/1?a=b');
    expect(done.url).toBe(`${server.url}/#/inbox/1?a=b`);
    expect(me).toMatchObject({ kind: 'person', via: 'oidc', name: `User ${login}` });
    expect(me?.person).toMatchObject({
      ...{ email: `${login}@acme.example`, status: 'active', roles: ['member'], groups: [] },
      ...{ locale: 'de-CH', timeZone: 'Europe/Zurich', identities: [{ issuer: idp.issuer, subject: login }] },
    });
    const sessions = await server.admin.get<{ data: PersonSession[] }>(`/v1/people/${me?.id}/sessions`);
    expect(sessions.body.data).toMatchObject([{ via: 'oidc' }]);
    const [session] = browser.received.filter((cookie) => cookie.startsWith('holdpoint_session'));
    expect(session).toMatch(/; HttpOnly; SameSite=Strict$/);
  });

  test('[PE90] asks with PKCE, state and nonce, sets one Lax cookie, and changes nothing', async () => {
    const before = await server.admin.get<{ data: unknown[] }>('/v1/admin-events?limit=200');
    const browser = new HttpBrowser();
    const begun = await browser.send(startOf(server));
    expect(begun.status).toBe(302);
    const url = new URL(begun.headers.get('location') ?? '');
    expect(url.origin).toBe(idp.issuer);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      ...{ client_id: 'holdpoint', response_type: 'code', scope: 'openid profile email' },
      ...{ redirect_uri: `${server.url}/auth/acme/callback`, code_challenge_method: 'S256' },
    });
    for (const name of ['state', 'nonce', 'code_challenge']) expect(url.searchParams.get(name)).toMatch(/^[\w-]{43}$/);
    const { port } = new URL(server.url);
    expect(browser.received).toHaveLength(1);
    expect(browser.received[0]).toMatch(
      new RegExp(`^holdpoint_auth_${port}=[\\w.-]+; Path=/auth; Max-Age=600; HttpOnly; SameSite=Lax$`),
    );
    // The browser has neither the secret of PKCE nor that of the client.
    expect(Buffer.from(browser.received[0]?.split('.')[1] ?? '', 'base64url').toString()).not.toContain('verifier');
    expect(url.href).not.toContain(encodeURIComponent(clientSecret));
    expect(begun.headers.get('cache-control')).toBe('no-store');
    expect(begun.text).not.toContain('<');
    expect(await server.admin.get('/v1/admin-events?limit=200')).toMatchObject({ body: before.body });
  });

  test('[PE90] on a public address with https, uses that address and a cookie that only this host sets', async () => {
    const publicUrl = 'https://holdpoint.example.com';
    await using own = await startTestServer({ publicUrl });
    await connect(own, idp, { ...open, client: { client_id: 'public' }, clientId: 'public' });
    const headers = { host: 'holdpoint.example.com' };
    const begun = await call(own.url, '/auth/acme/start?to=%23%2Fa', { headers });
    const asked = new URL(String(begun.headers.location));
    expect(asked.searchParams.get('redirect_uri')).toBe(`${publicUrl}/auth/acme/callback`);
    expect(String(begun.headers['set-cookie'])).toMatch(
      /^__Host-holdpoint_auth=[\w.-]+; Path=\/; Secure; Max-Age=600; HttpOnly; SameSite=Lax$/,
    );
    const elsewhere = await call(own.url, '/auth/acme/start?to=%23%2Fa');
    expect(elsewhere.headers.location).toBe(`${publicUrl}/auth/acme/start?to=%23%2Fa&here=1`);
    expect(elsewhere.headers['set-cookie']).toBeUndefined();
  });

  test('[PE91] replaces the session that the browser had', async () => {
    const first = await enter(user());
    const old = first.browser.cookieHeader(server.url);
    // Another user of the same browser.
    first.browser.cookies.delete('localhost');
    // As on a provider of the same site, from which browsers send the Strict cookie.
    const second = await enter(user(), undefined, first.browser);
    expect(second.me?.id).not.toBe(first.me?.id);
    const stale = await fetch(`${server.url}/console/session`, {
      headers: { 'x-holdpoint-console': '1', cookie: old },
    });
    expect(await stale.json()).toEqual({ signedIn: false });
  });

  test('[PE92] links an invited person by the verified email, and finds them by the account from then on', async () => {
    const login = user();
    const invited = await invite({
      name: 'Typed by an admin',
      email: `${login.toUpperCase()}@acme.example`,
      groups: [],
    });
    const { me } = await enter(login);
    expect(me?.person).toMatchObject({ id: invited.id, name: 'Typed by an admin', status: 'active' });
    change(login, { email: 'moved@elsewhere.example', email_verified: false });
    expect((await enter(login)).me?.id).toBe(invited.id);
    const linked = (await events(server, 'person.updated')).filter(({ subject }) => subject?.id === invited.id);
    expect(linked).toMatchObject([
      {
        actor: { type: 'system', id: 'provider:acme', via: 'oidc', name: 'Acme' },
        data: { identity: { issuer: idp.issuer, subject: login } },
      },
    ]);
  });

  test('[PE92] two first sign-ins at the same time make one person', async () => {
    const login = user({ groups: ['fin'] });
    const all = await Promise.all(Array.from({ length: 4 }, () => enter(login)));
    expect(new Set(all.map(({ me }) => me?.id)).size).toBe(1);
    const { body } = await server.admin.get<{ data: Person[] }>(`/v1/people?search=${login}@`);
    expect(body.data).toHaveLength(1);
    expect(
      (await events(server, 'person.joined')).filter(({ subject }) => subject?.id === all[0]?.me?.id),
    ).toHaveLength(1);
  });

  test('[PE93][PE94] sets roles and groups, and changes them at the next sign-in', async () => {
    const login = user({ roles: ['boss', 'nothing'], groups: ['fin', 'law', 'unmapped'] });
    const first = await enter(login);
    expect(first.me?.person).toMatchObject({ roles: ['admin'], groups: ['finance', 'legal'] });
    await server.admin.post('/v1/groups', { id: 'choir' });
    const added = await server.admin.post('/v1/groups/choir/members', { personId: first.me?.id });
    expect(added.status).toBe(200);
    change(login, { roles: ['look'], groups: ['law'] });
    const second = await enter(login);
    expect(second.me?.person).toMatchObject({ roles: ['auditor'], groups: ['legal', 'choir'] });
    // The first session has the new rights too.
    await expect.poll(async () => (await meOf(first.browser, server))?.person.roles).toEqual(['auditor']);
    change(login, { roles: undefined, groups: undefined });
    expect((await enter(login)).me?.person).toMatchObject({ roles: ['member'], groups: ['choir'] });
    const { body } = await server.admin.get<{ data: Group[] }>('/v1/groups');
    expect(body.data.map(({ id }) => id)).toEqual(expect.arrayContaining(['finance', 'legal', 'choir']));
    const changes = (await events(server, 'person.updated')).filter(({ subject }) => subject?.id === first.me?.id);
    expect(changes.map(({ data }) => data)).toMatchObject([
      { changed: { roles: ['member'], groups: ['choir'] } },
      { changed: { roles: ['auditor'] } },
    ]);
  });

  test('[PE93] a claim does not take the role from the last admin', async () => {
    await using own = await startTestServer();
    const boss = user({ roles: ['boss'] });
    await connect(own, idp, {
      ...open,
      roleClaim: 'roles',
      roles: { boss: 'admin' },
      client: { client_id: 'own' },
      clientId: 'own',
    });
    const browser = new HttpBrowser();
    await signInAt(browser, startOf(own), { user: boss });
    expect((await meOf(browser, own))?.person.roles).toEqual(['admin']);
    change(boss, { roles: [] });
    await signInAt(new HttpBrowser(), startOf(own), { user: boss });
    await expect.poll(async () => (await meOf(browser, own))?.person.roles).toEqual(['admin', 'member']);
  });
});

describe('a refusal', () => {
  const refusal = async (login: string) => {
    const { done, me } = await enter(login);
    expect(me).toBeUndefined();
    return errorOf(done);
  };

  test('[PE92][PE104] has a code, and is recorded with the account', async () => {
    const elsewhere = user({ email: 'eve@elsewhere.example' });
    expect(await refusal(elsewhere)).toBe('domain-not-allowed');
    expect(await refusal(user({ email_verified: false }))).toBe('email-not-verified');
    expect(await refusal(user({ email: undefined }))).toBe('email-missing');
    const gone = user();
    const { me } = await enter(gone);
    await server.admin.call(`/v1/people/${me?.id}`, { method: 'PATCH', body: { status: 'deactivated' } });
    expect(await refusal(gone)).toBe('person-deactivated');
    const taken = user();
    const { me: owner } = await enter(taken);
    expect(await refusal(user({ email: owner?.person.email }))).toBe('account-taken');
    const failed = await events(server, 'sign-in.failed');
    expect(failed.map(({ data }) => data)).toEqual(
      expect.arrayContaining([{ reason: 'domain-not-allowed', email: 'eve@elsewhere.example', account: elsewhere }]),
    );
    expect(failed[0]).toMatchObject({ subject: { type: 'provider', id: 'acme', name: 'Acme' } });
  });

  test('[PE92] without sign-up, only invited people get in', async () => {
    await using own = await startTestServer();
    await connect(own, idp, { client: { client_id: 'closed' }, clientId: 'closed' });
    const login = user();
    expect(errorOf(await signInAt(new HttpBrowser(), startOf(own), { user: login }))).toBe('not-invited');
    await own.admin.post('/v1/people', { name: 'Invited', email: `${login}@acme.example` });
    const browser = new HttpBrowser();
    await signInAt(browser, startOf(own), { user: login });
    expect((await meOf(browser, own))?.person).toMatchObject({ name: 'Invited', status: 'active' });
  });

  test('[PE104] of the provider becomes one of our codes', async () => {
    const browser = new HttpBrowser();
    const page = await browser.open(startOf(server));
    const aborted = await browser.open(`${page.url}/abort`);
    expect(errorOf(aborted)).toBe('cancelled');
    const back = aborted.trail.find(isCallback) ?? '';
    expect(back).toContain('error=access_denied');
    const again = new HttpBrowser();
    const begun = await again.open(startOf(server));
    const state = new URL(begun.trail[1] ?? '').searchParams.get('state') ?? '';
    const made = new URLSearchParams({ state, iss: idp.issuer, error: '<script>', error_description: '<b>boo</b>' });
    const done = await again.open(`${server.url}/auth/acme/callback?${made}`);
    expect(errorOf(done)).toBe('provider-refused');
    expect(JSON.stringify([done.trail.slice(1), done.text])).not.toMatch(/boo|%3Cscript/);
  });
});

describe('the log', () => {
  test('[PE105] names the provider of a session', async () => {
    const { me } = await enter(user());
    const started = (await events(server, 'session.started')).find(({ subject }) => subject?.id === me?.id);
    expect(started).toMatchObject({ actor: { id: me?.id, via: 'oidc' }, data: { provider: 'acme', via: 'oidc' } });
  });

  test('[PE105] cannot be filled by failed sign-ins', async () => {
    await using own = await startTestServer();
    await connect(own, idp, { client: { client_id: 'flood' }, clientId: 'flood' });
    for (let round = 0; round < 60; round++) {
      const reply = await fetch(`${own.url}/auth/acme/callback?state=x&code=y`, { redirect: 'manual' });
      expect(reply.headers.get('location')).toBe('/#/sign-in?error=expired');
    }
    const recorded = await events(own, 'sign-in.failed');
    expect(recorded.length).toBeGreaterThanOrEqual(10);
    expect(recorded.length).toBeLessThanOrEqual(15);
  });
});

test('[PE109] the sign-in page learns the providers, and nothing else about them', async () => {
  const reply = await fetch(`${server.url}/console/sign-in`);
  expect(await reply.json()).toEqual({ providers: [{ id: 'acme', name: 'Acme', contact: 'help@acme.example' }] });
  expect(reply.headers.get('cache-control')).toBe('no-store');
  for (const org of ['nobody', '', 'a&org=b'])
    expect(await (await fetch(`${server.url}/console/sign-in?org=${org}`)).json()).toEqual({ providers: [] });
});

test('[PE104] an unknown provider leads to the sign-in page', async () => {
  for (const path of ['none/start', 'none/callback?code=a&state=b', 'x~none/start', '%7E/start', '__proto__/start']) {
    const reply = await fetch(`${server.url}/auth/${path}`, { redirect: 'manual' });
    expect([reply.status, reply.headers.get('location')]).toEqual([302, '/#/sign-in?error=unknown-provider']);
  }
});
