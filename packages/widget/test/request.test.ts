/** One question in a page: every field by the keyboard alone, what is wrong, and what happens elsewhere meanwhile. */
import type { Interaction } from '@holdpoint/protocol';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { everyField } from './every-field.ts';
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

describe('every field is answered by the keyboard alone', () => {
  for (const [type, { field, answer, value }] of Object.entries(everyField))
    test(`[WI1] ${type}`, async () => {
      const { page, id } = await show({
        title: 'One thing',
        fields: [{ type, name: 'it', label: 'The thing', required: type !== 'checkbox', ...field }],
      });
      await expectAccessible(page);
      await page.keyboard.press('Tab');
      await answer(page);
      const send = page.getByRole('button', { name: 'Send' });
      for (let tabs = 0; tabs < 12 && !(await send.evaluate((it) => it.matches(':focus'))); tabs++)
        await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.getByText('This was answered.').waitFor();
      const { answer: answered } = await stored(id);
      if (type === 'password') {
        const { values } = await stage.call<{ values: object }>(`/v1/interactions/${id}/secrets`, {});
        expect(values).toEqual({ it: value });
      } else expect(answered?.values).toEqual({ it: value });
      await expectAccessible(page);
    });
});

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
  await page.getByText('This was answered.').waitFor();
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
  await choice.page.getByText('This was answered.').waitFor();
  expect((await stored(choice.id)).answer?.values).toEqual({ choice: 'Cinematic' });

  const approval = await show({
    ...{ title: 'Deploy?', kind: 'approval', arguments: { service: 'api', replicas: 3 } },
    fields: [{ type: 'number', name: 'replicas', label: 'Replicas' }],
  });
  await approval.page.getByText('api', { exact: true }).waitFor();
  await approval.page.getByLabel('Replicas').fill('5');
  await expectAccessible(approval.page);
  await approval.page.getByRole('button', { name: 'Allow' }).click();
  await approval.page.getByText('This was answered.').waitFor();
  expect((await stored(approval.id)).answer?.values).toEqual({ decision: 'allow', replicas: 5 });
});

test('[WI5] declining is apart from answering, may say why, and can be left', async () => {
  const { page, id } = await show({ title: 'Name?', fields: [{ type: 'text', name: 'name', required: true }] });
  await page.getByRole('button', { name: 'Decline' }).click();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Decline' }).click();
  await page.keyboard.type('Not mine.');
  await page.getByRole('button', { name: 'Decline this request' }).click();
  await page.getByText('This was declined.').waitFor();
  expect(await stored(id)).toMatchObject({ closedReason: 'declined', answer: { reason: 'Not mine.' } });
});

test('[WI6] what was answered elsewhere goes away quietly, and a question that changes is shown anew', async () => {
  const { page, id } = await show({ title: 'Which?', options: ['a', 'b'] });
  await stage.call(`/v1/interactions/${id}`, { title: 'Which of them?' }, 'PATCH');
  await page.getByRole('heading', { name: 'Which of them?' }).waitFor();
  await stage.call(`/v1/interactions/${id}/answers`, { values: { choice: 'a' } });
  await page.getByText('This was answered.').waitFor();
});

test('[WI7] what could not be sent stays, and is sent once when it can be', async () => {
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
  await page.getByText('This was answered.').waitFor();
  expect((await stored(id)).votes).toHaveLength(1);
});

test('[WI8] hostile content is shown as the text it is', async () => {
  const script = '<script>document.title="taken"</script><img src=x onerror="document.title=\'taken\'">';
  const { page } = await show({
    title: `Title ${script}`,
    body: `${script}\n\n[click](javascript:document.title='taken') ${'x'.repeat(10_000)}\n\n**bold** &lt;b&gt;`,
    fields: [
      {
        ...{ type: 'multi_select', name: 'many', label: script, description: script },
        options: Array.from({ length: 500 }, (_, index) => ({ value: `v${index}`, label: `${script} ${index}` })),
      },
    ],
  });
  await page.getByText('bold', { exact: true }).waitFor();
  expect(await page.title()).toBe('A page');
  expect(await page.locator('a[href^="javascript"]').count()).toBe(0);
  expect(await page.getByRole('checkbox').count()).toBe(500);
  await page.getByRole('searchbox', { name: 'Filter options' }).fill('499');
  expect(await page.getByRole('checkbox').count()).toBe(1);
  const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(width).toBeLessThanOrEqual(0);
});

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

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
  await page.getByText('This was answered.').waitFor();
  expect((await stored(id)).answer?.values).toMatchObject({
    photo: { name: 'two.png', mime: 'image/png', size: pixel.length },
  });
});

test('[WI9] what the server refuses of a file is said beside it, and does not stand in the way', async () => {
  const { page } = await show({
    title: 'Send a photo',
    fields: [{ type: 'image_upload', name: 'photo', label: 'Photo', maxSizeMb: 1 }],
  });
  const picker = page.locator('input[type=file]');
  await picker.setInputFiles({
    name: 'page.png',
    mimeType: 'image/png',
    buffer: Buffer.from('<html><script></script></html>'),
  });
  await page.getByRole('alert').waitFor();
  await page.getByRole('button', { name: 'Remove page.png' }).click();
  await picker.setInputFiles({ name: 'big.png', mimeType: 'image/png', buffer: Buffer.alloc(1_100_000) });
  await page.getByRole('alert').getByText('larger than 1 MB').waitFor();
  await page.getByRole('button', { name: 'Remove big.png' }).click();
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('This was answered.').waitFor();
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
    await page.getByText('This was answered.').waitFor();
    const signature = (await stored(id)).answer?.values.sig as { file_id: string } | undefined;
    expect(await stage.call(`/v1/files/${signature?.file_id}`)).toMatchObject({
      mime: 'image/png',
      width: 300,
      height: 100,
    });
  };
  await sign(async (page) => {
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Tab');
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
