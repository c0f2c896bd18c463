/** One question in a page: errors, conditional fields, and changes by others. */
import type { Interaction } from '@holdpoint/protocol';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { pixel } from './every-field.ts';
import { tabTo } from './keyboard.ts';
import { expectAccessible, stageOfThisFile } from './stage.ts';

const stage = stageOfThisFile();

async function show(
  question: object,
  options: Parameters<typeof stage.open>[1] = {},
): Promise<{ page: Page; id: string }> {
  const thread = await stage.newThread();
  const { id } = await stage.ask(thread, question as never);
  const token = await stage.tokenFor({ interactionId: id });
  const page = await stage.open(`<holdpoint-request interaction="${id}" token="${token}"></holdpoint-request>`, {
    timezoneId: 'UTC',
    locale: 'en-US',
    ...options,
  });
  await page.getByRole('form').waitFor();
  return { page, id };
}

const stored = (id: string) => stage.call<Interaction>(`/v1/interactions/${id}`);

test('[WI2] what is wrong is said on top, in the words of the server, and each line leads to its field', async () => {
  const { page } = await show({
    title: 'Details',
    fields: [
      { type: 'text', name: 'name', label: 'Name', required: true },
      { type: 'number', name: 'age', label: 'Age', min: 18 },
      { type: 'radio', name: 'size', label: 'Size', required: true, options: ['small', 'large'] },
    ],
  });
  await page.getByLabel('Age').fill('3');
  await page.getByRole('button', { name: 'Send' }).click();
  const summary = page.getByRole('alert');
  await summary.getByText('There is a problem').waitFor();
  expect(await summary.evaluate((it) => it.matches(':focus'))).toBe(true);
  expect(await summary.getByRole('link').allTextContents()).toEqual([
    'Name: fill this in.',
    'Age: enter 18 or more.',
    'Size: choose an option.',
  ]);
  await expectAccessible(page);
  await summary.getByRole('link', { name: 'Size' }).click();
  expect(await page.getByRole('radio', { name: 'small' }).evaluate((it) => it.matches(':focus'))).toBe(true);
  await page.getByLabel('Name').fill('Ann');
  expect(await summary.getByRole('link').count()).toBe(2);
});

test('[WI3] fields come and go as their conditions say, and what is hidden is not sent', async () => {
  const { page, id } = await show({
    title: 'Where',
    fields: [
      { type: 'select', name: 'env', label: 'Environment', required: true, options: ['staging', 'production'] },
      {
        ...{ type: 'text', name: 'ticket', label: 'Ticket', required: true },
        visibleIf: { all_of: [{ field: 'env', op: 'equals', value: 'production' }] },
      },
    ],
  });
  expect(await page.getByLabel('Ticket').count()).toBe(0);
  await page.getByLabel('Environment').selectOption('production');
  await page.getByLabel('Ticket').fill('CHG-1');
  await page.getByLabel('Environment').selectOption('staging');
  expect(await page.getByLabel('Ticket').count()).toBe(0);
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('This request was answered.').waitFor();
  expect((await stored(id)).answer?.values).toEqual({ env: 'staging' });
});

test('[WI4] a choice is one tap, an approval shows what would be done and takes edits', async () => {
  const choice = await show({
    title: 'Style',
    options: ['Cinematic', 'Minimalist'],
    recommendations: { choice: 'Cinematic' },
  });
  await expectAccessible(choice.page);
  await choice.page.getByRole('button', { name: 'Cinematic' }).click();
  await choice.page.getByText('This request was answered.').waitFor();
  expect((await stored(choice.id)).answer?.values).toEqual({ choice: 'Cinematic' });

  const approval = await show({
    ...{ title: 'Deploy?', kind: 'approval', arguments: { service: 'api', replicas: 3 } },
    fields: [{ type: 'number', name: 'replicas', label: 'Replicas' }],
  });
  await approval.page.getByText('api', { exact: true }).waitFor();
  await approval.page.getByLabel('Replicas').fill('5');
  await expectAccessible(approval.page);
  await approval.page.getByRole('button', { name: 'Allow' }).click();
  await approval.page.getByText('This request was answered.').waitFor();
  expect((await stored(approval.id)).answer?.values).toEqual({ decision: 'allow', replicas: 5 });
});

test('[WI5] declining is separate from answering, takes a reason, and can be undone', async () => {
  const { page, id } = await show({ title: 'Name?', fields: [{ type: 'text', name: 'name', required: true }] });
  await page.getByRole('button', { name: 'Decline' }).click();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Decline' }).click();
  await page.keyboard.type('Not mine.');
  await page.getByRole('button', { name: 'Decline request' }).click();
  await page.getByText('This request was declined.').waitFor();
  expect(await stored(id)).toMatchObject({ closedReason: 'declined', answer: { reason: 'Not mine.' } });
});

test('[WI6] a request that was answered elsewhere disappears, and a changed question is shown again', async () => {
  const { page, id } = await show({ title: 'Which?', options: ['a', 'b'] });
  await stage.call(`/v1/interactions/${id}`, { title: 'Which of them?' }, 'PATCH');
  await page.getByRole('heading', { name: 'Which of them?' }).waitFor();
  await stage.call(`/v1/interactions/${id}/answers`, { values: { choice: 'a' } });
  await page.getByText('This request was answered.').waitFor();
});

test('[WI7] an answer that could not be sent stays, and is sent once later', async () => {
  const { page, id } = await show({
    title: 'Who?',
    fields: [{ type: 'text', name: 'name', label: 'Name', required: true }],
  });
  await page.getByLabel('Name').fill('Ann');
  await page.route('**/answers', (route) => route.abort());
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('alert').getByText('No connection').waitFor();
  expect(await page.getByLabel('Name').inputValue()).toBe('Ann');
  await page.unroute('**/answers');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('This request was answered.').waitFor();
  expect((await stored(id)).votes).toHaveLength(1);
});

test('[WI9] a file is picked, shown, taken back, and answered with what the server made of it', async () => {
  const { page, id } = await show({
    title: 'Send a photo',
    fields: [{ type: 'image_upload', name: 'photo', label: 'Photo', required: true }],
  });
  const picker = page.locator('input[type=file]');
  await picker.setInputFiles({ name: 'one.png', mimeType: 'image/png', buffer: pixel });
  await page.getByRole('button', { name: 'Remove one.png' }).click();
  await page.getByRole('button', { name: 'Remove one.png' }).waitFor({ state: 'detached' });
  await picker.setInputFiles({ name: 'two.png', mimeType: 'image/png', buffer: pixel });
  await page.getByRole('button', { name: 'Remove two.png' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('This request was answered.').waitFor();
  expect((await stored(id)).answer?.values).toMatchObject({
    photo: { name: 'two.png', mime: 'image/png', size: pixel.length },
  });
});

test('[WI10] a signature is typed by the keyboard alone, or drawn, and is a PNG of the size that was asked for', async () => {
  const sign = async (how: (page: Page) => Promise<void>) => {
    const { page, id } = await show({
      title: 'Sign',
      fields: [
        { type: 'signature', name: 'sig', label: 'Signature', required: true, canvasWidth: 300, canvasHeight: 100 },
      ],
    });
    await expectAccessible(page);
    await how(page);
    await page.getByRole('button', { name: 'Clear' }).waitFor();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('This request was answered.').waitFor();
    const signature = (await stored(id)).answer?.values.sig as { file_id: string } | undefined;
    expect(await stage.call(`/v1/files/${signature?.file_id}`)).toMatchObject({
      mime: 'image/png',
      width: 300,
      height: 100,
    });
  };
  await sign(async (page) => {
    await tabTo(page.getByRole('radio', { name: 'Draw' }));
    await page.keyboard.press('ArrowRight');
    await tabTo(page.getByRole('textbox', { name: 'Type your name' }));
    await page.keyboard.type('Ann Lee');
    await expectAccessible(page);
  });
  await sign(async (page) => {
    const box = await page.getByRole('img', { name: 'Sign here' }).boundingBox();
    if (!box) throw new Error('there is nothing to sign on');
    await page.mouse.move(box.x + 20, box.y + 50);
    await page.mouse.down();
    await page.mouse.move(box.x + 150, box.y + 20, { steps: 8 });
    await page.mouse.up();
  });
});
