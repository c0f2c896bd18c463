/** Signing in with a key, from another machine. */
import { expect, test } from 'vitest';
import { stageOfThisFile } from '../../widget/test/stage.ts';
import { enter, expectWhole, heading } from './enter.ts';

// With a public URL, no request counts as local.
const stage = stageOfThisFile({ flags: ['--public-url', 'http://console.example.com', '--no-demo'] });
const keyOfTheTests = 'key-of-the-tests';

test('[CO20] asks for a key, and shows why a key is rejected at its field', async () => {
  const page = await enter(stage, 'settings');
  await heading(page, 'Sign in to Holdpoint').waitFor();
  expect(await page.getByRole('button', { name: 'Continue without a key' }).count()).toBe(0);
  await expectWhole(page);
  const field = page.getByLabel('Admin key');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').getByText('Enter an API key.').waitFor();
  await field.fill('not-a-key');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('Unknown key').waitFor();
  expect(await field.getAttribute('aria-invalid')).toBe('true');
  expect(await field.inputValue()).toBe('not-a-key');
  await expectWhole(page);
  await field.fill(` ${keyOfTheTests} `);
  await page.keyboard.press('Enter');
  await heading(page, 'Settings').waitFor();
  expect(await page.getByText('automatically (local machine)').count()).toBe(0);
});

test('[CO20] rejects the key of an agent with the reason', async () => {
  const { secret } = await stage.call<{ secret: string }>('/v1/keys', { name: 'an agent', role: 'agent' });
  const page = await enter(stage);
  await page.getByLabel('Admin key').fill(secret);
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('This key cannot sign in').waitFor();
});

test('[CO21] asks the user to sign in when the session ends, then returns to the same page', async () => {
  const key = await stage.call<{ id: string; secret: string }>('/v1/keys', { name: 'of a person', role: 'admin' });
  const page = await enter(stage, 'deliveries');
  await page.getByLabel('Admin key').fill(key.secret);
  await page.keyboard.press('Enter');
  await heading(page, 'Deliveries').waitFor();
  await stage.call(`/v1/keys/${key.id}/revoke`, {});
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await heading(page, 'Sign in to Holdpoint').waitFor();
  await page.getByLabel('Admin key').fill(keyOfTheTests);
  await page.keyboard.press('Enter');
  await heading(page, 'Settings').waitFor();
});
