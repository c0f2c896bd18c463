/** A conversation in a page: pending requests above the composer, and no loss without a network. */
import type { Interaction, Page as Listing, Message } from '@holdpoint/protocol';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { scenesOn } from './scenes.ts';
import { expectAccessible, stageOfThisFile } from './stage.ts';

const stage = stageOfThisFile();

async function openChat(options: BrowserContextOptions & { element?: string } = {}) {
  const thread = await stage.newThread();
  const { element = 'holdpoint-chat', ...rest } = options;
  const open = async () => {
    const token = await stage.tokenFor({ threadId: thread });
    return stage.open(`<${element} thread="${thread}" token="${token}"></${element}>`, rest);
  };
  return { thread, open };
}

const composer = (page: Page) => page.getByRole('textbox', { name: 'Write a message' });
const say = (thread: string, body: object) => stage.call<Message>(`/v1/threads/${thread}/messages`, body);
const hasFocus = (page: Page, name: string) =>
  page.getByRole('textbox', { name }).evaluate((it) => it.matches(':focus'));
const stored = (id: string) => stage.call<Interaction>(`/v1/interactions/${id}`);

test('[WI11] requests stack by urgency, fold without answering, and are answered in any order', async () => {
  const { thread, open } = await openChat({ element: 'holdpoint-requests' });
  const later = await stage.ask(thread, { title: 'Later', options: ['x', 'y'] });
  const deadline = { at: new Date(Date.now() + 3_600_000).toISOString(), outcome: 'expire' as const };
  const soon = await stage.ask(thread, { title: 'Soon', options: ['a', 'b'], deadline });
  const page = await open();
  await page.getByText('Pending requests (2)').waitFor();
  expect(await page.getByRole('listitem').allInnerTexts()).toEqual([
    expect.stringContaining('Soon'),
    expect.stringContaining('Later'),
  ]);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Soon' }).click();
  await page.getByRole('button', { name: 'a', exact: true }).waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Pending requests (2)' }).click();
  await page.getByRole('button', { name: 'x', exact: true }).waitFor({ state: 'hidden' });
  expect((await stored(soon.id)).status).toBe('pending');
  await page.getByRole('button', { name: 'Pending requests (2)' }).click();
  await page.getByRole('button', { name: 'y', exact: true }).click();
  await page.getByText('Pending requests (1)').waitFor();
  expect(await stored(later.id)).toMatchObject({ status: 'answered', answer: { values: { choice: 'y' } } });
  expect((await stored(soon.id)).status).toBe('pending');
});

test('[WI12] a request that comes is announced, and never takes the focus from what is being written', async () => {
  const { thread, open } = await openChat();
  const page = await open();
  await composer(page).click();
  await page.keyboard.type('I was just');
  const { id } = await stage.ask(thread, { title: 'One question', options: ['a', 'b'] });
  await page.getByRole('status').getByText('New request: One question').waitFor();
  await page.getByRole('button', { name: 'a', exact: true }).waitFor();
  expect(await hasFocus(page, 'Write a message')).toBe(true);
  await page.keyboard.type(' writing');
  expect(await composer(page).inputValue()).toBe('I was just writing');
  await stage.call(`/v1/interactions/${id}/answers`, { values: { choice: 'a' } });
  await page.getByRole('button', { name: 'a', exact: true }).waitFor({ state: 'detached' });
  expect(await hasFocus(page, 'Write a message')).toBe(true);
});

test('[WI13] input survives a reload, except secrets', async () => {
  const { thread, open } = await openChat();
  await stage.ask(thread, {
    title: 'Details',
    fields: [
      { type: 'text', name: 'name', label: 'Full name' },
      { type: 'password', name: 'pin', label: 'Pin' },
    ],
  });
  const page = await open();
  await page.getByLabel('Full name').fill('Ann Lee');
  await page.getByLabel('Pin').fill('1234');
  await page.reload();
  await expect.poll(() => page.getByLabel('Full name').inputValue()).toBe('Ann Lee');
  expect(await page.getByLabel('Pin').inputValue()).toBe('');
});

test('[WI13] input follows the person to another device', async () => {
  const { thread, open } = await openChat();
  await stage.ask(thread, { title: 'Details', fields: [{ type: 'text', name: 'name', label: 'Full name' }] });
  const phone = await open();
  const saved = phone.waitForResponse((reply) => reply.url().endsWith('/draft') && reply.request().method() === 'POST');
  await phone.getByLabel('Full name').fill('Ann Lee');
  await saved;
  const desk = await open();
  await expect.poll(() => desk.getByLabel('Full name').inputValue()).toBe('Ann Lee');
});

test('[WI64] a card, link or image with nothing to show leaves no box, and no message of its own', async () => {
  const { thread, open } = await openChat();
  const nothing = [
    { type: 'card', payload: {} },
    { type: 'card', payload: { title: 7, image: { url: 'x:y' }, actions: [{ label: 'Nowhere', url: 'x:y' }] } },
    { type: 'link', payload: { label: 'Nowhere', url: 'no address' } },
    { type: 'image', payload: { alt: 'Nothing' } },
  ];
  await say(thread, { blocks: nothing });
  await say(thread, { blocks: [...nothing, { type: 'message', payload: { text: 'Something' } }] });
  const page = await open();
  await page.getByText('Something').waitFor();
  expect(await page.locator('.message:visible').count()).toBe(1);
  expect(await page.locator('.block-card, .message img, .message a').count()).toBe(0);
  expect(await page.getByText('Nowhere').count()).toBe(0);
});

test('[WI14] messages are written, streamed and shown with their blocks', async () => {
  const { thread, open } = await openChat();
  await say(thread, {
    blocks: [
      { type: 'message', payload: { text: 'Look at **this**', format: 'markdown' } },
      { type: 'link', payload: { label: 'The plan', url: 'https://example.com/plan' } },
      { type: 'link', payload: { label: 'A trap', url: 'javascript:alert(1)' } },
      {
        type: 'card',
        payload: { title: 'Offer', text: 'Half price', actions: [{ label: 'More', url: 'https://example.com/more' }] },
      },
      { type: 'hologram', payload: { text: 'unseen' } },
    ],
  });
  const page = await open();
  await page.getByText('this', { exact: true }).waitFor();
  expect(await page.getByRole('link').allTextContents()).toEqual(['The plan', 'More']);
  expect(await page.getByText('unseen').count()).toBe(0);
  await composer(page).fill('Thanks');
  await page.keyboard.press('Enter');
  await page.getByRole('log').getByText('Thanks').waitFor();
  expect(await hasFocus(page, 'Write a message')).toBe(true);
  const { id } = await say(thread, { streaming: true });
  for (const text of ['Work', 'ing on ', 'it']) await stage.call(`/v1/messages/${id}/append`, { text });
  await page.getByRole('log').getByText('Working on it').waitFor();
  expect(await page.getByRole('log').getAttribute('aria-busy')).toBe('true');
  await stage.call(`/v1/messages/${id}/complete`, { text: 'Done.' });
  await page.getByRole('log').getByText('Done.').waitFor();
  await expect.poll(() => page.getByRole('log').getAttribute('aria-busy')).toBe('false');
  await expectAccessible(page);
});

test('[WI15] the widget follows a server again after it was away, without loss and without duplicates', async () => {
  const { thread, open } = await openChat();
  const page = await open();
  await say(thread, { text: 'before' });
  await page.getByRole('log').getByText('before').waitFor();
  await stage.restart();
  await say(thread, { text: 'after' });
  await stage.ask(thread, { title: 'Still there?', options: ['Yes', 'No'] });
  await page.getByRole('log').getByText('after').waitFor();
  await page.getByRole('button', { name: 'Yes', exact: true }).click();
  await page.getByRole('button', { name: 'Yes', exact: true }).waitFor({ state: 'detached' });
  expect(await page.getByRole('article').count()).toBe(2);
});

test('[WI16] a message that could not be sent returns to the composer, and is posted once', async () => {
  const { thread, open } = await openChat();
  const page = await open();
  await page.route('**/messages', (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
  await composer(page).fill('Hello');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').waitFor();
  expect(await composer(page).inputValue()).toBe('Hello');
  await page.unroute('**/messages');
  await composer(page).press('Enter');
  await page.getByRole('log').getByText('Hello').waitFor();
  const { data } = await stage.call<Listing<Message>>(`/v1/threads/${thread}/messages`);
  expect(data).toHaveLength(1);
});

test('[WI17] a request that one tab answers disappears from the other', async () => {
  const { thread, open } = await openChat();
  await stage.ask(thread, { title: 'Which?', options: ['left', 'right'] });
  const [one, two] = [await open(), await open()];
  await two.getByRole('button', { name: 'left' }).waitFor();
  await one.getByRole('button', { name: 'right' }).click();
  await two.getByRole('button', { name: 'left' }).waitFor({ state: 'detached' });
});

test('[WI18] nothing is cut off at 320 pixels, with dark and with forced colours', async () => {
  for (const options of [
    { colorScheme: 'dark' as const, viewport: { width: 320, height: 640 } },
    { forcedColors: 'active' as const, viewport: { width: 320, height: 640 } },
  ]) {
    const { thread, open } = await openChat(options);
    await say(thread, { text: 'x'.repeat(500) });
    await stage.ask(thread, {
      title: 'W'.repeat(200),
      fields: [
        { type: 'rating', name: 'r', label: 'Rating', maxStars: 10 },
        { type: 'date', name: 'd', label: 'Day' },
        { type: 'confirm', name: 'c', label: 'Sure?', confirmLabel: 'Y'.repeat(80), denyLabel: 'N' },
      ],
    });
    const page = await open();
    await page.getByText('Rating').waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    await expectAccessible(page);
  }
});

test('[WI72] a message of an earlier day has its date beside the time', async () => {
  const { say: post, open } = await scenesOn(stage).thread();
  const { at } = await post({ text: 'Hello' });
  const now = new Date();
  const soon = await open({ prepare: (page) => page.clock.setFixedTime(now) });
  const later = await open({ prepare: (page) => page.clock.setFixedTime(new Date(+now + 2 * 86_400_000)) });
  const time = (page: Page) => page.getByRole('article').filter({ hasText: 'Hello' }).locator('time');
  const date = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(at));
  expect(await time(later).innerText()).toContain(date);
  expect(await time(soon).innerText()).toMatch(/^\d{1,2}:\d\d\s[AP]M$/);
});
