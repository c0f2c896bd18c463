/** Two tabs or two devices of one person, and changes by others. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { focused, hasFocus } from './keyboard.ts';
import { button, scenesOn } from './scenes.ts';
import { stageOfThisFile } from './stage.ts';

const stage = stageOfThisFile();
const scenes = scenesOn(stage);
const details = {
  title: 'Details',
  fields: [
    { type: 'text', name: 'name', label: 'Full name', required: true },
    { type: 'password', name: 'pin', label: 'Pin' },
  ],
};
const name = (page: Page) => page.getByLabel('Full name');
const draftIsSaved = (page: Page) =>
  page.waitForResponse((reply) => reply.url().endsWith('/draft') && reply.request().method() === 'POST');

test('[WI17] a request that one tab answers disappears from the other silently, and input there continues', async () => {
  const { ask, open } = await scenes.thread();
  await ask({ title: 'Which?', options: ['left', 'right'] });
  await ask(details);
  const one = await open();
  const two = await open({ sameBrowserAs: one });
  await name(two).click();
  await two.keyboard.type('Ann');
  await button(one, 'right').click();
  await button(two, 'left').waitFor({ state: 'detached' });
  await two.getByText('Pending requests (1)').waitFor();
  expect(await two.getByRole('alert').count()).toBe(0);
  expect(await hasFocus(name(two))).toBe(true);
  await two.keyboard.type(' Lee');
  expect(await name(two).inputValue()).toBe('Ann Lee');
});

test('[WI17] [WI22] a request that is answered elsewhere while a person is in it keeps its place and the focus', async () => {
  const { ask, open } = await scenes.thread();
  const { id } = await ask(details);
  await ask({ title: 'Which?', options: ['left', 'right'] });
  const page = await open();
  await name(page).click();
  await stage.call(`/v1/interactions/${id}/answers`, { values: { name: 'Bob' } });
  await expect.poll(() => focused(page)).toContain('This request was answered.');
  await page.getByText('Closed: Details').first().waitFor();
  await button(page, 'left').focus();
  await page.getByText('Closed: Details').nth(1).waitFor();
});

test('[WI17] a late answer shows that the request was answered, and changes nothing', async () => {
  const { ask, open } = await scenes.thread();
  const { id } = await ask({ title: 'Which?', options: ['left', 'right'] });
  const page = await open();
  // Another responder answers just before.
  await page.route('**/answers', async (route) => {
    await stage.call(`/v1/interactions/${id}/answers`, { values: { choice: 'right' } });
    await route.continue();
  });
  await button(page, 'left').click();
  await page.getByRole('form').waitFor({ state: 'detached' });
  expect((await scenes.stored(id)).answer?.values).toEqual({ choice: 'right' });
});

test('[WI12] [WI22] new and closed requests neither fold nor clear the form in use', async () => {
  const { ask, open } = await scenes.thread('holdpoint-requests');
  const first = await ask({ title: 'First', options: ['a', 'b'] });
  const { id } = await ask(details);
  const page = await open();
  await name(page).click();
  await page.keyboard.type('Ann');
  await page.getByLabel('Pin').fill('1234');
  await name(page).focus();
  await ask({ title: 'Third', options: ['c', 'd'] });
  await page.getByText('Pending requests (3)').waitFor();
  expect(await hasFocus(name(page))).toBe(true);
  await stage.call(`/v1/interactions/${id}`, { title: 'Your details' }, 'PATCH');
  await button(page, 'Your details').waitFor();
  await stage.call(`/v1/interactions/${first.id}/cancel`, {});
  await page.getByText('Pending requests (2)').waitFor();
  expect(await hasFocus(name(page))).toBe(true);
  await page.keyboard.type(' Lee');
  expect(await name(page).inputValue()).toBe('Ann Lee');
  expect(await page.getByLabel('Pin').inputValue()).toBe('1234');
});

test('[WI6] a question that changes keeps the input, also as a single question', async () => {
  const { page, id } = await scenes.request(details);
  await name(page).fill('Ann');
  await page.getByLabel('Pin').fill('1234');
  await stage.call(`/v1/interactions/${id}`, { title: 'Your details' }, 'PATCH');
  await page.getByRole('heading', { name: 'Your details' }).waitFor();
  expect(await name(page).inputValue()).toBe('Ann');
  expect(await page.getByLabel('Pin').inputValue()).toBe('1234');
  const fields = [...details.fields, { type: 'text', name: 'town', label: 'Town' }];
  await stage.call(`/v1/interactions/${id}`, { fields }, 'PATCH');
  await page.getByLabel('Town').fill('Ulm');
  expect(await name(page).inputValue()).toBe('Ann');
});

test('[WI13] the latest input is there after a reload, although an older draft was saved', async () => {
  const { page } = await scenes.request(details);
  const saved = draftIsSaved(page);
  await name(page).fill('Ann');
  await saved;
  // From here on, no call reaches the server.
  await page.route('**/draft', (route) => (route.request().method() === 'POST' ? route.abort() : route.fallback()));
  const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/draft'));
  await name(page).fill('Ann Lee');
  await failed;
  await page.reload();
  await expect.poll(() => name(page).inputValue()).toBe('Ann Lee');
});

test('[WI13] the input of one tab is in the other after a reload, and on another device', async () => {
  const { ask, open } = await scenes.thread();
  await ask(details);
  const one = await open();
  const two = await open({ sameBrowserAs: one });
  await name(two).waitFor();
  const saved = draftIsSaved(one);
  await name(one).fill('Ann');
  await saved;
  await two.reload();
  await expect.poll(() => name(two).inputValue()).toBe('Ann');
  const savedThere = draftIsSaved(two);
  await name(two).fill('Ann Lee');
  await savedThere;
  const phone = await open();
  await expect.poll(() => name(phone).inputValue()).toBe('Ann Lee');
  await one.reload();
  await expect.poll(() => name(one).inputValue()).toBe('Ann Lee');
});

test('[WI13] input without a network is kept, and saved when the network is back', async () => {
  const { page, id } = await scenes.request(details);
  await name(page).waitFor();
  await page.route('**/draft', (route) => route.abort());
  const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/draft'));
  await name(page).fill('Ann');
  await failed;
  await page.unroute('**/draft');
  await page.reload();
  await expect.poll(() => name(page).inputValue()).toBe('Ann');
  const token = await stage.tokenFor({ interactionId: id });
  const other = await stage.open(`<holdpoint-request interaction="${id}" token="${token}"></holdpoint-request>`);
  await expect.poll(() => name(other).inputValue()).toBe('Ann');
});
