/** A person sees every character of what they decide about. */
import { expect, test } from 'vitest';
import { button, scenesOn } from './scenes.ts';
import { expectAccessible, stageOfThisFile } from './stage.ts';

const stage = stageOfThisFile();
const scenes = scenesOn(stage);
/** Would read as `invoice exe.png` if the browser obeyed the hidden character. */
const turned = 'invoice \u202egnp.exe';
const seen = 'invoice U+202Egnp.exe';

/** Finds no hidden character in the shadow root, except in editable controls. */
async function expectNothingHidden(page: import('playwright-core').Page, element: string): Promise<void> {
  const left = await page.locator(element).evaluate((host) => host.shadowRoot?.textContent ?? '');
  expect(left).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f\u3164\u00ad]/);
}

test('[WI48] hidden characters have names in every part of a question, and its answer keeps them', async () => {
  const { page, id } = await scenes.request({
    ...{ title: turned, kind: 'approval', body: `**${turned}** and \`a\u200bb\`\n\n- ${turned}` },
    arguments: { 'host\u200b': 'pay\u200bpal.com', nested: { path: [turned, 'b'] }, note: 'a\u202eb' },
    content: [{ type: 'card', payload: { title: turned, text: turned } }],
    options: [
      { value: 'yes', label: 'Allow\u3164', description: turned, kind: 'allow_once', variant: 'primary' },
      { value: 'no', label: 'Deny', kind: 'reject_once' },
    ],
    fields: [
      { type: 'heading', text: turned },
      { type: 'text', name: 'note', label: `Note \u2066` },
      { type: 'select', name: 'pick', label: 'Pick', options: [{ value: 'x', label: turned }] },
      { type: 'confirm', name: 'sure', label: 'Sure', confirmLabel: turned },
    ],
  });
  await page.getByRole('heading', { level: 2, name: seen }).waitFor();
  await page.getByRole('button', { name: 'AllowU+3164' }).waitFor();
  await page.getByText('payU+200Bpal.com').waitFor();
  await page.locator('strong', { hasText: seen }).waitFor();
  await page.locator('code', { hasText: 'aU+200Bb' }).waitFor();
  expect(await page.getByLabel('Pick').locator('option').last().innerText()).toBe('invoice [U+202E]gnp.exe');
  // An editable value keeps its characters. They are named under its control.
  const note = page.getByRole('textbox', { name: 'Note U+2066' });
  expect(await note.inputValue()).toBe('a\u202eb');
  await page.locator('p.hint', { hasText: 'aU+202Eb' }).waitFor();
  expect(await page.locator('.segment').first().innerText()).toBe(seen);
  await expectNothingHidden(page, 'holdpoint-request');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'AllowU+3164' }).click();
  await page.getByText('This request was answered.').waitFor();
  expect((await scenes.stored(id)).answer?.values).toMatchObject({ decision: 'yes', note: 'a\u202eb' });
});

test('[WI48] ordinary text of any script has no box, and keeps its direction', async () => {
  const persian = 'می‌خواهم این پرداخت را تأیید کنم؟';
  const { page } = await scenes.request({
    title: persian,
    body: 'ok ❤️ 👩🏽‍💻 🏴󠁧󠁢󠁥󠁮󠁧󠁿',
    options: [{ value: 'a', label: 'क्‍ष ❤️' }, 'b'],
  });
  const title = page.getByRole('heading', { level: 2 });
  await page.getByRole('button', { name: 'क्‍ष ❤️' }).waitFor();
  await expect.poll(() => title.innerText()).toBe(persian);
  expect(await title.evaluate((it) => getComputedStyle(it).direction)).toBe('rtl');
  expect(await page.locator('mark').count()).toBe(0);
});

test('[WI48] a box does not break over two lines', async () => {
  const headings = Array.from({ length: 20 }, (_, index) => ({
    type: 'heading',
    text: `${'m'.repeat(index + 1)} \u200b\u200b\u200b`,
  }));
  const fields = [...headings, { type: 'text', name: 'note' }];
  const { page } = await scenes.request({ title: 'Marks', fields }, { viewport: { width: 320, height: 800 } });
  const marks = page.locator('.heading mark');
  await expect.poll(() => marks.count()).toBe(20);
  expect(await marks.evaluateAll((all) => all.map((mark) => mark.getClientRects().length))).toEqual(Array(20).fill(1));
});

test('[WI48] a bulk approval names the hidden characters of its titles', async () => {
  const { page } = await scenes.inbox([
    { title: turned, kind: 'approval' },
    { title: 'Second', kind: 'approval' },
  ]);
  await page.getByRole('button', { name: seen }).waitFor();
  await page.getByRole('checkbox', { name: /Select all/ }).check();
  await page.getByRole('button', { name: /Approve/ }).click();
  await page.getByRole('listitem').filter({ hasText: seen }).last().waitFor();
  await expectNothingHidden(page, 'holdpoint-inbox');
});

test('[WI48] messages and the titles of stacked requests are shown the same way', async () => {
  const { ask, say, open } = await scenes.thread();
  await say({ text: turned });
  for (const title of [turned, 'Second', 'Third']) await ask({ title, options: ['a', 'b'] });
  const page = await open();
  await page.getByRole('log').getByText(seen).waitFor();
  await page.getByRole('button', { name: seen }).waitFor();
  await expectNothingHidden(page, 'holdpoint-chat');
});

test('[WI49] 60,000 characters that cannot be lexed appear as they were written, and the page continues', async () => {
  const { ask, say, open } = await scenes.thread();
  const text = '__a'.repeat(20_000);
  await say({ blocks: [{ type: 'message', payload: { text, format: 'markdown' } }] });
  await say({ blocks: [{ type: 'message', payload: { text: 'and **then**', format: 'markdown' } }] });
  await ask({ title: 'Go?', body: '*a'.repeat(10_000), options: ['yes', 'no'] });
  const page = await open();
  await page.locator('strong', { hasText: 'then' }).waitFor();
  expect(await page.getByRole('article').first().locator('.plain').innerText()).toBe(text);
  await button(page, 'yes').click();
  await page.getByRole('form').waitFor({ state: 'detached' });
});
