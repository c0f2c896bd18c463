/** Signing in with a link: the first admin, the page without a link, and links that no longer work. */

import { signInRefusals } from '@holdpoint/protocol';

import { expect, test } from 'vitest';
import { stageOfThisFile } from '../../widget/test/stage.ts';
import { enter, expectWhole, heading } from './enter.ts';

const stage = stageOfThisFile({ flags: ['--no-demo'] });
const out = { signedIn: false };

test('[CO20] without a link, the page says how to get one', async () => {
  const page = await enter(stage, 'settings', out);
  await heading(page, 'Sign in to Holdpoint').waitFor();
  expect(await page.title()).toBe('Sign in to Holdpoint · Holdpoint');
  await page.getByText('holdpoint open').waitFor();
  await page.getByText('Ask an admin for a link').waitFor();
  await expectWhole(page);
});

test('[CO20][CO65] the first link asks for a name, makes the first admin, and leads to the wanted page', async () => {
  const page = await enter(stage, 'deliveries', out);
  await heading(page, 'Sign in to Holdpoint').waitFor();
  const link = await stage.linkFor();
  await page.goto(`${stage.url}/${link}`);
  await heading(page, 'Welcome to Holdpoint').waitFor();
  const field = page.getByLabel('Your name');
  await expect.poll(() => field.evaluate((it) => it === document.activeElement)).toBe(true);
  await expectWhole(page);
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('Enter your name.').waitFor();
  expect(await field.getAttribute('aria-invalid')).toBe('true');
  await expect.poll(() => field.evaluate((it) => it === document.activeElement)).toBe(true);
  await expectWhole(page);
  await field.fill(' Ada Rossi ');
  await page.keyboard.press('Enter');
  await heading(page, 'Deliveries').waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Deliveries');
  expect(page.url()).toBe(`${stage.url}/#/deliveries`);
  await page.getByRole('link', { name: 'Ada Rossi Admin' }).waitFor();
  const [cookie] = await page.context().cookies();
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });

  // A second user of the link.
  const second = await enter(stage, link.slice('#/'.length), out);
  await heading(second, 'This link no longer works').waitFor();
  await second.getByText('Each sign-in link works once.').waitFor();
  await expectWhole(second);
  // The user who opens the used link again stays signed in.
  await page.goto(`${stage.url}/${link}`);
  await heading(page, 'This link no longer works').waitFor();
  await page.getByRole('link', { name: 'Continue as Ada Rossi' }).click();
  await heading(page, 'Overview').waitFor();
});

test('[CO20] a link that nobody created does not sign in', async () => {
  const page = await enter(stage, 'sign-in/WyJkZWZhdWx0IiwibmV2ZXIiXQ', out);
  await heading(page, 'This link no longer works').waitFor();
  expect(await page.context().cookies()).toEqual([]);
});

test('[CO20] a user who signs out stays signed out until the next sign-in', async () => {
  const page = await enter(stage, 'settings?tab=you');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await heading(page, 'Sign in to Holdpoint').waitFor();
  expect(await page.context().cookies()).toEqual([]);
  expect(await page.getByText('Your session has ended').count()).toBe(0);
  await page.reload();
  await heading(page, 'Sign in to Holdpoint').waitFor();
  await expectWhole(page);
});

test('[CO66] shows a button for each identity provider, and says why a sign-in with one failed', async () => {
  const providers = [
    { id: 'acme', name: 'Acme' },
    { id: 'other', name: 'Other' },
  ];
  const prepare = (page: Awaited<ReturnType<typeof enter>>) =>
    page.route('**/console/sign-in', (route) => route.fulfill({ json: { providers } }));
  const page = await enter(stage, 'threads', { ...out, prepare });
  const start = page.getByRole('link', { name: 'Continue with Acme' });
  expect(await start.getAttribute('href')).toBe('/auth/acme/start?to=%23%2Fthreads');
  await page.getByRole('link', { name: 'Continue with Other' }).waitFor();
  await expectWhole(page);
  await page.goto(`${stage.url}/#/sign-in?error=not-invited`);
  await page.getByRole('alert').getByText(signInRefusals['not-invited']).waitFor();
  expect(await start.getAttribute('href')).toBe('/auth/acme/start?to=%23%2Fthreads');
  await expectWhole(page);
  await page.goto(`${stage.url}/#/sign-in?error=something-new`);
  await page.getByRole('alert').getByText('The sign-in failed.').waitFor();
});
