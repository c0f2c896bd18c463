/** The sizes of the scripts that a page fetches. Each page is used before its scripts are counted. */
import type { CreatedApiKey, Interaction } from '@holdpoint/protocol';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { fetchedScripts, sumOf, usualForm } from './fetched-scripts.ts';
import { stageOfThisFile } from './stage.ts';

const stage = stageOfThisFile();
const kb = 1_000;

/** Opens a page, and loads it again while its scripts are counted. */
async function openCounted(tag: (attributes: string) => string, question?: typeof usualForm, scripts?: string) {
  const thread = await stage.newThread();
  const asked = question && (await stage.ask(thread, question));
  const token = await stage.tokenFor({ threadId: thread });
  const options = scripts === undefined ? {} : { scripts };
  const page = await stage.open(tag(`thread="${thread}" token="${token}"`), options);
  const weigh = fetchedScripts(page);
  await page.reload();
  return { page, weigh, asked: asked as Interaction };
}

async function say(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Write a message' }).fill(text);
  await page.keyboard.press('Enter');
  await page.getByRole('log').getByText(text).waitFor();
}

test('[WI39] the loader is at most 2 KB', async () => {
  const tag = (attributes: string) =>
    `<script src="/widget/loader.js" ${attributes.replaceAll(/(thread|token)=/g, 'data-$1=')}></script>`;
  const { page, weigh } = await openCounted(tag, undefined, '');
  await page.getByRole('button', { name: 'Open the conversation' }).click();
  await say(page, 'Hello');
  expect((await weigh())['loader.js']).toBeLessThanOrEqual(2 * kb);
});

test('[WI39] a visitor’s conversation without a question is at most 27 KB, with the loader', async () => {
  const made = await stage.call<CreatedApiKey>('/v1/keys', {
    ...{ name: 'a shop', role: 'public', public: { agent: 'nobody', allowedOrigins: ['*'] } },
  });
  const tag = `<script src="/widget/loader.js" data-public-key="${made.publicKey}" data-open></script>`;
  const { page, weigh } = await openCounted(() => tag, undefined, '');
  await say(page, 'Hello');
  const sizes = await weigh();
  expect(Object.keys(sizes)).toHaveLength(3);
  expect(sumOf(sizes)).toBeLessThanOrEqual(27 * kb);
});

test('[WI39] a conversation without a question is at most 20 KB', async () => {
  const { page, weigh } = await openCounted((attributes) => `<holdpoint-chat ${attributes}></holdpoint-chat>`);
  await say(page, 'Hello');
  const sizes = await weigh();
  expect(sizes['widget.js']).toBeGreaterThan(0);
  expect(sumOf(sizes)).toBeLessThanOrEqual(20 * kb);
});

test('[WI39] a form with text, a choice, a date and a rating is at most 35 KB', async () => {
  const tag = (attributes: string) => `<holdpoint-requests ${attributes}></holdpoint-requests>`;
  const { page, weigh, asked } = await openCounted(tag, usualForm);
  await page.getByLabel('Name').fill('4.2');
  await page.getByLabel('Stage').selectOption('staging');
  await page.getByLabel('Day').fill('2030-12-31');
  await page.getByRole('radio', { name: '3 of 5' }).check();
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByLabel('Name').waitFor({ state: 'detached' });
  const { answer } = await stage.call<Interaction>(`/v1/interactions/${asked.id}`);
  expect(answer?.values).toEqual({ name: '4.2', stage: 'staging', day: '2030-12-31', risk: 3 });
  const sizes = await weigh();
  expect(sizes['widget.js']).toBeGreaterThan(0);
  expect(sumOf(sizes)).toBeLessThanOrEqual(35 * kb);
});
