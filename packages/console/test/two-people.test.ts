/** Two users who decide at the same time, and a user who presses twice. */
import type { Interaction } from '@holdpoint/protocol';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, stageOfThisFile } from '../../widget/test/stage.ts';
import { openConsole } from './open-console.ts';

const stage = stageOfThisFile({ flags: ['--no-demo'] });
const delaysMs = [50, 90, 200, 400, 700, 1_000];
const fields = [{ type: 'text', name: 'note', label: 'Note' }] as const;
const ask = async (title: string, more: object = {}) =>
  stage.ask(await stage.newThread(), { kind: 'approval', title, ...more });
const stored = (id: string) => stage.call<Interaction>(`/v1/interactions/${id}`);
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const deny = (id: string, by = 'ben') =>
  stage.call(`/v1/interactions/${id}/answers`, {
    values: { decision: 'deny' },
    responder: { type: 'human', id: by },
  });

test('[CO61] a request that another user closes keeps the entered text, next to the result', async () => {
  const { id } = await ask('Which plan?', { fields });
  const page = await openConsole(stage, `#/inbox/${id}`);
  await page.getByLabel('Note').fill('mind the gap');
  await deny(id);
  const alert = page.locator('.outcome').getByRole('alert');
  for (const words of ['Your answer was not sent.', 'ben chose Deny.'])
    await alert.getByText(words, { exact: true }).waitFor();
  await page.locator('.outcome').getByText('mind the gap').waitFor();
  await expectAccessible(page);
  await button(page, 'Dismiss').click();
  const end = page.getByRole('region', { name: 'Result' });
  await end.getByText('by ben').waitFor();
  await end.getByText('Denied', { exact: true }).waitFor();
  expect(await page.getByText('mind the gap').count()).toBe(0);
});

test('[CO61] shows the user’s own answer as before', async () => {
  const { id } = await ask('Which plan?', { fields });
  const page = await openConsole(stage, `#/inbox/${id}`);
  await page.getByLabel('Note').fill('mind the gap');
  await button(page, 'Allow').click();
  await page.getByRole('region', { name: 'Result' }).getByText('by Console').waitFor();
  expect(await page.locator('.outcome').count()).toBe(0);
});

test('[CO61] [CO44] bulk approval shows the result of requests that another user closed first', async () => {
  const [one, two] = [await ask('Bulk one?'), await ask('Bulk two?')];
  const page = await openConsole(stage, '#/inbox');
  for (const title of ['Bulk one?', 'Bulk two?']) await page.getByRole('checkbox', { name: `Select ${title}` }).check();
  await button(page, 'Approve 2…').click();
  await page.route(`**/${two.id}/answers`, async (route) => {
    await deny(two.id);
    await route.continue();
  });
  await button(page, 'Approve 2 requests').click();
  await page.getByText('1 approved, 1 failed.').waitFor();
  const line = page.getByRole('dialog').getByRole('listitem').filter({ hasText: 'Bulk two?' });
  await line.getByText('Not approved: somebody else answered first.').waitFor();
  for (const words of ['by ben', 'Denied']) await line.getByText(words).waitFor();
  await expectAccessible(page);
  expect((await stored(one.id)).answer?.values).toEqual({ decision: 'allow' });
});

test('[CO62] a double click or a double Enter does not confirm the dialog that its first press opens', async () => {
  const { id } = await ask('Stay?');
  const page = await openConsole(stage, `#/inbox/${id}`);
  const open = button(page, 'Cancel request…');
  // The button moves down when the card above it appears.
  await button(page, 'Allow').waitFor();
  for (const delayMs of delaysMs) {
    await page.mouse.move(0, 0);
    await open.scrollIntoViewIfNeeded();
    const box = await open.boundingBox();
    if (!box) throw new Error('there is nothing to press');
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.click(x, y);
    // Wherever the dialog is, its button comes under the pointer.
    const confirm = page.getByRole('dialog').getByRole('button', { name: 'Cancel request' });
    await confirm.evaluate(async (it) => {
      await Promise.all(
        it
          .closest('dialog')
          ?.getAnimations()
          .map((each) => each.finished) ?? [],
      );
    });
    const at = await confirm.boundingBox();
    if (!at) throw new Error('there is nothing to confirm');
    await confirm.evaluate(
      (it, [dx, dy]) => (it as HTMLElement).style.setProperty('translate', `${dx}px ${dy}px`),
      [x - at.x - at.width / 2, y - at.y - at.height / 2],
    );
    await page.waitForTimeout(delayMs);
    await page.mouse.click(x, y);
    expect(await page.getByRole('dialog').count(), `after ${delayMs} ms`).toBe(1);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await open.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.waitForTimeout(delayMs);
    await page.keyboard.press('Enter');
    expect(await page.getByRole('dialog').count(), `after ${delayMs} ms`).toBe(1);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  expect((await stored(id)).status).toBe('pending');
});

test('[CO61] bulk approval does not report a request as approved that the same person denied in another window', async () => {
  const { id } = await ask('Same person?');
  const page = await openConsole(stage, '#/inbox?text=Same');
  await page.getByRole('checkbox', { name: 'Select Same person?' }).check();
  await button(page, 'Approve 1…').click();
  await deny(id, await stage.admin());
  await button(page, 'Approve request').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Not approved: somebody else answered first.').waitFor();
  expect(await dialog.getByText('Approved', { exact: true }).count()).toBe(0);
});

test('[CO61] bulk approval reports an approval as approved if only its response was lost', async () => {
  const { id } = await ask('Lost response?');
  const page = await openConsole(stage, '#/inbox?text=Lost');
  await page.getByRole('checkbox', { name: 'Select Lost response?' }).check();
  await button(page, 'Approve 1…').click();
  // The client gives up after about 1.5 seconds, and the console sends again.
  const until = Date.now() + 2_000;
  await page.route(`**/${id}/answers`, async (route) => {
    const response = await route.fetch();
    await (Date.now() < until ? route.abort() : route.fulfill({ response }));
  });
  await button(page, 'Approve request').click();
  await page.getByText('1 approved.').waitFor();
});
