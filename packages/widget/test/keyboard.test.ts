/** The widget without a mouse. No test of this file uses one. */
import { describe, expect, test } from 'vitest';
import { everyField } from './every-field.ts';
import { focused, hasFocus, press, tabTo } from './keyboard.ts';
import { approval, button, scenesOn } from './scenes.ts';
import { expectAccessible, stageOfThisFile } from './stage.ts';

const stage = stageOfThisFile();
const scenes = scenesOn(stage);

describe('every field', () => {
  for (const [type, { field, answer, value }] of Object.entries(everyField))
    test(`[WI1] ${type}`, async () => {
      const { page, id } = await scenes.request({
        title: 'One thing',
        fields: [{ type, name: 'it', label: 'The thing', required: type !== 'checkbox', ...field }],
      });
      await tabTo(page.locator(`[id="r-${id}-it"]`));
      await expectAccessible(page);
      await answer(page);
      await tabTo(button(page, 'Send'));
      await page.keyboard.press('Enter');
      await page.getByText('This request was answered.').waitFor();
      const kept =
        type === 'password'
          ? await stage.call<{ values: object }>(`/v1/interactions/${id}/secrets`, {})
          : (await scenes.stored(id)).answer;
      expect(kept?.values).toEqual({ it: value });
      await expectAccessible(page);
    });
});

test('[WI1] a choice of one, a choice of several, and an approval with an edit', async () => {
  const one = await scenes.request({ title: 'Style', options: ['Cinematic', 'Minimalist'] });
  await tabTo(button(one.page, 'Minimalist'));
  await press(one.page, 'Enter');
  await one.page.getByText('This request was answered.').waitFor();
  expect((await scenes.stored(one.id)).answer?.values).toEqual({ choice: 'Minimalist' });

  const several = await scenes.request({
    ...{ title: 'Days', options: ['Mo', 'Tu', 'We', 'Th'], minSelections: 2, maxSelections: 3 },
  });
  await tabTo(several.page.getByRole('checkbox', { name: 'Mo' }));
  await press(several.page, 'Space');
  await tabTo(button(several.page, 'Send'));
  await press(several.page, 'Enter');
  await several.page.getByRole('alert').getByText('at least 2').waitFor();
  await tabTo(several.page.getByRole('checkbox', { name: 'We' }));
  await press(several.page, 'Space');
  await tabTo(button(several.page, 'Send'));
  await press(several.page, 'Enter');
  await several.page.getByText('This request was answered.').waitFor();
  expect((await scenes.stored(several.id)).answer?.values).toEqual({ choice: ['Mo', 'We'] });

  const edited = await scenes.request({
    ...approval('Deploy?'),
    arguments: { service: 'api', replicas: 3 },
    fields: [{ type: 'number', name: 'replicas', label: 'Replicas' }],
  });
  await tabTo(edited.page.getByLabel('Replicas'));
  await press(edited.page, 'ControlOrMeta+a');
  await edited.page.keyboard.type('5');
  await tabTo(button(edited.page, 'Allow'));
  await press(edited.page, 'Enter');
  await edited.page.getByText('This request was answered.').waitFor();
  expect((await scenes.stored(edited.id)).answer?.values).toEqual({ decision: 'allow', replicas: 5 });
});

test('[WI5] [WI22] declining takes the focus, returns it after "Back", and sends the reason', async () => {
  const { page, id } = await scenes.request({ title: 'Name?', fields: [{ type: 'text', name: 'name' }] });
  const reason = page.getByLabel('Reason (optional)');
  await tabTo(button(page, 'Decline'));
  await press(page, 'Enter');
  await expect.poll(() => hasFocus(reason)).toBe(true);
  await press(page, 'Escape');
  await expect.poll(() => hasFocus(button(page, 'Decline'))).toBe(true);
  await press(page, 'Enter');
  await expect.poll(() => hasFocus(reason)).toBe(true);
  await tabTo(button(page, 'Back'));
  await press(page, 'Enter');
  await expect.poll(() => hasFocus(button(page, 'Decline'))).toBe(true);
  // A separate key press, because a double Enter would only go back.
  await press(page, 'Tab', 'Shift+Tab', 'Enter');
  await expect.poll(() => hasFocus(reason)).toBe(true);
  await page.keyboard.type('Not mine.');
  await tabTo(button(page, 'Decline request'));
  await press(page, 'Enter');
  await page.getByText('This request was declined.').waitFor();
  expect((await scenes.stored(id)).answer).toMatchObject({ reason: 'Not mine.' });
  await expect.poll(() => focused(page)).toContain('This request was declined.');
});

test('[WI2] a line of the error summary leads to its field', async () => {
  const fields = ['text', 'radio', 'rating', 'file_upload', 'signature'].map((type) => ({
    ...{ type, name: type, label: `A ${type}`, required: true },
    ...(type === 'radio' ? { options: ['a', 'b'] } : {}),
  }));
  const { page, id } = await scenes.request({ title: 'Details', fields });
  await page.getByRole('img', { name: 'Sign here' }).waitFor();
  await tabTo(button(page, 'Send'));
  for (const { type, label } of fields) {
    await tabTo(button(page, 'Send'));
    await press(page, 'Enter');
    await expect.poll(() => hasFocus(page.getByRole('alert'))).toBe(true);
    await tabTo(page.getByRole('link', { name: label }));
    await press(page, 'Enter');
    await expect.poll(() => hasFocus(page.locator(`[id="r-${id}-${type}"]`))).toBe(true);
  }
});

test('[WI7] [WI22] an answer that could not be sent is sent again', async () => {
  const { page, id } = await scenes.request({ title: 'Who?', fields: [{ type: 'text', name: 'name', label: 'Name' }] });
  await tabTo(page.getByLabel('Name'));
  await page.keyboard.type('Ann');
  await page.route('**/answers', (route) => route.abort());
  await press(page, 'Enter');
  await expect.poll(() => hasFocus(page.getByRole('alert'))).toBe(true);
  await page.unroute('**/answers');
  await tabTo(button(page, 'Send'));
  await press(page, 'Enter');
  await expect.poll(() => focused(page)).toContain('This request was answered.');
  expect((await scenes.stored(id)).answer?.values).toEqual({ name: 'Ann' });
});

test('[WI11] [WI22] the stack folds, unfolds and is answered to the end, and the focus stays with the answered request', async () => {
  const { ask, open } = await scenes.thread();
  const [first, second] = [
    await ask({ title: 'First', options: ['a', 'b'] }),
    await ask({ title: 'Second', options: ['c', 'd'] }),
  ];
  const page = await open();
  const head = button(page, 'Pending requests (2)');
  await tabTo(head);
  await press(page, 'Space');
  await button(page, 'First').waitFor({ state: 'hidden' });
  await press(page, 'Enter');
  await tabTo(button(page, 'First'));
  await press(page, 'Enter');
  await button(page, 'a').waitFor({ state: 'hidden' });
  expect((await scenes.stored(first.id)).status).toBe('pending');
  await press(page, 'Space');
  await tabTo(button(page, 'b'));
  await press(page, 'Enter');
  await expect.poll(() => focused(page)).toMatch(/\bb\s+You/);
  await tabTo(button(page, 'd'));
  await press(page, 'Enter');
  await expect.poll(() => focused(page)).toMatch(/\bd\s+You/);
  await tabTo(page.getByRole('textbox', { name: 'Write a message' }));
  await page.getByText('Pending requests').waitFor({ state: 'hidden' });
  expect((await scenes.stored(second.id)).answer?.values).toEqual({ choice: 'd' });
});

test('[WI20] [WI22] a bulk approval, and "Back" returns the focus to where it was', async () => {
  const { page, asked } = await scenes.inbox([approval('One?'), approval('Two?'), approval('Three?')]);
  for (const title of ['One?', 'Three?']) {
    await tabTo(page.getByRole('checkbox', { name: `Select ${title}` }));
    await press(page, 'Space');
  }
  const together = button(page, 'Approve selected (2)…');
  await tabTo(together, 'Shift+Tab');
  await press(page, 'Enter');
  await expect.poll(() => hasFocus(page.getByRole('heading', { name: 'Approve these 2 requests?' }))).toBe(true);
  await press(page, 'Escape');
  await expect.poll(() => hasFocus(together)).toBe(true);
  await press(page, 'Enter');
  await tabTo(button(page, 'Back'));
  await press(page, 'Enter');
  await expect.poll(() => hasFocus(together)).toBe(true);
  await press(page, 'Tab', 'Shift+Tab', 'Enter');
  await tabTo(button(page, 'Yes, approve'));
  await press(page, 'Enter');
  await page.getByRole('checkbox', { name: 'Select One?' }).waitFor({ state: 'detached' });
  await page.getByRole('checkbox', { name: 'Select Three?' }).waitFor({ state: 'detached' });
  await expect.poll(() => focused(page)).toContain('Two?');
  const statuses = await Promise.all(asked.map(async ({ id }) => (await scenes.stored(id)).status));
  expect(statuses).toEqual(['answered', 'pending', 'answered']);
});

test('[WI22] after a value is removed, the focus is where the next one can be entered', async () => {
  const { page, id } = await scenes.request({
    title: 'Optional',
    fields: [
      { type: 'rating', name: 'stars', label: 'Stars' },
      { type: 'file_upload', name: 'file', label: 'File' },
    ],
  });
  await tabTo(page.getByRole('radio', { name: '1 of 5' }));
  await press(page, 'Space');
  await tabTo(button(page, 'Clear'));
  await press(page, 'Enter');
  await expect.poll(() => focused(page)).toBe('1 of 5');
  const picker = page.locator(`[id="r-${id}-file"]`);
  await tabTo(picker);
  await everyField.file_upload.answer(page);
  await tabTo(button(page, 'Remove note.txt'));
  await press(page, 'Enter');
  await expect.poll(() => hasFocus(picker)).toBe(true);
});

test('[WI21] the launcher opens the conversation, and Escape returns to it', async () => {
  const { thread } = await scenes.thread();
  const token = await stage.tokenFor({ threadId: thread });
  const tag = `<script src="/widget/loader.js" data-thread="${thread}" data-token="${token}"></script>`;
  const page = await stage.open(tag, { scripts: '' });
  const launcher = page.getByRole('button', { name: 'Open the conversation' });
  await tabTo(launcher);
  await press(page, 'Enter');
  await tabTo(page.getByRole('textbox', { name: 'Write a message' }), 'Shift+Tab');
  await page.keyboard.type('Hello');
  await press(page, 'Enter');
  await page.getByRole('log').getByText('Hello').waitFor();
  await press(page, 'Escape');
  await expect.poll(() => hasFocus(launcher)).toBe(true);
});
