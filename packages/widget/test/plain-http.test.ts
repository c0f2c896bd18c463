/** Pages over plain http from another machine: the browser lacks every API that needs a secure context. */
import type { Interaction, Thread } from '@holdpoint/protocol';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { approval, button, scenesOn } from './scenes.ts';
import { stageOfThisFile } from './stage.ts';

const name = 'holdpoint.test';
// Chromium takes the page of a test for one of the internet, because it has no address of its own.
const browserFlags = [
  `--host-resolver-rules=MAP ${name} 127.0.0.1`,
  '--disable-features=BlockInsecurePrivateNetworkRequests,LocalNetworkAccessChecks',
];
const stage = stageOfThisFile({ flags: ['--no-demo'], browserFlags });
const scenes = scenesOn(stage);
const address = () => `http://${name}:${new URL(stage.url).port}`;
const answersOf = async (id: string) => (await scenes.stored(id)).answer?.values;

async function expectInsecure(page: Page): Promise<void> {
  expect(await page.evaluate(() => [isSecureContext, typeof crypto.randomUUID, typeof navigator.clipboard])).toEqual([
    false,
    'undefined',
    'undefined',
  ]);
}

test('[WI62] a person writes and answers in the widget over plain http', async () => {
  const { ask, open } = await scenes.thread();
  const asked = await ask(approval('Deploy?'));
  const who = await ask({ title: 'Who?', fields: [{ type: 'text', name: 'by', label: 'Name' }] });
  const page = await open({ through: address() });
  await expectInsecure(page);
  await button(page, 'Allow').click();
  await expect.poll(() => answersOf(asked.id)).toEqual({ decision: 'allow' });
  await page.getByLabel('Name').fill('Ann Lee');
  await page.keyboard.press('Enter');
  await expect.poll(() => answersOf(who.id)).toEqual({ by: 'Ann Lee' });
  await page.getByRole('textbox', { name: 'Write a message' }).fill('Hello');
  await page.keyboard.press('Enter');
  await page.getByRole('log').getByText('Hello').waitFor();
});

test('[WI62] a person answers by a link over plain http', async () => {
  const { id } = await stage.ask(await stage.newThread(), { title: 'Which colour?', options: ['red', 'blue'] });
  const token = await stage.tokenFor({ interactionId: id });
  const page = await stage.visit(`/a/#${token}`, { through: address() });
  await expectInsecure(page);
  await button(page, 'blue').click();
  await page.getByRole('heading', { level: 1, name: 'Thank you' }).waitFor();
  expect(await answersOf(id)).toEqual({ choice: 'blue' });
});

test('[CO60] a user signs in to the console with a link, answers, approves, copies and opens a thread over plain http', async () => {
  const { id: threadId } = await stage.call<Thread>('/v1/threads', { title: 'Plain' });
  const ask = (title: string) => stage.ask(threadId, { kind: 'approval', title });
  const [one, two] = [await ask('One?'), await ask('Two?')];
  const page = await stage.visit(`/#/inbox/${one.id}`, { through: address(), signedIn: false });
  await expectInsecure(page);
  await page.goto(`${address()}/${await stage.linkFor()}`);
  await page.getByLabel('Your name').fill('Ada Rossi');
  await page.keyboard.press('Enter');
  await button(page, 'Allow').click();
  await expect.poll(() => answersOf(one.id)).toEqual({ decision: 'allow' });
  await page.getByRole('checkbox', { name: 'Select Two?' }).check();
  await button(page, 'Approve 1…').click();
  await button(page, 'Approve request').click();
  await page.getByText('1 approved').waitFor();
  expect(await answersOf(two.id)).toEqual({ decision: 'allow' });
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await button(page, 'Copy link').click();
  await page.locator('.toasts').getByText('Copied the link.').waitFor();
  await page.goto(`${address()}/#/threads`);
  await button(page, 'Create thread').first().click();
  await page.getByLabel('Title').fill('Opened here');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Opened here' }).waitFor();
  const threads = await stage.call<{ data: Thread[] }>('/v1/threads');
  expect(threads.data.map(({ title }) => title)).toContain('Opened here');
  expect((await stage.call<Interaction>(`/v1/interactions/${two.id}`)).answer?.by.name).toBe('Ada Rossi');
});
