/** One script tag in a page. */
import { expect, test } from 'vitest';
import { expectAccessible, stageOfThisFile } from './stage.ts';

const stage = stageOfThisFile();

async function openPage(attributes = '') {
  const thread = await stage.newThread();
  const token = await stage.tokenFor({ threadId: thread });
  const tag = `<h1>A shop</h1><script src="/widget/loader.js" data-thread="${thread}" data-token="${token}" ${attributes}></script>`;
  return { thread, page: await stage.open(tag, { scripts: '' }) };
}

test('[WI21] a launcher opens the conversation, and Escape closes it and returns the focus', async () => {
  const { page } = await openPage();
  const launcher = page.getByRole('button', { name: 'Open the conversation' });
  await expectAccessible(page);
  await launcher.click();
  const composer = page.getByRole('textbox', { name: 'Write a message' });
  await composer.fill('Hello');
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await page.getByRole('log').getByText('Hello').waitFor();
  await page.keyboard.press('Escape');
  await composer.waitFor({ state: 'hidden' });
  expect(await launcher.evaluate((it) => it.matches(':focus'))).toBe(true);
});

test('[WI21] the launcher counts the pending requests before it is opened', async () => {
  const { page, thread } = await openPage('data-label="Help"');
  await page.getByRole('button', { name: 'Help' }).waitFor();
  await stage.ask(thread, { title: 'A question', options: ['a', 'b'] });
  await page.getByRole('button', { name: 'Help (1)' }).waitFor();
});
