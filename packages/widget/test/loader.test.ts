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

test('[WI71] opening moves the focus into the conversation, and the launcher closes it and keeps the focus', async () => {
  const { page } = await openPage('data-label="Help" data-close-label="Close help"');
  await page.getByRole('button', { name: 'Help', exact: true }).press('Enter');
  const composer = page.getByRole('textbox', { name: 'Write a message' });
  await expect.poll(() => composer.evaluate((it) => it.matches(':focus'))).toBe(true);
  const close = page.getByRole('button', { name: 'Close help' });
  await expectAccessible(page);
  await composer.fill('Hello');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  expect(await close.evaluate((it) => it.matches(':focus'))).toBe(true);
  await page.keyboard.press('Enter');
  await composer.waitFor({ state: 'hidden' });
  expect(await page.getByRole('button', { name: 'Help', exact: true }).evaluate((it) => it.matches(':focus'))).toBe(
    true,
  );
});

test('[WI71] on a touch screen the conversation gets the focus, and no keyboard opens', async () => {
  const thread = await stage.newThread();
  const token = await stage.tokenFor({ threadId: thread });
  const tag = `<h1>A shop</h1><script src="/widget/loader.js" data-thread="${thread}" data-token="${token}"></script>`;
  const page = await stage.open(tag, {
    scripts: '',
    isMobile: true,
    hasTouch: true,
    viewport: { width: 320, height: 568 },
  });
  await page.getByRole('button', { name: 'Open the conversation' }).tap();
  await page.getByRole('textbox', { name: 'Write a message' }).waitFor();
  const region = page.getByRole('region', { name: 'Open the conversation' });
  expect(await region.evaluate((it) => it.matches(':focus'))).toBe(true);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Close the conversation' }).tap();
  await region.waitFor({ state: 'hidden' });
});

test('[WI71] a conversation that is open from the start leaves the focus to the page', async () => {
  const { page } = await openPage('data-open');
  await page.getByRole('textbox', { name: 'Write a message' }).waitFor();
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true);
});

test('[WI71] Escape closes only the top layer', async () => {
  const { page, thread } = await openPage();
  await stage.ask(thread, {
    kind: 'approval',
    title: 'Drop it?',
    options: [
      { value: 'drop', label: 'Drop', kind: 'allow_once', variant: 'danger' },
      { value: 'keep', label: 'Keep', kind: 'reject_once' },
    ],
  });
  await page.getByRole('button', { name: 'Open the conversation (1)' }).click();
  await page.getByRole('button', { name: 'Drop', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Skip (not mine to decide)' }).click();
  await page.getByLabel('Reason (optional)').press('Escape');
  await page.getByRole('button', { name: 'Drop', exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Drop', exact: true }).waitFor({ state: 'hidden' });
});

test('[WI21] the launcher counts the pending requests before it is opened', async () => {
  const { page, thread } = await openPage('data-label="Help"');
  await page.getByRole('button', { name: 'Help' }).waitFor();
  await stage.ask(thread, { title: 'A question', options: ['a', 'b'] });
  await page.getByRole('button', { name: 'Help (1)' }).waitFor();
});
