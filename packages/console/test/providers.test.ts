/** Settings → Sign-in: add, check, change and remove the identity providers of the org. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IdentityProvider, InvitedPerson } from '@holdpoint/protocol';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type IdentityProviderServer, startIdentityProvider } from '../../server/test/oidc/identity-provider.ts';
import { stageOfThisFile } from '../../widget/test/stage.ts';
import { enter, expectWhole, notice } from './enter.ts';
import { expectNarrow } from './open-console.ts';

const configured = [{ id: 'env', name: 'Head office', issuer: 'http://127.0.0.1:9', clientId: 'from-env' }];
const folder = mkdtempSync(join(tmpdir(), 'holdpoint-providers-'));
const file = join(folder, 'oidc.json');
writeFileSync(file, JSON.stringify(configured));
const stage = stageOfThisFile({ flags: ['--no-demo', '--oidc-file', file] });
let idp: IdentityProviderServer;
beforeAll(async () => {
  // For a browser, localhost and 127.0.0.1 are different sites.
  idp = await startIdentityProvider({ host: 'localhost' });
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await idp?.[Symbol.asyncDispose]();
});

const stored = async (id: string) =>
  (await stage.call<{ data: IdentityProvider[] }>('/v1/identity-providers')).data.find((each) => each.id === id);
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });
const invalid = (page: Page, label: string) =>
  expect.poll(() => page.getByLabel(label, { exact: true }).getAttribute('aria-invalid')).toBe('true');
/** Chromium ignores a second press at the very same point after the dialog has scrolled. */
const submit = async (form: Locator) => {
  await form.page().mouse.move(0, 0);
  await form.getByRole('button', { name: 'Add provider' }).click();
};
const signInAt = async (page: Page, user: string) => {
  await page.locator('input[name=login]').fill(user);
  await page.locator('input[name=password]').fill('any');
  await page.locator('button[type=submit]').click();
  await page.waitForURL(`${stage.url}/**`);
};

test('[PE182][PE183] an admin adds a provider with the addresses of the form, and a user signs in with it', async () => {
  const page = await enter(stage, 'settings?tab=sign-in', { permissions: ['clipboard-read', 'clipboard-write'] });
  await button(page, 'Add provider').click();
  const form = dialog(page, 'Add provider');
  await form.getByText('Enter a name and an id to see the addresses').waitFor();
  await expectWhole(page);
  await form.getByLabel('Name', { exact: true }).fill('Acme Ltd');
  await form.getByText(`${stage.url}/auth/acme-ltd/callback`).waitFor();
  const copied = async (what: string) => {
    await form.getByRole('button', { name: `Copy the ${what}` }).click();
    await notice(page, `Copied the ${what}.`);
    return page.evaluate(() => navigator.clipboard.readText());
  };
  const redirect = await copied('Redirect URI');
  idp.register({
    ...{ client_id: 'holdpoint', client_secret: 'hush', redirect_uris: [redirect] },
    backchannel_logout_uri: await copied('Back-channel logout URI'),
    post_logout_redirect_uris: [await copied('Post-logout redirect URI')],
  });
  await form.getByLabel('Issuer', { exact: true }).fill(`${idp.issuer} `);
  await button(page, 'Check issuer').click();
  await form.getByRole('status').getByText('The server found the provider and its keys.').waitFor();
  await form.getByLabel('Client ID').fill('holdpoint');
  await form.getByLabel('Client secret').fill('hush');
  await form.getByRole('radio', { name: 'Also new people' }).check();
  await form.getByLabel('Email domains').fill('acme.example');
  await form.getByText('Roles and groups').click();
  await form.getByLabel('Role claim').fill('roles');
  await form.getByLabel('Roles', { exact: true }).fill('cn=audit = auditor\nboss = admin');
  await form.getByLabel('Group claim').fill('groups');
  await form.getByLabel('Create groups').check();
  await form.getByText('MCP clients', { exact: true }).click();
  await form.getByLabel('Access tokens of this provider').selectOption('jwt');
  await form.getByLabel('Scopes for MCP clients').fill('openid ask');
  await expectWhole(page);
  await form.getByRole('button', { name: 'Add provider' }).click();
  await notice(page, 'Added Acme Ltd.');
  await row(page, 'Acme Ltd').getByText(redirect).waitFor();
  await row(page, 'Acme Ltd').getByText('Sign-up for acme.example · Roles from roles · Groups from groups').waitFor();
  await expectWhole(page);
  expect(await page.getByText('hush').count()).toBe(0);
  expect(await stored('acme-ltd')).toMatchObject({
    ...{ callbackUrl: redirect, hasSecret: true, signUp: true, createGroups: true },
    roles: { 'cn=audit': 'auditor', boss: 'admin' },
    ...{ mcpTokens: 'jwt', mcpScopes: ['openid', 'ask'] },
  });

  const claims = { email: 'ada@acme.example', email_verified: true, name: 'Ada Rossi', roles: ['boss'] };
  idp.users.set('ada', { ...claims, groups: ['finance'] });
  const other = await stage.visit('/#/inbox', { signedIn: false });
  await other.getByRole('link', { name: 'Continue with Acme Ltd' }).click();
  await signInAt(other, 'ada');
  await other.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
  await other.goto(`${stage.url}/#/settings?tab=sign-in`);
  await row(other, 'Acme Ltd').waitFor();
});

test('[PE186] shows each error at its field, and opens the part of the form that has it', async () => {
  const page = await enter(stage, 'settings?tab=sign-in');
  await button(page, 'Add provider').click();
  const form = dialog(page, 'Add provider');
  await form.getByLabel('Name', { exact: true }).fill('Beta');
  await form.getByLabel('Id', { exact: true }).fill('Beta!');
  await form.getByLabel('Issuer', { exact: true }).fill('http://id.example');
  await button(page, 'Check issuer').click();
  await invalid(page, 'Issuer');
  await form.getByLabel('Issuer', { exact: true }).fill('http://127.0.0.1:9');
  await button(page, 'Check issuer').click();
  await form.getByText('The server could not reach 127.0.0.1:9.').waitFor();
  await form.getByRole('radio', { name: 'Also new people' }).check();
  await form.getByText('Roles and groups').click();
  await form.getByLabel('Role claim').fill('roles');
  await form.getByLabel('Roles', { exact: true }).fill('boss = owner');
  await form.getByText('Roles and groups').click();
  expect(await form.getByLabel('Role claim').isVisible()).toBe(false);
  await form.getByText('More settings').click();
  await form.getByLabel('Scopes').fill('"quoted"');
  await form.getByText('More settings').click();
  await submit(form);
  await form.getByText('This has characters that are not allowed here.').first().waitFor();
  for (const label of ['Id', 'Client ID', 'Roles', 'Scopes (optional)']) await invalid(page, label);
  await form.getByLabel('Roles', { exact: true }).waitFor();
  await form.getByLabel('Scopes').waitFor();
  await expectWhole(page);
  await form.getByLabel('Id', { exact: true }).fill('beta');
  await form.getByLabel('Client ID').fill('holdpoint');
  await form.getByLabel('Roles', { exact: true }).fill('boss = admin');
  await form.getByLabel('Scopes').fill('groups');
  await submit(form);
  await invalid(page, 'Email domains');
  await form.getByLabel('Email domains').fill('*');
  await submit(form);
  await notice(page, 'Added Beta.');
  expect(await stored('beta')).toMatchObject({ allowedDomains: ['*'], scopes: ['groups'], hasSecret: false });
});

test('[PE186] edits a provider: an empty secret is kept, and a new issuer needs it again', async () => {
  const provider = { id: 'gamma', name: 'Gamma', issuer: idp.issuer, clientId: 'holdpoint', clientSecret: 'hush' };
  const more = { contact: 'it@gamma.example', signUp: true, allowedDomains: ['gamma.example'], clientAuth: 'post' };
  await stage.call('/v1/identity-providers', { ...provider, ...more });
  const page = await enter(stage, 'settings?tab=sign-in');
  await button(page, 'Edit Gamma').click();
  const form = dialog(page, 'Edit Gamma');
  expect(await form.getByLabel('New client secret').inputValue()).toBe('');
  await form.getByText(`${stage.url}/auth/gamma/callback`).waitFor();
  expect(await form.getByLabel('Id', { exact: true }).count()).toBe(0);
  await form.getByLabel('Name', { exact: true }).fill('Gamma AG');
  await form.getByRole('radio', { name: 'People you invited' }).check();
  await button(page, 'Save provider').click();
  await notice(page, 'Saved Gamma AG.');
  const changed = await stored('gamma');
  expect(changed).toMatchObject({ hasSecret: true, contact: 'it@gamma.example', clientAuth: 'post' });
  expect(changed).not.toHaveProperty('allowedDomains');
  await button(page, 'Edit Gamma AG').click();
  await dialog(page, 'Edit Gamma AG').getByLabel('Issuer', { exact: true }).fill('https://id.gamma.example');
  await button(page, 'Save provider').click();
  await invalid(page, 'New client secret (optional)');
  await expectWhole(page);
  await page.getByLabel('New client secret').fill('rotated');
  await button(page, 'Save provider').click();
  await notice(page, 'Saved Gamma AG.');
  await expect.poll(() => stored('gamma')).toMatchObject({ issuer: 'https://id.gamma.example', hasSecret: true });
  await button(page, 'Edit Gamma AG').click();
  await page.getByText('More settings').click();
  await page.getByLabel('Remove the stored secret').check();
  await button(page, 'Save provider').click();
  await row(page, 'Gamma AG').getByText('without a secret').waitFor();
  expect(await stored('gamma')).toMatchObject({ hasSecret: false });
});

test('[PE184] removes a provider after naming the people who cannot sign in any more', async () => {
  const base = `${stage.url}/auth/delta`;
  idp.register({ client_id: 'delta', client_secret: 'hush', redirect_uris: [`${base}/callback`] });
  const settings = { issuer: idp.issuer, clientId: 'delta', clientSecret: 'hush' };
  const name = (word: string) => ({ id: word.toLowerCase(), name: word });
  await stage.call('/v1/identity-providers', { ...name('Delta'), ...settings, signUp: true, allowedDomains: ['*'] });
  idp.users.set('dora', { email: 'dora@delta.example', email_verified: true, name: 'Dora Klein' });
  const other = await stage.visit('/auth/delta/start', { signedIn: false });
  await signInAt(other, 'dora');
  const page = await enter(stage, 'settings?tab=sign-in');
  // Another provider with the same issuer still knows their accounts.
  await button(page, 'Remove Delta').click();
  await dialog(page, 'Remove Delta?').getByText('Nobody loses their only way to sign in.').waitFor();
  await button(page, 'Cancel').click();
  for (const { id, issuer } of (await stage.call<{ data: IdentityProvider[] }>('/v1/identity-providers')).data)
    if (issuer === idp.issuer && id !== 'delta') await stage.call(`/v1/identity-providers/${id}`, undefined, 'DELETE');
  await page.reload();
  await button(page, 'Remove Delta').click();
  await dialog(page, 'Remove Delta?').getByText('Dora Klein').waitFor();
  await dialog(page, 'Remove Delta?').getByText('Open sessions continue').waitFor();
  await expectWhole(page);
  await button(page, 'Remove provider').click();
  await notice(page, 'Removed Delta.');
  expect(await stored('delta')).toBeUndefined();
  await other.reload();
  await other.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
});

test('[PE185] a provider of the configuration is shown with its source, and has no buttons that change it', async () => {
  const page = await enter(stage, 'settings?tab=sign-in');
  const office = row(page, 'Head office');
  await office.getByText('Server configuration').waitFor();
  await office.getByText('HOLDPOINT_OIDC').waitFor();
  await office.getByText(`${stage.url}/auth/env/callback`).waitFor();
  expect(await office.getByRole('button').allInnerTexts()).toEqual(['Check', '', '', '']);
  await button(page, 'Check Head office').click();
  await office.getByText('The server could not reach 127.0.0.1:9.').waitFor();
  await expectWhole(page);
});

test('[PE182] auditors see providers and change nothing, and members see none', async () => {
  const invite = (role: string) => stage.call<InvitedPerson>('/v1/people', { name: role, roles: [role] });
  const auditor = await enter(stage, 'settings?tab=sign-in', { as: (await invite('auditor')).id });
  await row(auditor, 'Head office').getByText(`${stage.url}/auth/env/callback`).waitFor();
  const names = ['Add provider', /^Check/, /^Edit/, /^Remove/];
  for (const name of names) expect(await auditor.getByRole('button', { name }).count()).toBe(0);
  await expectWhole(auditor);
  const member = await enter(stage, 'settings?tab=sign-in', { as: (await invite('member')).id });
  await member.getByRole('heading', { level: 1, name: 'Profile' }).waitFor();
  expect(await member.getByText('Head office').count()).toBe(0);
});

test('[PE183] a note says so if the page was opened at another address than people return to', async () => {
  const through = stage.url.replace('127.0.0.1', 'localhost');
  const page = await enter(stage, 'settings?tab=sign-in', { through, viewport: { width: 320, height: 640 } });
  await page.getByText(`Providers return people to ${stage.url}, but you opened this page at ${through}.`).waitFor();
  await expectNarrow(page);
  await button(page, 'Add provider').click();
  await dialog(page, 'Add provider').getByText('Start the server with --public-url').waitFor();
  await expectNarrow(page);
  await expectWhole(page);
});
