/** Questions for several people: the views of those who have answered, and of the others. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { focused, hasFocus } from './keyboard.ts';
import { approval, button, scenesOn } from './scenes.ts';
import { expectAccessible, stageOfThisFile } from './stage.ts';

const stage = stageOfThisFile();
const scenes = scenesOn(stage);
const both = { resolution: { mode: 'quorum', count: 2 } };
const all = { resolution: { mode: 'unanimous', count: 2 } };
const colour = { title: 'Which colour?', options: ['red', 'blue'], ...both };
const counted = (page: Page) => page.getByText('Your answer is recorded. Waiting for others to answer');
const vote = (id: string, responderId: string, values: object) =>
  stage.call(`/v1/interactions/${id}/answers`, { values, responder: { type: 'human', id: responderId } });

test('[WI46] [WI22] a responder sees that their answer is recorded and their option, also after a reload', async () => {
  const { page, id } = await scenes.request(colour);
  await button(page, 'red').focus();
  await page.keyboard.press('Enter');
  await counted(page).waitFor();
  expect(await hasFocus(page.getByRole('status'))).toBe(true);
  await expectAccessible(page);
  await page.reload();
  await counted(page).waitFor();
  await page.getByRole('heading', { name: 'Which colour?' }).waitFor();
  expect(await page.locator('holdpoint-request strong').innerText()).toBe('red');
  expect(await page.getByRole('button').count()).toBe(0);
  expect((await scenes.stored(id)).status).toBe('pending');
  await vote(id, 'ben', { choice: 'red' });
  await page.getByText('This request was answered.').waitFor();
});

test('[WI46] a declined vote and a fetched token are also recognized', async () => {
  const { page, id } = await scenes.request(colour);
  await button(page, 'Decline').click();
  await button(page, 'Decline request').click();
  await counted(page).waitFor();
  const token = await stage.tokenFor({ interactionId: id });
  const later = await stage.open('');
  await later.evaluate(
    ([interaction, fetched]) => {
      const element = document.createElement('holdpoint-request');
      element.setAttribute('interaction', interaction as string);
      Object.assign(element, { getToken: async () => fetched });
      document.querySelector('main')?.append(element);
    },
    [id, token],
  );
  await counted(later).waitFor();
  expect(await later.getByRole('button').count()).toBe(0);
});

test('[WI46] votes of others keep the form and its input', async () => {
  const { page, id } = await scenes.request({
    title: 'Details',
    fields: [
      { type: 'text', name: 'name', label: 'Full name', required: true },
      { type: 'password', name: 'pin', label: 'Pin' },
    ],
    resolution: { mode: 'quorum', count: 3 },
  });
  await page.getByLabel('Pin').fill('1234');
  await page.getByLabel('Full name').click();
  await page.keyboard.type('Ann');
  const heard = page.waitForResponse((reply) => reply.url().endsWith(`/v1/interactions/${id}`));
  await vote(id, 'ben', { name: 'Ben' });
  await (await heard).finished();
  await page.keyboard.type(' Lee');
  expect(await page.getByLabel('Full name').inputValue()).toBe('Ann Lee');
  // No draft has it, so only a form that was not rebuilt still has it.
  expect(await page.getByLabel('Pin').inputValue()).toBe('1234');
  await button(page, 'Send').click();
  await counted(page).waitFor();
  expect((await scenes.stored(id)).votes.map(({ by }) => by.id)).toEqual(['ben', 'ann']);
});

test('[WI46] in a stack the vote is shown in its place, and the other requests can be answered', async () => {
  const { ask, open } = await scenes.thread('holdpoint-requests');
  const first = await ask(colour);
  await ask({ title: 'Which size?', options: ['small', 'large'] });
  const page = await open();
  await button(page, 'blue').click();
  await counted(page).waitFor();
  await expectAccessible(page);
  await page.reload();
  await counted(page).waitFor();
  await button(page, 'large').click();
  await page.getByText('Pending requests (1)').waitFor();
  await counted(page).waitFor();
  await vote(first.id, 'ben', { choice: 'blue' });
  await counted(page).waitFor({ state: 'detached' });
});

test('[WI46] [WI20] in an inbox the vote is shown in its line, and cannot be selected', async () => {
  const responder = { type: 'human', assignees: ['ida', 'ben'] };
  const thread = await stage.newThread();
  for (const title of ['Deploy?', 'Restart?', 'Rotate?'])
    await stage.ask(thread, { ...approval(title), responder, ...all } as never);
  const { token } = await stage.call<{ token: string }>('/v1/responder-tokens', { responderId: 'ida', inbox: true });
  const page = await stage.open(`<holdpoint-inbox token="${token}"></holdpoint-inbox>`);
  await page.getByRole('button', { name: 'Deploy?' }).click();
  await button(page, 'Allow').click();
  await counted(page).waitFor();
  await page.getByRole('button', { name: 'Deploy?' }).click();
  await page.getByRole('checkbox', { name: 'Select all approvals (2)' }).check();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Approve selected (2)' }).click();
  await button(page, 'Yes, approve').click();
  const line = (title: string) => page.getByRole('button', { name: `${title} Your answer is recorded.` });
  for (const title of ['Deploy?', 'Restart?', 'Rotate?']) await line(title).waitFor();
  expect(await page.getByRole('checkbox').count()).toBe(0);
  expect(await page.getByRole('alert').count()).toBe(0);
  await page.reload();
  await line('Restart?').click();
  await page.getByRole('heading', { name: 'Restart?' }).waitFor();
  expect(await page.locator('holdpoint-inbox strong').innerText()).toBe('Allow');
});

test('[WI46] the text about a vote is in the language of the page', async () => {
  const { page } = await scenes.request(colour, { lang: 'de' });
  await button(page, 'red').click();
  await page.getByText('Ihre Antwort ist eingegangen. Es fehlen noch').waitFor();
  await expect.poll(() => focused(page)).toContain('Ihre Antwort ist eingegangen.');
});
