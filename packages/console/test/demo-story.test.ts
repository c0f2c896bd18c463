/** The demo as a new user sees it: from the first page to the summary, using only what is visible. */
import type { Interaction, Page as PageOf, Run, Thread } from '@holdpoint/protocol';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { stageOfThisFile } from '../../widget/test/stage.ts';
import { enter, expectWhole, heading } from './enter.ts';
import { expectNarrow } from './open-console.ts';

const stage = stageOfThisFile();
/** The agent works slowly so that people can watch. */
const storyMs = 400_000;
const patience = { timeout: 90_000 };

const bar = (page: Page) => page.getByRole('region', { name: 'Demo' });
const state = (page: Page, words: string | RegExp) => bar(page).getByRole('status').getByText(words).waitFor();
/** The process id, once the agent runs. */
const processOf = async (page: Page): Promise<string | undefined> => {
  const words = bar(page)
    .getByRole('status')
    .getByText(/process \d+$/);
  return /\d+$/.exec(await words.innerText())?.[0];
};
const said = (page: Page, words: string | RegExp) => page.getByRole('log').getByText(words).first().waitFor();
const press = async (page: Page, name: string) => {
  // A button that scrolls under a resting pointer accepts no press, so the pointer moves first.
  await page.mouse.move(0, 0);
  await page.getByRole('button', { name, exact: true }).click();
};

async function begin(): Promise<Page> {
  const page = await enter(stage);
  page.setDefaultTimeout(patience.timeout);
  await page.getByRole('button', { name: /Start the demo|Start demo/ }).click();
  await heading(page, 'Demo: release').waitFor();
  return page;
}

async function draw(page: Page): Promise<void> {
  const place = page.getByRole('img', { name: 'Sign here' });
  await place.scrollIntoViewIfNeeded();
  const box = await place.boundingBox();
  if (!box) throw new Error('there is nothing to sign on');
  await page.mouse.move(box.x + 30, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + 20, { steps: 8 });
  await page.mouse.up();
  await page.getByRole('button', { name: 'Clear' }).waitFor();
}

test(
  '[DM1][DM2][DM3][DM5] runs the whole story in the page, while the agent is killed and the server restarts',
  async () => {
    const page = await begin();
    await state(page, /Agent starting…|Agent running/);
    await state(page, /Agent running as process \d+/);

    // A form whose fields depend on other fields.
    await page.getByText('What should be released?').first().waitFor();
    await page.getByRole('img', { name: /The steps of a release/ }).waitFor();
    expect(await page.getByLabel('Change ticket').count()).toBe(0);
    await page.getByRole('radio', { name: 'Production' }).check();
    await page.getByLabel('Change ticket').fill('OPS-7');
    await expectWhole(page);
    await press(page, 'Continue');

    // An approval with an edited argument. The server restarts meanwhile.
    await page.getByLabel('Strategy').selectOption('canary');
    await page.getByLabel('Percent per step').fill('50');
    await expectWhole(page);
    const first = await processOf(page);
    await stage.restart();
    await expect.poll(() => processOf(page), patience).not.toBe(first);
    expect(await page.getByLabel('Strategy').inputValue()).toBe('canary');
    await press(page, 'Roll out');

    // Killed while working, with the button that the message names.
    await said(page, 'with the button above');
    await said(page, /Frankfurt: 0%/);
    const killed = await processOf(page);
    await press(page, 'Kill agent');
    await state(page, 'Agent killed. It restarts automatically.');
    await expectWhole(page);
    const next = await processOf(page);
    await said(page, new RegExp(`You killed me: process ${killed} began \\w+, and process ${next} finished it\\.`));

    await page.getByText('Draw with a mouse or a finger.').waitFor();
    await draw(page);
    await page.getByRole('radio', { name: '2 of 5' }).check();
    await page.getByLabel('What should be better?').waitFor();
    await page.getByRole('radio', { name: '5 of 5' }).check();
    expect(await page.getByLabel('What should be better?').count()).toBe(0);
    await expectWhole(page);
    await press(page, 'Sign');

    // Two people must agree. The second has only a link.
    await press(page, 'Announce now');
    const link = page.getByRole('link', { name: 'Answer as Sam' });
    await link.waitFor();
    await expectWhole(page);
    const { pathname, hash } = new URL((await link.getAttribute('href')) ?? '');
    const sam = await stage.visit(pathname + hash);
    await press(sam, 'Announce now');
    await heading(sam, 'Thank you').waitFor();

    await said(page, '2.4.0 is on production');
    for (const words of [
      'Approved by Console, with changes: canary, 50% per step',
      'Rolled out to Frankfurt, Ohio, Singapore',
      'Killed once meanwhile, and nothing was lost',
      'Signed by Console, 5 of 5 stars',
      'Announced to all customers, as Console and sam decided',
    ])
      await said(page, words);
    const log = page.getByRole('list', { name: 'Events, newest first' });
    await log.getByText('Console answered “Sign off 2.4.0”: signature signature.png, rating 5').waitFor();
    await log.getByText('Hello, I am release-manager, an agent.').waitFor();
    await expectWhole(page);
  },
  storyMs,
);

test('[DM5] starting over cancels the requests; the demo works on a phone and in dark mode', async () => {
  const page = await begin();
  await page.setViewportSize({ width: 320, height: 640 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.getByText('What should be released?').first().waitFor();
  await expectWhole(page);
  await expectNarrow(page);
  const { threadId: first } = await stage.call<{ threadId: string }>('/console/demo');
  await press(page, 'Start over');
  await expect.poll(() => page.url()).not.toContain(first);
  const ofFirst = async (status: string) =>
    (await stage.call<PageOf<Interaction>>(`/v1/interactions?threadId=${first}&status=${status}`)).data.length;
  await expect.poll(() => ofFirst('cancelled')).toBe(1);
  expect(await ofFirst('pending')).toBe(0);
  // The demo cancels the requests first, then the run.
  const runs = async () => (await stage.call<PageOf<Run>>(`/v1/runs?threadId=${first}`)).data;
  await expect.poll(runs).toMatchObject([{ status: 'cancelled', cancelReason: 'The demo was restarted.' }]);
  await page.getByText('What should be released?').first().waitFor();
});

test('[DM5] shows no bar in another thread with the same agent name, or where the demo is off', async () => {
  const other = await stage.call<Thread>('/v1/threads', { title: 'Ours', agent: 'release-manager' });
  const page = await enter(stage, `threads/${other.id}`);
  await page.getByText('opened the thread').waitFor();
  expect(await bar(page).count()).toBe(0);
  const { threadId } = await stage.call<{ threadId: string }>('/console/demo', {});
  const off = await enter(stage, `threads/${threadId}`, {
    prepare: (opened) =>
      opened.route('**/console/demo', (route) => route.fulfill({ json: { isOn: false, state: 'off' } })),
  });
  await off.getByText('opened the thread').waitFor();
  await expect.poll(() => bar(off).count()).toBe(0);
});
