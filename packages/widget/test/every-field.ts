/** Questions with one field of each type, and the keys that answer each. */
import type { FieldType } from '@holdpoint/protocol';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { press, tabTo } from './keyboard.ts';

export interface Keyed {
  field: Record<string, unknown>;
  /** Called with the focus on the first control of the field. */
  answer(page: Page): Promise<void>;
  value: unknown;
}

/** A picture of one pixel. */
export const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const type = (text: string) => (page: Page) => page.keyboard.type(text);
const pressing =
  (...keys: string[]) =>
  (page: Page) =>
    press(page, ...keys);
const colours = ['red', 'green', 'blue'];

/** Uses the file chooser, which Enter opens. */
const pickFile = (name: string, mimeType: string, buffer: Buffer) => async (page: Page) => {
  const opened = page.waitForEvent('filechooser');
  // Listens before the key is pressed, so that the chooser is not missed.
  await page.evaluate(() => undefined);
  await page.keyboard.press('Enter');
  await (await opened).setFiles({ name, mimeType, buffer });
  await page.getByRole('button', { name: `Remove ${name}` }).waitFor();
};

export const everyField: Record<Exclude<FieldType, 'heading' | 'paragraph' | 'divider'>, Keyed> = {
  text: { field: { placeholder: 'Any', description: 'A line.' }, answer: type('Ann'), value: 'Ann' },
  textarea: { field: {}, answer: type('two words'), value: 'two words' },
  email: { field: {}, answer: type('ann@example.com'), value: 'ann@example.com' },
  tel: { field: {}, answer: type('+49 30 123456'), value: '+49 30 123456' },
  url: { field: {}, answer: type('https://example.com/'), value: 'https://example.com/' },
  password: { field: {}, answer: type('hush'), value: 'hush' },
  number: { field: { min: 0, max: 10 }, answer: type('4.5'), value: 4.5 },
  date: { field: {}, answer: type('12312030'), value: '2030-12-31' },
  time: { field: {}, answer: type('0930AM'), value: '09:30' },
  datetime: {
    field: {},
    answer: async (page) => {
      await page.keyboard.type('12312030');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.type('0930AM');
    },
    value: '2030-12-31T09:30:00+00:00',
  },
  checkbox: { field: {}, answer: pressing('Space'), value: true },
  confirm: { field: {}, answer: pressing('ArrowRight'), value: false },
  select: { field: { options: colours }, answer: type('gre'), value: 'green' },
  radio: { field: { options: colours }, answer: pressing('Space', 'ArrowDown'), value: 'green' },
  multi_select: {
    field: { options: colours },
    answer: pressing('Space', 'Tab', 'Tab', 'Space'),
    value: ['red', 'blue'],
  },
  rating: { field: { maxStars: 5 }, answer: pressing('Space', 'ArrowRight', 'ArrowRight'), value: 3 },
  custom: { field: { customType: 'iban' }, answer: type('DE00'), value: 'DE00' },
  file_upload: {
    field: {},
    answer: pickFile('note.txt', 'text/plain', Buffer.from('a note')),
    value: expect.objectContaining({ name: 'note.txt', mime: 'text/plain', size: 6 }),
  },
  image_upload: {
    field: {},
    answer: pickFile('one.png', 'image/png', pixel),
    value: expect.objectContaining({ name: 'one.png', mime: 'image/png' }),
  },
  signature: {
    field: { canvasWidth: 300, canvasHeight: 100 },
    async answer(page) {
      await page.keyboard.press('ArrowRight');
      await tabTo(page.getByRole('textbox', { name: 'Type your name' }));
      await page.keyboard.type('Ann Lee');
      await page.getByRole('button', { name: 'Clear' }).waitFor();
    },
    value: expect.objectContaining({ mime: 'image/png' }),
  },
};

/** All fields in one form, under a heading. */
export const formOfEverything = {
  title: 'Everything at once',
  body: 'Of each **one**.',
  fields: [
    { type: 'heading', text: 'About you' },
    { type: 'paragraph', text: 'As much as you like.' },
    ...Object.entries(everyField).map(([type, { field }]) => ({
      ...{ type, name: type, label: `A ${type.replace('_', ' ')}`, required: type !== 'checkbox' },
      ...field,
    })),
    { type: 'divider' },
    { type: 'text', name: 'else', label: 'Anything else', description: 'Nobody has to.' },
  ],
};
