/** Questions with a JSON Schema, answered in a page. */
import type { Interaction } from '@holdpoint/protocol';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, stageOfThisFile } from './stage.ts';

const stage = stageOfThisFile();

async function show(payloadSchema: object, more: object = {}, options: Parameters<typeof stage.open>[1] = {}) {
  const thread = await stage.newThread();
  const { id } = await stage.ask(thread, { title: 'Set it up', payloadSchema, ...more } as never);
  const token = await stage.tokenFor({ interactionId: id });
  const element = `<holdpoint-request interaction="${id}" token="${token}"></holdpoint-request>`;
  const page = await stage.open(element, { timezoneId: 'UTC', locale: 'en-US', ...options });
  await page.getByRole('form').waitFor();
  return { page, id, element };
}

const answered = async (page: Page, id: string) => {
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('This request was answered.').waitFor();
  return (await stage.call<Interaction>(`/v1/interactions/${id}`)).answer?.payload;
};
const hasFocus = (page: Page, name: string | RegExp) =>
  expect.poll(() => page.getByLabel(name).evaluate((it) => it.matches(':focus'))).toBe(true);

const text = (title: string, more: object = {}) => ({ type: 'string', title, ...more });

test('[WI40] every kind of part is a control, and empty optional values are left out', async () => {
  const { page, id } = await show({
    type: 'object',
    required: ['name', 'seats', 'plan', 'terms', 'tags'],
    properties: {
      name: text('Name', { description: 'As on the invoice.', examples: ['Ann Lee'] }),
      mail: text('Email', { format: 'email' }),
      empty: text('Nothing'),
      notes: text('Notes', { maxLength: 2_000 }),
      seats: { type: 'integer', title: 'Seats', default: 5 },
      plan: { title: 'Plan', enum: ['free', 'team'] },
      level: { title: 'Level', oneOf: [1, 2, 3, 4, 5, 6].map((level) => ({ const: level, title: `Level ${level}` })) },
      begins: text('Begins', { format: 'date' }),
      at: text('At', { format: 'date-time' }),
      daily: text('Daily', { format: 'time' }),
      terms: { type: 'boolean', title: 'I agree' },
      days: { type: 'array', title: 'Days', items: { enum: ['Mon', 'Tue', 'Wed'] } },
      tags: { type: 'array', title: 'Tags', items: { type: 'string' } },
      version: { const: 2 },
    },
  });
  expect(await page.getByLabel('Name').getAttribute('placeholder')).toBe('Ann Lee');
  await expectAccessible(page);
  await page.getByLabel('Name').fill('Ann');
  await page.getByLabel('Notes').fill('two\nlines');
  await page.getByLabel('team').check();
  await page.getByLabel('Level').selectOption('Level 6');
  await page.getByLabel('Begins').fill('2030-12-31');
  await page.getByLabel(/^At/).fill('2030-12-31T09:30');
  await page.getByLabel('Daily').fill('07:45');
  await page.getByLabel('I agree').check();
  await page.getByLabel('Tue').check();
  expect(await answered(page, id)).toEqual({
    ...{ name: 'Ann', notes: 'two\nlines', seats: 5, plan: 'team', level: 6, begins: '2030-12-31' },
    ...{ at: '2030-12-31T09:30:00+00:00', daily: '07:45:00+00:00', terms: true, days: ['Tue'], tags: [] },
  });
});

test('[WI40] groups, lists and branches are added, filled in and removed with the keyboard alone', async () => {
  const { page, id } = await show({
    required: ['members', 'payment'],
    properties: {
      members: {
        ...{ type: 'array', title: 'Members' },
        items: { type: 'object', title: 'Member', required: ['login'], properties: { login: text('Login') } },
      },
      second: { type: 'object', title: 'Address', required: ['city'], properties: { city: text('City') } },
      payment: {
        title: 'Payment',
        oneOf: [
          {
            title: 'Card',
            required: ['kind', 'number'],
            properties: { kind: { const: 'card' }, number: text('Number') },
          },
          { title: 'Bank', required: ['kind', 'iban'], properties: { kind: { const: 'bank' }, iban: text('IBAN') } },
        ],
      },
    },
  });
  // Uses Tab, as a person does: a control that gets the focus by script takes no press at once (WI61).
  const press = async (name: string) => {
    await page.getByRole('button', { name, exact: true }).focus();
    for (const key of ['Tab', 'Shift+Tab', 'Enter']) await page.keyboard.press(key);
  };
  for (const login of ['ann', 'bob', 'cleo']) {
    await press('Add Member');
    await page.keyboard.type(login);
  }
  await press('Remove Member 2');
  expect(await page.getByRole('button', { name: 'Add Member' }).evaluate((it) => it.matches(':focus'))).toBe(true);
  await press('Add Address');
  await hasFocus(page, 'City');
  await page.keyboard.type('Bonn');
  await press('Remove Address');
  await page.getByRole('button', { name: 'Add Address' }).waitFor();
  await page.getByLabel('Card').focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowDown');
  await page.getByLabel('IBAN').waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Tab');
  await page.keyboard.type('DE00');
  expect(await answered(page, id)).toEqual({
    members: [{ login: 'ann' }, { login: 'cleo' }],
    payment: { kind: 'bank', iban: 'DE00' },
  });
});

test('[WI40] errors of the page and of the server appear on top and at their part', async () => {
  const { page, id } = await show({
    required: ['name', 'address'],
    properties: {
      name: text('Name'),
      code: text('Code', { pattern: '^[A-Z]{3}$' }),
      address: { title: 'Address', required: ['city'], properties: { city: text('City') } },
      free: { title: 'Settings', type: 'object', maxProperties: 1 },
    },
  });
  await page.getByLabel('Settings').fill('{"a":');
  await page.getByRole('button', { name: 'Send' }).click();
  const lines = page.getByRole('alert').getByRole('link');
  await lines.first().waitFor();
  expect(await lines.allTextContents()).toEqual([
    'Name: fill this in.',
    'City: fill this in.',
    'This is not valid JSON.',
  ]);
  await expectAccessible(page);
  await lines.nth(1).click();
  await hasFocus(page, 'City');
  await page.keyboard.type('Bonn');
  await page.getByLabel('Name').fill('Ann');
  await page.getByLabel('Settings').fill('{"a": 1, "b": 2}');
  await page.getByLabel('Code').fill('abc');
  await expect.poll(() => lines.count()).toBe(0);
  await page.getByRole('button', { name: 'Send' }).click();
  await lines.first().waitFor();
  expect((await lines.allTextContents()).toSorted()).toEqual([
    'Code must match ^[A-Z]{3}$.',
    'Settings may have at most 1 properties.',
  ]);
  expect(await page.getByLabel('Code').getAttribute('aria-invalid')).toBe('true');
  await lines.filter({ hasText: 'Settings' }).click();
  await hasFocus(page, 'Settings');
  await page.getByLabel('Settings').fill('{"a": 1}');
  await page.getByLabel('Code').fill('ABC');
  expect(await answered(page, id)).toEqual({ name: 'Ann', code: 'ABC', address: { city: 'Bonn' }, free: { a: 1 } });
});

test('[WI40] the payload can be edited as JSON, and the form then shows the edited values', async () => {
  const { page, id } = await show({ properties: { name: text('Name') } });
  await page.getByLabel('Name').fill('Ann');
  await page.getByRole('button', { name: 'Edit as JSON' }).click();
  const json = page.getByRole('textbox', { name: 'Set it up' });
  expect(JSON.parse(await json.inputValue())).toEqual({ name: 'Ann' });
  await expectAccessible(page);
  await json.fill('{"name": "Bo", "more": ');
  await page.getByRole('button', { name: 'Edit in the form' }).click({ force: true });
  await page.getByText('This is not valid JSON.').waitFor();
  expect(await json.inputValue()).toContain('more');
  await json.fill('{"name": "Bo", "more": [1]}');
  await page.getByRole('button', { name: 'Edit in the form' }).click();
  expect(await page.getByLabel('Name').inputValue()).toBe('Bo');
  expect(await answered(page, id)).toEqual({ name: 'Bo', more: [1] });
});

test('[WI40] recommended values are filled in and marked, in the language of the page', async () => {
  const { page } = await show(
    { required: ['name'], properties: { name: text('Name'), plan: { title: 'Plan', enum: ['free', 'team'] } } },
    { recommendations: { plan: 'team' } },
    { lang: 'de' },
  );
  await page.getByText('Vorschlag').waitFor();
  expect(await page.getByLabel('team').isChecked()).toBe(true);
  await page.getByRole('button', { name: 'Senden' }).click();
  await page.getByRole('link', { name: 'Name: Bitte füllen Sie dieses Feld aus.' }).waitFor();
});

test('[WI13] a payload survives a reload, except one with a secret', async () => {
  const { page, id } = await show({ properties: { name: text('Name'), second: text('Second') } });
  await page.getByLabel('Name').fill('Ann');
  const kept = () => stage.call<{ payload?: unknown }>(`/v1/interactions/${id}/draft`);
  await page.waitForResponse((reply) => reply.url().endsWith('/draft') && reply.request().method() === 'POST');
  await page.reload();
  await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Ann');
  expect(await kept()).not.toHaveProperty('payload');

  const secret = await show({ properties: { pin: text('Pin', { format: 'password' }) } });
  await secret.page.getByLabel('Pin').fill('hush');
  await secret.page.waitForResponse((reply) => reply.url().endsWith('/draft') && reply.request().method() === 'POST');
  await secret.page.reload();
  await secret.page.getByLabel('Pin').waitFor();
  expect(await secret.page.getByLabel('Pin').inputValue()).toBe('');
});

test('[WI41] a question with an endless schema can be answered', async () => {
  const { page, id } = await show({
    required: ['child'],
    properties: { title: text('Title'), child: { $ref: '#/$defs/node' } },
    $defs: {
      node: {
        properties: { label: text('Label'), left: { $ref: '#/$defs/node' }, right: { $ref: '#/$defs/node' } },
      },
    },
  });
  await page.getByLabel('Label').fill('root');
  await page.getByRole('button', { name: 'Add left' }).click();
  await page.getByLabel('Label').nth(1).fill('leaf');
  expect(await answered(page, id)).toEqual({ child: { label: 'root', left: { label: 'leaf' } } });
  const wide = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`p${index}`, { type: 'string' }]));
  const many = await show({ properties: wide });
  await many.page.getByRole('textbox', { name: 'Set it up' }).fill('{"p499": "last"}');
  expect(await answered(many.page, many.id)).toEqual({ p499: 'last' });
});

test('[WI40][WI18] nothing of a payload form is cut off at 320 pixels', async () => {
  const item = { type: 'object', title: 'A member with a name of some length', properties: { login: text('Login') } };
  const { page } = await show(
    { properties: { members: { type: 'array', title: 'Members', items: item, default: [{}] } } },
    {},
    { viewport: { width: 320, height: 700 }, colorScheme: 'dark' },
  );
  await page.getByLabel('Login').waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await expectAccessible(page);
});
