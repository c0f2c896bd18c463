/** Signing in automatically on the server's machine, and signing out. */
import { expect, test } from 'vitest';
import { stageOfThisFile } from '../../widget/test/stage.ts';
import { enter, expectWhole, heading } from './enter.ts';

const stage = stageOfThisFile({ flags: ['--no-demo'] });

test('[CO20] signs in automatically on the machine of the server, and says why', async () => {
  const page = await enter(stage);
  await heading(page, 'Overview').waitFor();
  await page.getByText('Signed in automatically (local machine)').waitFor();
  const [cookie] = await page.context().cookies();
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
});

test('[CO20] a user who signs out stays signed out until the next sign-in', async () => {
  const page = await enter(stage, 'settings?tab=you');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await heading(page, 'Sign in to Holdpoint').waitFor();
  expect(await page.title()).toBe('Sign in · Holdpoint');
  expect(await page.context().cookies()).toEqual([]);
  await page.reload();
  await heading(page, 'Sign in to Holdpoint').waitFor();
  await expectWhole(page);
  await page.getByRole('button', { name: 'Continue without a key' }).click();
  await heading(page, 'Settings').waitFor();
});
