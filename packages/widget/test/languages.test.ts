/** Other languages: texts, errors, direction, and only one of them is fetched. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, stageOfThisFile } from './stage.ts';

const stage = stageOfThisFile();

/** One of each part that takes room in its own way. */
const questions = {
  title: 'عنوان: release 2.4 للمراجعة',
  fields: [
    { type: 'text', name: 'name', label: 'الاسم', required: true },
    { type: 'number', name: 'age', label: 'Age', min: 18 },
    { type: 'select', name: 'env', label: 'البيئة', required: true, options: ['staging', 'production'] },
    { type: 'rating', name: 'stars', label: 'التقييم', maxStars: 10 },
    { type: 'confirm', name: 'sure', label: 'هل أنت متأكد؟' },
    { type: 'file_upload', name: 'files', label: 'الملفات', multiple: true },
    { type: 'signature', name: 'sign', label: 'التوقيع' },
  ],
};

async function show(lang: string, question: object, viewport = { width: 900, height: 900 }): Promise<Page> {
  const thread = await stage.newThread();
  const { id } = await stage.ask(thread, question as never);
  const token = await stage.tokenFor({ interactionId: id });
  const element = `<holdpoint-request interaction="${id}" token="${token}"></holdpoint-request>`;
  return stage.open(element, { lang, viewport, locale: 'en-US' });
}

async function showChat(body: (attributes: string) => string, options: Parameters<typeof stage.open>[1] = {}) {
  const thread = await stage.newThread();
  const token = await stage.tokenFor({ threadId: thread });
  return { thread, page: await stage.open(body(`thread="${thread}" token="${token}"`), options) };
}

const chat = (attributes: string) => `<holdpoint-chat ${attributes}></holdpoint-chat>`;

test('[WI33] errors are in German, on top and at the field', async () => {
  const page = await show('de-AT', {
    title: 'Angaben',
    fields: [
      { type: 'text', name: 'name', label: 'Name', required: true },
      { type: 'number', name: 'age', label: 'Alter', min: 18 },
      { type: 'multi_select', name: 'days', label: 'Tage', options: ['Mo', 'Di', 'Mi'], minSelections: 2 },
    ],
  });
  await page.getByLabel('Alter').fill('3');
  await page.getByLabel('Mo').check();
  await page.getByRole('button', { name: 'Senden' }).click();
  const summary = page.getByRole('alert');
  await summary.getByRole('heading', { name: 'Es gibt ein Problem' }).waitFor();
  const lines = [
    'Name: Bitte füllen Sie dieses Feld aus.',
    'Alter: Bitte geben Sie 18 oder mehr ein.',
    'Tage: Bitte wählen Sie mindestens 2 aus.',
  ];
  expect(await summary.getByRole('link').allTextContents()).toEqual(lines);
  for (const line of lines) expect(await page.getByText(line, { exact: true }).count()).toBe(2);
  await expectAccessible(page);
});

test('[WI34] Arabic reads from right to left, and nothing is cut off at 320 pixels', async () => {
  const page = await show('ar', questions, { width: 320, height: 800 });
  await page.getByRole('button', { name: 'إرسال' }).click();
  await page.getByRole('heading', { name: 'توجد مشكلة' }).waitFor();
  await page.locator('canvas').waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  expect(await overflowing(page)).toEqual([]);
  expect(await page.getByRole('form').evaluate((it) => getComputedStyle(it).direction)).toBe('rtl');
  // The button to decline is at the end of the line, which is on the left.
  const [send, decline] = await Promise.all(
    ['إرسال', 'رفض'].map((label) => page.getByRole('button', { name: label, exact: true }).boundingBox()),
  );
  expect(decline?.x).toBeLessThanOrEqual(send?.x ?? -1);
  await expectAccessible(page);
});

test('[WI34] an Arabic conversation has the person’s messages on the left, also in an English page', async () => {
  const { thread, page } = await showChat(
    (attributes) => `<holdpoint-chat locale="ar-EG" ${attributes}></holdpoint-chat>`,
    {
      viewport: { width: 320, height: 640 },
    },
  );
  await stage.ask(thread, questions as never);
  await page.getByRole('textbox', { name: 'اكتب رسالة' }).fill('مرحبا');
  await page.keyboard.press('Enter');
  await page.getByRole('log', { name: 'المحادثة' }).getByText('مرحبا').waitFor();
  await page.getByText('الطلبات المعلّقة (1)').waitFor();
  const [said, log] = await Promise.all([page.getByRole('article').boundingBox(), page.getByRole('log').boundingBox()]);
  if (!said || !log) throw new Error('nothing to see');
  expect(said.x - log.x).toBeLessThan(log.x + log.width - (said.x + said.width));
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await expectAccessible(page);
});

test('[WI30] Japanese, Chinese, Spanish and French have their texts', async () => {
  for (const [lang, name, send] of [
    ['ja', 'メッセージを入力', '送信'],
    ['zh-CN', '输入消息', '发送'],
    ['es-MX', 'Escriba un mensaje', 'Enviar'],
    ['fr', 'Écrivez un message', 'Envoyer'],
  ] as const) {
    const { page } = await showChat(chat, { lang });
    await page.getByRole('textbox', { name }).waitFor();
    await page.getByRole('button', { name: send }).waitFor();
    await expectAccessible(page);
  }
});

test('[WI35] only the shown language is fetched', async () => {
  const { page } = await showChat(chat, { lang: 'en' });
  const fetched: string[] = [];
  page.on('request', (request) => fetched.push(new URL(request.url()).pathname));
  const languages = () => fetched.flatMap((path) => /^\/widget\/(ar|de|es|fr|ja|zh)-[\w-]+\.js$/.exec(path)?.[1] ?? []);
  await page.reload();
  await page.getByRole('textbox', { name: 'Write a message' }).waitFor();
  expect(languages()).toEqual([]);
  await page.locator('holdpoint-chat').evaluate((it) => it.setAttribute('locale', 'ja-JP'));
  await page.getByRole('textbox', { name: 'メッセージを入力' }).waitFor();
  expect(languages()).toEqual(['ja']);
  await page.locator('holdpoint-chat').evaluate((it) => it.setAttribute('locale', 'en'));
  await page.getByRole('textbox', { name: 'Write a message' }).waitFor();
  expect(languages()).toEqual(['ja']);
});

test('[WI34] a text in another language has the direction of that language', async () => {
  const page = await show('en', {
    title: 'عنوان',
    body: 'نص **مهم** 2.4',
    content: [{ type: 'message', payload: { text: 'مرحبا 3.1', format: 'plain' } }],
    fields: [
      { type: 'paragraph', text: 'فقرة 1.2' },
      { type: 'text', name: 'name', label: 'Name', description: 'Latin' },
    ],
  });
  const direction = (text: string) => page.getByText(text).evaluate((it) => getComputedStyle(it).direction);
  for (const text of ['عنوان', 'مهم', 'مرحبا', 'فقرة']) expect(await direction(text), text).toBe('rtl');
  expect(await direction('Latin')).toBe('ltr');
});

test('[WI47] the number of options to choose is shown before any error', async () => {
  const options = ['a', 'b', 'c', 'd'];
  const bounds = { one: {}, two: { minSelections: 2 }, three: { maxSelections: 3 }, four: { maxSelections: 4 } };
  const more = { five: { minSelections: 2, maxSelections: 3 }, six: { minSelections: 2, maxSelections: 2 } };
  const question = {
    title: 'Pick',
    fields: Object.entries({ ...bounds, ...more }).map(([name, limits]) => ({
      ...{ type: 'multi_select', name, label: name, options: options.map((option) => `${name} ${option}`) },
      ...limits,
    })),
  };
  const page = await show('en', question);
  const about = async (group: string) => {
    const id = await page.getByRole('group', { name: group }).getAttribute('aria-describedby');
    return id === null ? '' : page.locator(`[id="${id}"]`).innerText();
  };
  await page.getByRole('group', { name: 'six' }).waitFor();
  expect(await Promise.all(Object.keys({ ...bounds, ...more }).map(about))).toEqual([
    '',
    'Choose at least 2',
    'Choose at most 3',
    '',
    'Choose 2 to 3',
    'Choose 2',
  ]);
  await expectAccessible(page);
});

/** Finds elements that are wider than their place. */
const overflowing = (page: Page): Promise<string[]> =>
  page.locator('holdpoint-request').evaluate((host) =>
    [...(host.shadowRoot?.querySelectorAll('*') ?? [])].flatMap((it) => {
      const { left, right, width } = it.getBoundingClientRect();
      const isSeen = width > 1 && !it.closest('.visually-hidden');
      return isSeen && (left < -0.5 || right > innerWidth + 0.5) ? [`${it.tagName}.${it.className}`] : [];
    }),
  );
