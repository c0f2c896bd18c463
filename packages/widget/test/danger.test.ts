/** A dangerous option asks for confirmation. */
import type { Interaction } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import { button, scenesOn } from './scenes.ts';
import { expectAccessible, stageOfThisFile } from './stage.ts';

const stage = stageOfThisFile();
const scenes = scenesOn(stage);

const dropping = {
  kind: 'approval',
  title: 'Drop the database of 2019?',
  options: [
    { value: 'drop', label: 'Drop it', kind: 'allow_once', variant: 'danger' },
    { value: 'copy', label: 'Copy it first', kind: 'allow_once' },
    { value: 'keep', label: 'Keep it', kind: 'reject_once', variant: 'danger' },
  ],
};

test('[WI70] a dangerous option asks for confirmation, and sends nothing before', async () => {
  const { page, id } = await scenes.request(dropping, { viewport: { width: 320, height: 568 } });
  const dialog = page.getByRole('dialog', { name: 'Confirm “Drop it”?' });
  await button(page, 'Drop it').click();
  await dialog.getByText('Drop the database of 2019?').waitFor();
  await expectAccessible(page);
  await expect.poll(() => button(page, 'Back').evaluate((it) => it.matches(':focus'))).toBe(true);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect((await scenes.stored(id)).status).toBe('pending');
  await expect.poll(() => button(page, 'Drop it').evaluate((it) => it.matches(':focus'))).toBe(true);
  await button(page, 'Drop it').click();
  await button(page, 'Back').click();
  await dialog.waitFor({ state: 'detached' });
  expect((await scenes.stored(id)).status).toBe('pending');
  await button(page, 'Drop it').click();
  await button(page, 'Yes: Drop it').click();
  await page.getByText('This request was answered.').waitFor();
  expect((await scenes.stored(id)).answer?.values).toEqual({ decision: 'drop' });
});

test('[WI70] an option that rejects, or is not dangerous, is sent at once', async () => {
  for (const [label, value] of [
    ['Keep it', 'keep'],
    ['Copy it first', 'copy'],
  ] as const) {
    const { page, id } = await scenes.request(dropping);
    await button(page, label).click();
    await page.getByText('This request was answered.').waitFor();
    expect((await scenes.stored(id)).answer?.values).toEqual({ decision: value });
  }
});

test('[WI70] a question that closes elsewhere closes its confirmation', async () => {
  const { page, id } = await scenes.request(dropping);
  await button(page, 'Drop it').click();
  await page.getByRole('dialog').waitFor();
  await stage.call<Interaction>(`/v1/interactions/${id}/cancel`, {});
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('[WI20][WI70] bulk approval never takes a dangerous option', async () => {
  const only = { ...dropping, options: [dropping.options[0], dropping.options[2]] };
  const { page } = await scenes.inbox([
    only,
    { kind: 'approval', title: 'Restart?' },
    { kind: 'approval', title: 'Scale?' },
  ]);
  await page.getByLabel('Select Restart?').waitFor();
  expect(await page.getByLabel('Select Drop the database of 2019?').count()).toBe(0);
});
