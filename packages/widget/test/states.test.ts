/** axe finds no fault in any state: light, dark, with forced colours, from right to left, and at 320 pixels. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { formOfEverything } from './every-field.ts';
import { approval, button, dueIn, scenesOn } from './scenes.ts';
import { expectAccessible, type PageOptions, stageOfThisFile } from './stage.ts';

const stage = stageOfThisFile();
const scenes = scenesOn(stage);
const never = () => new Promise<never>(() => {});
const isLoaded = (page: Page) => page.getByRole('img', { name: 'Sign here' }).waitFor();

describe('a closed question', () => {
  const question = { title: 'Which?', options: ['a', 'b'] };
  const over: Record<string, [string, (id: string) => Promise<unknown>]> = {
    answered: [
      'This request was answered.',
      (id) => stage.call(`/v1/interactions/${id}/answers`, { values: { choice: 'a' } }),
    ],
    declined: ['This request was declined.', (id) => stage.call(`/v1/interactions/${id}/decline`, {})],
    cancelled: ['This request was cancelled.', (id) => stage.call(`/v1/interactions/${id}/cancel`, {})],
  };
  for (const [how, [words, end]] of Object.entries(over))
    test(`[WI1] [WI6] ${how}`, async () => {
      const { page, id } = await scenes.request(question);
      await button(page, 'a').waitFor();
      await end(id);
      await page.getByText(words).waitFor();
      await expectAccessible(page);
    });

  test('[WI1] [WI6] expired, after a warning', async () => {
    const { page, id } = await scenes.request({ ...question, deadline: dueIn(540_000) });
    await page.locator('.time-left.soon').waitFor();
    await expectAccessible(page);
    await stage.call(`/v1/interactions/${id}`, { deadline: dueIn(2_000) }, 'PATCH');
    await page.locator('.state').getByText('This request has expired.').waitFor();
    await expectAccessible(page);
  });
});

describe('loading', () => {
  const held: PageOptions = { prepare: (page) => page.route('**/v1/**', never) };

  test('[WI1] a question', async () => {
    const { page } = await scenes.request({ title: 'Which?', options: ['a', 'b'] }, held);
    await page.getByText('Loading…').waitFor();
    await expectAccessible(page);
  });

  test('[WI1] an inbox', async () => {
    const { page } = await scenes.inbox([], held);
    await page.getByText('Loading…').waitFor();
    await expectAccessible(page);
  });

  test('[WI1] a conversation', async () => {
    const page = await (await scenes.thread()).open(held);
    await page.getByRole('textbox', { name: 'Write a message' }).waitFor();
    expect(await page.getByRole('log').getAttribute('aria-busy')).toBe('true');
    await expectAccessible(page);
  });
});

test('[WI1] empty elements', async () => {
  const chat = await (await scenes.thread()).open();
  await expect.poll(() => chat.getByRole('log').getAttribute('aria-busy')).toBe('false');
  await expectAccessible(chat);
  const inbox = await scenes.inbox([]);
  await inbox.page.getByText('No pending requests. New ones appear here.').waitFor();
  await expectAccessible(inbox.page);
});

describe('a rejected element says so', () => {
  for (const element of ['chat thread="x"', 'requests thread="x"', 'request interaction="x"', 'inbox'])
    test(`[WI1] ${element}`, async () => {
      const page = await stage.open(`<holdpoint-${element} token="none"></holdpoint-${element.split(' ')[0]}>`);
      await page.getByText('the link has expired').waitFor();
      await expectAccessible(page);
    });
});

const looks: Record<string, PageOptions & { locale?: string }> = {
  light: {},
  dark: { colorScheme: 'dark' },
  'with forced colours in the dark': { forcedColors: 'active', colorScheme: 'dark' },
  'in the dark, from the right, at 320 pixels': {
    ...{ colorScheme: 'dark', lang: 'ar', viewport: { width: 320, height: 640 } },
  },
};
const sideways = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

describe('every field, empty and with errors', () => {
  for (const [look, options] of Object.entries(looks))
    test(`[WI1] [WI18] ${look}`, async () => {
      const { page } = await scenes.request(formOfEverything, options);
      await isLoadedIn(page, options);
      await expectAccessible(page);
      await page.locator('[type=submit]').click();
      await page.getByRole('alert').waitFor();
      expect(await page.getByRole('alert').getByRole('link').count()).toBeGreaterThan(15);
      await expectAccessible(page);
      expect(await sideways(page)).toBe(0);
    });
});

const isLoadedIn = (page: Page, { lang }: PageOptions) =>
  lang === undefined ? isLoaded(page) : page.locator('canvas').waitFor();

describe('a conversation with pending requests, folded and not', () => {
  for (const [look, options] of Object.entries(looks))
    test(`[WI1] [WI18] ${look}`, async () => {
      const { ask, say, open } = await scenes.thread();
      const markdown =
        '# Title\n\n**bold** [link](https://example.com/) `code`\n\n- one\n\n> quote\n\n| a | b |\n|---|---|\n| c | d |';
      await say({ role: 'user', text: 'Hello' });
      await say({
        role: 'agent',
        blocks: [
          { type: 'message', payload: { text: markdown, format: 'markdown' } },
          { type: 'link', payload: { label: 'The plan', url: 'https://example.com/' } },
          {
            type: 'card',
            payload: { title: 'Offer', text: 'Half', actions: [{ label: 'More', url: 'https://example.com/' }] },
          },
        ],
      });
      await say({ role: 'system', text: 'Somebody joined.' });
      const { id } = await say({ streaming: true });
      await stage.call(`/v1/messages/${id}/append`, { text: 'Thinking' });
      await ask({
        ...approval('Deploy?'),
        arguments: { service: 'api', scale: { min: 1, max: 3 } },
        deadline: dueIn(300_000),
      });
      await ask({
        title: 'Which?',
        options: [
          { value: 'a', label: 'Primary', variant: 'primary', recommended: true },
          { value: 'b', label: 'Danger', variant: 'danger', description: 'For good.' },
          'plain',
        ],
        deadline: dueIn(7_200_000),
      });
      await ask({ title: 'Name?', fields: [{ type: 'text', name: 'name' }] });
      const page = await open(options);
      await page.getByText('Thinking').waitFor();
      await page.getByRole('cell', { name: 'd', exact: true }).waitFor();
      await page.getByRole('form', { name: 'Deploy?' }).waitFor();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Deploy?' }).click();
      await page.getByRole('button', { name: 'Which?' }).click();
      await page.getByRole('form', { name: 'Which?' }).waitFor();
      await expectAccessible(page);
      await page.locator('.stack-head').click();
      await page.getByRole('button', { name: 'Deploy?' }).waitFor({ state: 'hidden' });
      await expectAccessible(page);
      expect(await sideways(page)).toBe(0);
    });
});

test('[WI1] [WI18] the stack alone, and closed requests, with dark colours in a light page', async () => {
  const { ask, open } = await scenes.thread('holdpoint-requests');
  const { id } = await ask(approval('Deploy?'));
  const page = await open({ colorScheme: 'dark' });
  await page.getByRole('form', { name: 'Deploy?' }).waitFor();
  await expectAccessible(page);
  await stage.call(`/v1/interactions/${id}/cancel`, {});
  const token = await stage.tokenFor({ interactionId: id });
  const body = `<holdpoint-request interaction="${id}" token="${token}"></holdpoint-request>`;
  const over = await stage.open(body, { colorScheme: 'dark' });
  await over.getByText('This request was cancelled.').waitFor();
  await expectAccessible(over);
});

describe('an inbox with a selection, and its confirmation', () => {
  for (const [look, options] of Object.entries(looks))
    test(`[WI1] [WI18] [WI20] ${look}`, async () => {
      const late = { ...approval('Due soon?'), deadline: dueIn(120_000) };
      const { page } = await scenes.inbox([late, approval('Two?'), { title: 'Which?', options: ['a', 'b'] }], options);
      await page.getByRole('button', { name: 'Two?' }).click();
      await page.getByRole('form', { name: 'Two?' }).waitFor();
      for (const title of ['Due soon?', 'Two?'])
        await page.getByRole('listitem').filter({ hasText: title }).getByRole('checkbox').check();
      await expectAccessible(page);
      await page.locator('.bulk .button').first().click();
      await page.locator('.bulk').getByRole('heading').waitFor();
      await expectAccessible(page);
      expect(await sideways(page)).toBe(0);
      await page.getByRole('searchbox').fill('nothing like it');
      await page.getByRole('listitem').filter({ hasText: 'Which?' }).waitFor({ state: 'detached' });
      await expectAccessible(page);
    });
});
