/** Questions with one field of each type, and how each is answered by somebody who has no mouse. */
import type { FieldType } from '@holdpoint/protocol';
import type { Page } from 'playwright-core';

export interface Keyed {
  field: Record<string, unknown>;
  /** With focus on the first control of the field. */
  answer(page: Page): Promise<void>;
  value: unknown;
}

const type = (text: string) => (page: Page) => page.keyboard.type(text);
const press =
  (...keys: string[]) =>
  async (page: Page) => {
    for (const key of keys) await page.keyboard.press(key);
  };
const colours = ['red', 'green', 'blue'];

export const everyField: Record<
  Exclude<FieldType, 'heading' | 'paragraph' | 'divider' | 'file_upload' | 'image_upload' | 'signature'>,
  Keyed
> = {
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
  checkbox: { field: {}, answer: press('Space'), value: true },
  confirm: { field: {}, answer: press('ArrowRight'), value: false },
  select: { field: { options: colours }, answer: type('gre'), value: 'green' },
  radio: { field: { options: colours }, answer: press('Space', 'ArrowDown'), value: 'green' },
  multi_select: { field: { options: colours }, answer: press('Space', 'Tab', 'Tab', 'Space'), value: ['red', 'blue'] },
  rating: { field: { maxStars: 5 }, answer: press('Space', 'ArrowRight', 'ArrowRight'), value: 3 },
  custom: { field: { customType: 'iban' }, answer: type('DE00'), value: 'DE00' },
};
