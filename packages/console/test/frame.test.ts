/** The frame: addresses, headings, shortcuts, and preferences. */
import type { Person } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import { stageOfThisFile } from '../../widget/test/stage.ts';
import { enter, expectWhole, heading, notice } from './enter.ts';

const stage = stageOfThisFile({ flags: ['--no-demo'] });
const places = ['Overview', 'Inbox', 'Threads', 'Runs', 'Playground', 'Deliveries', 'People', 'Settings'];
/** The first letter of a page opens it, except where another page has it. */
const keyOf = (place: string) => (place === 'People' ? 'e' : place.slice(0, 1).toLowerCase());

test('[CO22] every page has its address, its title and a heading that takes the focus', async () => {
  const page = await enter(stage);
  const nav = page.getByRole('navigation', { name: 'Console' });
  for (const place of [...places.slice(1), 'Overview']) {
    await nav.getByRole('link', { name: place }).click();
    await heading(page, place).waitFor();
    await expect.poll(() => page.title()).toBe(`${place} · Holdpoint`);
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(place);
    expect(await nav.locator('[aria-current="page"]').innerText()).toContain(place);
  }
  await page.goBack();
  await heading(page, 'Settings').waitFor();
});

test('[CO22] reports an unknown address', async () => {
  const page = await enter(stage, 'no-such-page');
  await heading(page, 'Page not found').waitFor();
  await expectWhole(page);
  await page.getByRole('link', { name: 'Go to the start page' }).click();
  await heading(page, 'Overview').waitFor();
});

test('[CO22] reports a page script that fails to load, and requests it again', async () => {
  const page = await enter(stage);
  await page.route('**/console/settings-*.js', (route) => route.abort());
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await page.getByRole('alert').getByText('Could not load this page').waitFor();
  await page.unroute('**/console/settings-*.js');
  await page.getByRole('button', { name: 'Try again' }).click();
  await heading(page, 'Settings').waitFor();
});

test('[CO23] g and a letter open each page, and the help lists them', async () => {
  const page = await enter(stage);
  for (const place of [...places].reverse()) {
    await page.keyboard.press('g');
    await page.keyboard.press(keyOf(place));
    await heading(page, place).waitFor();
  }
  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  for (const place of places) await sheet.getByText(place, { exact: true }).waitFor();
  await expectWhole(page);
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  expect(new URL(page.url()).hash).toBe('#/');
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });
});

test('[CO23] / focuses the search of a page', async () => {
  const page = await enter(stage, 'inbox');
  await page.getByRole('searchbox').first().waitFor();
  await page.keyboard.press('/');
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('search');
});

test('[CO23] shortcuts are off while the user types', async () => {
  const page = await enter(stage, 'settings?tab=you');
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('');
  await name.pressSequentially('gs?/mia');
  expect(await name.inputValue()).toBe('gs?/mia');
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(new URL(page.url()).hash).toBe('#/settings?tab=you');
});

test('[CO24] the browser keeps the theme, and the profile has the name of the user', async () => {
  const page = await enter(stage, 'settings?tab=you', { colorScheme: 'light' });
  await page.getByRole('radio', { name: 'Dark' }).check();
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const dark = 'rgb(16, 18, 23)';
  await expect.poll(background).toBe(dark);
  await page.getByRole('textbox', { name: 'Name' }).fill(' Mia Berg ');
  await page.getByLabel('Language').selectOption('de');
  await page.getByLabel('Time zone').selectOption('Europe/Rome');
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Save' }).click();
  await notice(page, 'Profile saved.');
  await page.getByRole('link', { name: /Mia Berg Admin/ }).waitFor();
  await page.reload();
  await expect.poll(background).toBe(dark);
  await expect.poll(() => page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Mia Berg');
  const person = await stage.call<Person>(`/v1/people/${await stage.admin()}`);
  expect(person).toMatchObject({ name: 'Mia Berg', locale: 'de', timeZone: 'Europe/Rome' });
});

test('[CO22] the navigation shows the number of pending requests', async () => {
  await stage.ask(await stage.newThread(), { title: 'Deploy?', kind: 'approval' });
  const page = await enter(stage);
  await page.getByRole('navigation').getByText('1 pending').waitFor();
});
