/** Signing in with a provider of another site, in a browser that keeps the rules of cookies. */
import type { CreatedOrg, Person } from '@holdpoint/protocol';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type IdentityProviderServer, startIdentityProvider } from '../../server/test/oidc/identity-provider.ts';
import { type Stage, stageOfThisFile } from '../../widget/test/stage.ts';
import { expectWhole } from './enter.ts';
import { expectNarrow } from './open-console.ts';

const stage = stageOfThisFile({ flags: ['--no-demo', '--allow-private-webhooks'] });
let idp: IdentityProviderServer;

beforeAll(async () => {
  // For a browser, localhost and 127.0.0.1 are different sites.
  idp = await startIdentityProvider({ host: 'localhost' });
  idp.register({
    ...{ client_id: 'holdpoint', client_secret: 'hush', redirect_uris: [`${stage.url}/auth/acme/callback`] },
    post_logout_redirect_uris: [`${stage.url}/`],
  });
  await stage.call('/v1/identity-providers', {
    ...{ id: 'acme', name: 'Acme', issuer: idp.issuer, clientId: 'holdpoint', clientSecret: 'hush' },
    ...{ signUp: true, allowedDomains: ['acme.example'], groupClaim: 'groups', createGroups: true },
  });
});
afterAll(() => idp?.[Symbol.asyncDispose]());

/** Asks as the console does: by a request of its own page. */
const me = (page: Page): Promise<Person | undefined> =>
  page.evaluate(async () => {
    const reply = await fetch('/console/session', { headers: { 'x-holdpoint-console': '1' } });
    return ((await reply.json()) as { me?: { person: Person } }).me?.person;
  });

/** Opens the start, and signs in at the page of the provider. The console then loads. */
async function enter(on: Stage, user: string, to = '#/inbox'): Promise<Page> {
  const page = await on.open('');
  await page.goto(`${on.url}/auth/acme/start?${new URLSearchParams({ to })}`);
  expect(new URL(page.url()).origin).toBe(idp.issuer);
  await page.locator('input[name=login]').fill(user);
  await page.locator('input[name=password]').fill('any');
  await page.locator('button[type=submit]').click();
  await page.waitForURL(`${on.url}/**`);
  return page;
}

test('[PE91][PE108] the session is there on return, by a Strict cookie that no script reads', async () => {
  idp.users.set('ada', { email: 'ada@acme.example', email_verified: true, name: 'Ada Rossi', groups: ['finance'] });
  const page = await enter(stage, 'ada');
  expect(page.url()).toBe(`${stage.url}/#/inbox`);
  expect(await me(page)).toMatchObject({ name: 'Ada Rossi', groups: ['finance'] });
  const cookies = (await page.context().cookies(stage.url)).filter(({ name }) => name.startsWith('holdpoint'));
  expect(cookies).toMatchObject([{ httpOnly: true, sameSite: 'Strict' }]);
  expect(cookies[0]?.name).toMatch(/^holdpoint_session/);
  expect(await page.evaluate(() => document.cookie)).toBe('');
});

test('[PE94] the groups follow the provider at the next sign-in', async () => {
  idp.users.set('ben', { email: 'ben@acme.example', email_verified: true, name: 'Ben', groups: ['finance', 'legal'] });
  const page = await enter(stage, 'ben');
  expect((await me(page))?.groups).toEqual(['finance', 'legal']);
  idp.users.set('ben', { ...idp.users.get('ben'), groups: ['legal'] });
  // The provider still knows the user, and asks nothing.
  await page.goto(`${stage.url}/auth/acme/start?to=%23/threads`);
  expect(page.url()).toBe(`${stage.url}/#/threads`);
  expect((await me(page))?.groups).toEqual(['legal']);
});

test('[PE104] a refusal leads to the sign-in page with its code', async () => {
  idp.users.set('eve', { email: 'eve@elsewhere.example', email_verified: true });
  const page = await enter(stage, 'eve');
  expect(page.url()).toBe(`${stage.url}/#/sign-in?error=domain-not-allowed`);
  expect(await me(page)).toBeUndefined();
});

test('[PE106] signing out ends the sessions here and at the provider', async () => {
  const page = await enter(stage, 'ada');
  const url = await page.evaluate(async () => {
    const reply = await fetch('/console/session', { method: 'DELETE', headers: { 'x-holdpoint-console': '1' } });
    return ((await reply.json()) as { endSessionUrl: string }).endSessionUrl;
  });
  expect(await me(page)).toBeUndefined();
  await page.goto(url);
  await page.locator('button[value=yes]').click();
  await page.waitForURL(`${stage.url}/**`);
  await page.goto(`${stage.url}/auth/acme/start`);
  await page.locator('input[name=login]').waitFor();
});

test('[PE90] a page of another site begins no more than a sign-in of the user', async () => {
  const page = await enter(stage, 'ada');
  const before = await me(page);
  await page.goto(`${idp.issuer}/nothing`);
  // As a link, a form and a picture of that site.
  await page.evaluate(async (start) => {
    await fetch(start, { mode: 'no-cors', credentials: 'include' }).catch(() => {});
    await new Promise((resolve) => {
      const picture = new Image();
      picture.onerror = resolve;
      picture.src = start;
    });
  }, `${stage.url}/auth/acme/start`);
  const names = (await page.context().cookies(stage.url)).map(({ name }) => name.replace(/_\d+$/, ''));
  expect(names.filter((name) => name.startsWith('holdpoint'))).toEqual(['holdpoint_session']);
  await page.goto(`${stage.url}/auth/acme/start?to=https://evil.example`);
  expect(page.url()).toBe(`${stage.url}/#/`);
  expect((await me(page))?.id).toBe(before?.id);
});

test('[PE176] the sign-in page of an org has the providers of this org, also after a failed sign-in', async () => {
  const { adminKey } = await stage.call<CreatedOrg>('/v1/orgs', { id: 'globex' });
  const client = { client_id: 'globex', client_secret: 'hush' };
  idp.register({ ...client, redirect_uris: [`${stage.url}/auth/globex~corp/callback`] });
  const reply = await fetch(`${stage.url}/v1/identity-providers`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminKey?.secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ id: 'corp', name: 'Globex Corp', issuer: idp.issuer, clientId: client.client_id, clientSecret: 'hush' },
      ...{ signUp: true, allowedDomains: ['globex.example'] },
    }),
  });
  expect(reply.ok, await reply.text()).toBe(true);
  idp.users.set('gus', { email: 'gus@elsewhere.example', email_verified: true, name: 'Gus' });
  idp.users.set('gia', { email: 'gia@globex.example', email_verified: true, name: 'Gia' });
  const continueWith = (page: Page, name: string) => page.getByRole('link', { name: `Continue with ${name}` });
  const page = await stage.visit('/#/sign-in?org=globex', { signedIn: false });
  await page.getByText('Organization: globex').waitFor();
  await continueWith(page, 'Globex Corp').waitFor();
  expect(await continueWith(page, 'Acme').count()).toBe(0);
  await page.getByText('holdpoint open').waitFor();
  for (const width of [1_440, 768, 375, 320]) {
    await page.setViewportSize({ width, height: 800 });
    await expectWhole(page);
    await expectNarrow(page);
  }
  const signIn = async (user: string) => {
    await continueWith(page, 'Globex Corp').click();
    await page.locator('input[name=login]').fill(user);
    await page.locator('input[name=password]').fill('any');
    await page.locator('button[type=submit]').click();
    await page.waitForURL(`${stage.url}/**`);
  };
  await signIn('gus');
  await page.getByRole('alert').waitFor();
  await page.getByText('Organization: globex').waitFor();
  await page.context().clearCookies({ domain: 'localhost' });
  await signIn('gia');
  await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();

  const other = await stage.visit('/#/sign-in', { signedIn: false });
  await continueWith(other, 'Acme').waitFor();
  expect(await continueWith(other, 'Globex Corp').count()).toBe(0);
  await other.goto(`${stage.url}/${await stage.linkFor(await stage.admin())}?org=globex`);
  await other.getByRole('button', { name: 'Sign in as Console' }).click();
  await other.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
});
