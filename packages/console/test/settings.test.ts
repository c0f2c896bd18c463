/** Settings: create, change and revoke keys, webhooks and grants. */
import type { ApiKey, Grant, Webhook } from '@holdpoint/protocol';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { stageOfThisFile } from '../../widget/test/stage.ts';
import { enter, expectWhole, notice } from './enter.ts';

const stage = stageOfThisFile({ flags: ['--no-demo', '--allow-private-webhooks'] });
const all = async <T>(path: string) => (await stage.call<{ data: T[] }>(path)).data;
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });

test('[CO27] creates a key with its role and shows it once', async () => {
  const page = await enter(stage, 'settings', { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.getByText('No API keys yet').waitFor();
  await expectWhole(page);
  await page.getByRole('button', { name: 'Create API key' }).click();
  const form = dialog(page, 'Create API key');
  await page.keyboard.press('Enter');
  await expect.poll(() => form.getByLabel('Name').getAttribute('aria-invalid')).toBe('true');
  await expectWhole(page);
  await form.getByLabel('Name').fill('billing-agent');
  await form.getByRole('radio', { name: 'Admin' }).check();
  await form.getByRole('button', { name: 'Create key' }).click();
  const shown = dialog(page, 'API key created');
  const secret = await shown.locator('.secret code').innerText();
  await expectWhole(page);
  const reply = await fetch(`${stage.url}/v1/keys`, { headers: { authorization: `Bearer ${secret}` } });
  expect(reply.status).toBe(200);
  await shown.getByRole('button', { name: 'Copy the key' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
  await shown.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('row', { name: 'billing-agent' }).getByText('admin').waitFor();
  expect(await page.getByText(secret).count()).toBe(0);
});

test('[PE177] a key shows who created it', async () => {
  await stage.call('/v1/keys', { name: 'made-by-a-key', role: 'agent' });
  const page = await enter(stage, 'settings');
  await page.getByRole('button', { name: 'Create API key' }).click();
  await page.getByLabel('Name').fill('made-by-a-person');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  const created = (name: string) =>
    page
      .getByRole('row', { name: new RegExp(`^${name}`) })
      .getByRole('cell')
      .nth(2);
  await expect.poll(() => created('made-by-a-person').innerText()).toBe('just now by Console (signed in with a link)');
  await expect.poll(() => created('made-by-a-key').innerText()).toBe('just now by admin');
  await expectWhole(page);
});

test('[CO27] revokes a key only after a confirmation', async () => {
  const made = await stage.call<ApiKey>('/v1/keys', { name: 'old-agent', role: 'agent' });
  const isRevoked = async () => (await all<ApiKey>('/v1/keys')).find(({ id }) => id === made.id)?.revokedAt;
  const page = await enter(stage, 'settings');
  const revoke = page.getByRole('button', { name: 'Revoke old-agent' });
  await revoke.click();
  await expectWhole(page);
  await dialog(page, 'Revoke old-agent?').getByRole('button', { name: 'Cancel' }).click();
  expect(await isRevoked()).toBeUndefined();
  await expect.poll(() => revoke.evaluate((button) => button === document.activeElement)).toBe(true);
  await revoke.click();
  await page.getByRole('button', { name: 'Revoke key' }).click();
  await notice(page, 'Revoked old-agent.');
  expect(await isRevoked()).toBeDefined();
  await revoke.waitFor({ state: 'detached' });
  await page.getByLabel('Show revoked').check();
  await page.getByRole('row', { name: 'old-agent' }).getByText('Revoked').waitFor();
});

test('[CO27] shows a rejection by the server at its field', async () => {
  const page = await enter(stage, 'settings');
  await page.getByRole('button', { name: 'Create API key' }).click();
  await page.route('**/v1/keys', (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
  await page.getByLabel('Name').fill('x');
  await page.getByRole('button', { name: 'Create key' }).click();
  await dialog(page, 'Create API key').getByRole('alert').getByText('cannot be reached').waitFor();
  expect(await page.getByLabel('Name').inputValue()).toBe('x');
});

test('[CO27] creates a public key with an agent and origins, and changes them', async () => {
  const page = await enter(stage, 'settings?tab=public');
  await page.getByText('No public keys').waitFor();
  await page.getByRole('button', { name: 'Create public key' }).click();
  await page.getByLabel('Name').fill('acme.com');
  await page.getByLabel('Agent').fill('assistant');
  await page.getByLabel('Origins').fill('acme');
  await page.getByRole('button', { name: 'Create key' }).click();
  await expect.poll(() => page.getByLabel('Origins').getAttribute('aria-invalid')).toBe('true');
  await expectWhole(page);
  await page.getByLabel('Origins').fill('https://acme.com\nhttps://*.acme.com');
  await page.getByRole('button', { name: 'Create key' }).click();
  await notice(page, 'Created acme.com.');
  const made = (await all<ApiKey>('/v1/keys')).find(({ role }) => role === 'public');
  expect(made?.public?.allowedOrigins).toEqual(['https://acme.com', 'https://*.acme.com']);
  await page.getByText(made?.publicKey ?? '').waitFor();
  await expectWhole(page);
  await page.getByRole('button', { name: 'Edit acme.com' }).click();
  await page.getByLabel('Enabled').uncheck();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Disabled').waitFor();
  await page.getByRole('button', { name: 'Revoke acme.com' }).click();
  await page.getByRole('button', { name: 'Revoke key' }).click();
  await page.getByText('No public keys').waitFor();
});

const storedWebhook = async () => (await all<Webhook>('/v1/webhooks'))[0];

test('[CO28] creates a webhook and shows its secret once', async () => {
  const page = await enter(stage, 'settings?tab=webhooks');
  await page.getByText('No webhooks yet').waitFor();
  await page.getByRole('button', { name: 'Create webhook' }).click();
  await page.getByLabel('URL').fill('not an address');
  await dialog(page, 'Create webhook').getByRole('button', { name: 'Create webhook' }).click();
  await expect.poll(() => page.getByLabel('URL').getAttribute('aria-invalid')).toBe('true');
  await page.getByLabel('URL').fill('http://127.0.0.1:9/hook');
  await page.getByRole('radio', { name: 'Selected events' }).check();
  await page.getByText('More settings').click();
  await page.getByLabel('Headers').fill('X-Team: billing');
  await expectWhole(page);
  await dialog(page, 'Create webhook').getByRole('button', { name: 'Create webhook' }).click();
  expect(await dialog(page, 'Webhook created').locator('.secret code').innerText()).toMatch(/^whsec_/);
  await page.getByRole('button', { name: 'Done' }).click();
  expect(await storedWebhook()).toMatchObject({
    events: ['interaction.created', 'interaction.answered'],
    headerNames: [expect.stringMatching(/x-team/i)],
  });
  await page.getByRole('link', { name: 'http://127.0.0.1:9/hook' }).waitFor();
  expect(await page.getByText('whsec_').count()).toBe(0);
});

test('[CO28] edits and tests a webhook, and rotates its secret', async () => {
  const page = await enter(stage, 'settings?tab=webhooks');
  await page.getByRole('button', { name: 'Edit: ' }).click();
  await page.getByLabel('Description').fill('The pager');
  await page.getByRole('radio', { name: 'All events, including' }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The pager').waitFor();
  expect((await storedWebhook())?.events).toBeUndefined();
  await page.getByRole('button', { name: 'Test: ' }).click();
  await notice(page, /The test failed/);
  await page.getByRole('button', { name: 'Rotate secret: ' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
  expect(await dialog(page, 'Secret rotated').locator('.secret code').innerText()).toMatch(/^whsec_/);
  await expectWhole(page);
  await page.getByRole('button', { name: 'Done' }).click();
});

test('[CO28] disables, enables and deletes a webhook', async () => {
  const page = await enter(stage, 'settings?tab=webhooks');
  await page.getByRole('button', { name: 'Disable: ' }).click();
  await page.getByRole('button', { name: 'Disable webhook' }).click();
  await page.getByText('by a user').waitFor();
  expect((await storedWebhook())?.status).toBe('disabled');
  await expectWhole(page);
  await page.getByRole('button', { name: 'Enable: ' }).click();
  await page.getByRole('radio', { name: 'From now on' }).check();
  await page.getByRole('button', { name: 'Enable webhook' }).click();
  await notice(page, 'Webhook enabled.');
  expect((await storedWebhook())?.status).toBe('enabled');
  await page.getByRole('button', { name: 'Delete: ' }).click();
  await page.getByRole('button', { name: 'Delete webhook' }).click();
  await page.getByText('No webhooks yet').waitFor();
  expect(await all('/v1/webhooks')).toEqual([]);
});

test('[CO28][G20] lists grants with their coverage, and revokes one after a confirmation', async () => {
  const page = await enter(stage, 'settings?tab=grants');
  await page.getByText('No grants').waitFor();
  await expectWhole(page);
  const { id } = await stage.ask(await stage.newThread(), {
    title: 'Deploy?',
    kind: 'approval',
    arguments: { env: 'live', version: '4.2' },
    grant: { key: 'deploy:api', scope: 'org', variable: ['version'] },
    options: [
      { value: 'always', label: 'Always', kind: 'allow_always' },
      { value: 'no', label: 'No', kind: 'reject_once' },
    ],
  });
  const responder = { type: 'human', id: 'mia' };
  await stage.call(`/v1/interactions/${id}/answers`, { responder, values: { decision: 'always' } });
  await page.reload();
  const row = page.getByRole('row', { name: 'deploy:api' });
  await row.getByText('mia').waitFor();
  for (const covered of ['“Deploy?”', 'env = "live"', 'version = any value', 'requested by admin'])
    await row.getByText(covered).waitFor();
  await expectWhole(page);
  await page.getByRole('button', { name: 'Revoke deploy:api' }).click();
  await page.getByRole('button', { name: 'Revoke grant' }).click();
  await notice(page, 'Grant revoked.');
  expect((await all<Grant>('/v1/grants'))[0]?.revokedAt).toBeDefined();
});

test('[CO22] the tabs of the settings have addresses, and arrows move between them', async () => {
  const page = await enter(stage, 'settings');
  await page.getByRole('tab', { name: 'API keys' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => new URL(page.url()).hash).toBe('#/settings?tab=webhooks');
  await page.keyboard.press('End');
  await page.getByRole('tabpanel', { name: 'You' }).waitFor();
});
