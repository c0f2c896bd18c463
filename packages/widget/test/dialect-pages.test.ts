/** The pages of the dialects describe what a person sees: the requests above the composer, and the blocks. */
import type { FileRef } from '@holdpoint/protocol';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { pixel } from './every-field.ts';
import { button, scenesOn } from './scenes.ts';
import { stageOfThisFile } from './stage.ts';

const stage = stageOfThisFile();
const scenes = scenesOn(stage);

/** Creates a request as a client of that system does, and opens the page that its user sees. */
async function opened(request: object): Promise<{ page: Page; id: string }> {
  const { thread, open } = await scenes.thread();
  const { id } = await stage.call<{ id: string }>(`/api/v1/chats/${thread}/requests`, request);
  return { page: await open(), id };
}

const payloadOf = async (id: string) =>
  (await stage.call<{ resolution_payload: unknown }>(`/api/v1/requests/${id}`)).resolution_payload;
/** Submits the request, and waits until it disappears. */
async function sent(page: Page, title: string): Promise<void> {
  const card = page.getByRole('form', { name: title });
  await card.locator('[type=submit]').click();
  await card.waitFor({ state: 'detached' });
}
const box = async (page: Page, selector: string) =>
  (await page.locator(selector).boundingBox()) ?? expect.fail(selector);

test('[WI11] the requests float above the composer, and stay in sight while the conversation is scrolled', async () => {
  const { thread, say, ask, open } = await scenes.thread();
  for (let line = 0; line < 30; line++) await say({ text: `Line ${line}` });
  const page = await open();
  await page.getByText('Line 29').waitFor();
  await ask({ title: 'Deploy?', options: ['Yes', 'No'] });
  await button(page, 'Yes').waitFor();
  const transcript = page.locator('.transcript');
  const expectInSight = async () => {
    const [stack, composer, shown] = [
      await box(page, '.stack'),
      await box(page, '.composer'),
      await box(page, '.chat'),
    ];
    expect(stack.y + stack.height).toBeLessThanOrEqual(composer.y + 1);
    expect(stack.y).toBeGreaterThan(shown.y);
    await button(page, 'Yes').click({ trial: true });
  };
  await expectInSight();
  await transcript.hover();
  await page.mouse.wheel(0, -5_000);
  await expect.poll(() => transcript.evaluate((it) => it.scrollTop)).toBe(0);
  await expectInSight();
  await page.getByRole('button', { name: 'Pending requests (1)' }).click();
  await button(page, 'Yes').waitFor({ state: 'hidden' });
  const { data } = await stage.call<{ data: unknown[] }>(`/api/v1/chats/${thread}/requests`);
  expect(data).toHaveLength(1);
});

test('[WI4] a choice is buttons in the style of their variants, under its title and its body', async () => {
  const options = ['primary', 'secondary', 'danger', undefined].map((variant, index) => ({
    ...{ id: `id-${index}`, label: `Label ${index}` },
    ...(variant ? { variant } : {}),
  }));
  const { page, id } = await opened({ type: 'choice', title: 'How?', body: 'Pick one.', config: { options } });
  await button(page, 'Label 0').waitFor();
  const classes = await page.locator('.picks button').evaluateAll((all) => all.map((it) => it.className.split(' ')[1]));
  expect(classes).toEqual(['primary', 'secondary', 'danger', 'secondary']);
  const colours = await page
    .locator('.picks button')
    .evaluateAll((all) => all.map((it) => `${getComputedStyle(it).backgroundColor} ${getComputedStyle(it).color}`));
  expect(new Set(colours.slice(0, 3)).size).toBe(3);
  const title = await box(page, '.stack-title');
  const body = await page.getByText('Pick one.').boundingBox();
  expect(body?.y).toBeGreaterThanOrEqual(title.y + title.height);
  await button(page, 'Label 2').click();
  await page.getByRole('form', { name: 'How?' }).waitFor({ state: 'detached' });
  expect(await payloadOf(id)).toEqual({ selectedOptionIds: ['id-2'] });
});

test('[WI1] several options, a text and each type of field are filled in by their controls', async () => {
  const options = ['cheese', 'ham', 'olives'].map((id) => ({ id, label: id }));
  const config = { options, minSelections: 1, maxSelections: 2 };
  const choice = await opened({ type: 'choice', title: 'Toppings?', config });
  for (const name of ['cheese', 'olives']) await choice.page.getByRole('checkbox', { name }).check();
  await sent(choice.page, 'Toppings?');
  expect(await payloadOf(choice.id)).toEqual({ selectedOptionIds: ['cheese', 'olives'] });

  const text = await opened({ type: 'text_input', title: 'Name?', config: { placeholder: 'Enter a name...' } });
  await text.page.getByPlaceholder('Enter a name...').fill('Holdpoint');
  await sent(text.page, 'Name?');
  expect(await payloadOf(text.id)).toEqual({ text: 'Holdpoint' });

  const list = ['staging', 'production'];
  const fields = [
    { name: 'text', label: 'Line', type: 'text', required: true },
    { name: 'textarea', label: 'Notes', type: 'textarea' },
    { name: 'select', label: 'Where', type: 'select', options: list },
    { name: 'checkbox', label: 'Notify', type: 'checkbox' },
    { name: 'date', label: 'Day', type: 'date' },
    { name: 'multiselect', label: 'Several', type: 'multiselect', options: list },
  ];
  const form = await opened({ type: 'form', title: 'Details', config: { fields, submitLabel: 'Deploy' } });
  const card = form.page.getByRole('form', { name: 'Details' });
  await button(form.page, 'Deploy').click();
  await form.page.getByRole('alert').getByText('Line: fill this in.').waitFor();
  const kinds = async () => {
    const found = [];
    for (const { label } of fields.slice(0, -1))
      found.push(await card.getByLabel(label).evaluate((it) => `${it.tagName} ${it.getAttribute('type')}`));
    return found;
  };
  await expect.poll(kinds).toEqual(['INPUT text', 'TEXTAREA null', 'SELECT null', 'INPUT checkbox', 'INPUT date']);
  await card.getByLabel('Line').fill('1.2.3');
  await card.getByLabel('Notes').fill('one\ntwo');
  await card.getByLabel('Where').selectOption('production');
  await card.getByLabel('Notify').check();
  await card.getByLabel('Day').fill('2030-01-31');
  for (const name of list) await card.getByRole('group', { name: 'Several' }).getByLabel(name).check();
  await sent(form.page, 'Details');
  expect(await payloadOf(form.id)).toEqual({
    values: {
      ...{ text: '1.2.3', textarea: 'one\ntwo', select: 'production', multiselect: list },
      ...{ checkbox: true, date: '2030-01-31' },
    },
  });
});

test('[WI14] blocks are shown in their order, and properties that are not known change nothing', async () => {
  const { say, open } = await scenes.thread();
  const more = { sparkle: { deep: [1] }, html: '<b>unseen</b>' };
  await say({
    blocks: [
      { type: 'card', payload: { title: 'One', text: 'Of the card', actions: [], ...more } },
      { type: 'message', payload: { text: 'Two *stars*', format: 'plain', ...more } },
      { type: 'link', payload: { label: 'Three', url: 'https://example.com/three', ...more } },
      { type: 'message', payload: { text: '**Four**', format: 'markdown', ...more }, meta: { source: 'unseen' } },
      { type: 'message', payload: { text: 'Five' } },
    ],
  });
  const page = await open();
  await page.getByText('Five').waitFor();
  await page.getByText('Four', { exact: true }).waitFor();
  const text = await page.getByRole('article').innerText();
  const places = ['One', 'Two *stars*', 'Three', 'Four', 'Five'].map((word) => text.indexOf(word));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places[0]).toBeGreaterThanOrEqual(0);
  expect(text).not.toContain('unseen');
  expect(await page.getByRole('link', { name: 'Three' }).getAttribute('target')).toBe('_blank');
});

test('[WI14] an image has its alt, and is no wider than its place, whatever width it is said to have', async () => {
  const { say, open } = await scenes.thread();
  const url = 'https://files.example/wide.svg';
  await say({
    blocks: [
      { type: 'image', payload: { url, alt: 'A wide picture', width: 5_000, height: 100 } },
      { type: 'card', payload: { title: 'Card', text: 'With a picture', image: url, actions: [] } },
    ],
  });
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="5000" height="100"><rect width="5000" height="100"/></svg>';
  const page = await open({
    viewport: { width: 360, height: 640 },
    prepare: (it) => it.route(url, (route) => route.fulfill({ contentType: 'image/svg+xml', body: svg })),
  });
  const image = page.getByRole('img', { name: 'A wide picture' });
  await image.scrollIntoViewIfNeeded();
  await expect.poll(() => image.evaluate((it) => (it as HTMLImageElement).naturalWidth)).toBe(5_000);
  for (const one of await page.locator('img').all()) expect((await one.boundingBox())?.width).toBeLessThan(360);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
});

test('[WI1] a heading, a paragraph and a divider are a title, a text and a line, and no inputs', async () => {
  const { page, id } = await scenes.request({
    title: 'Sign up',
    fields: [
      { type: 'heading', text: 'About you' },
      { type: 'paragraph', text: 'As much as you like.' },
      { type: 'divider' },
      { type: 'text', name: 'name', label: 'Name' },
    ],
  });
  await page.getByRole('heading', { name: 'About you' }).waitFor();
  await page.getByText('As much as you like.').waitFor();
  await page.getByRole('separator').waitFor();
  expect(await page.getByRole('form').locator('input, textarea, select').count()).toBe(1);
  await page.getByLabel('Name').fill('Ada');
  await button(page, 'Send').click();
  await page.getByText('This request was answered.').waitFor();
  expect((await scenes.stored(id)).answer?.values).toEqual({ name: 'Ada' });
});

test('[WI1] a rating has as many slots as it says, in its icon, which light up under the pointer and when clicked', async () => {
  const ratings = ['star', 'heart', 'thumb'].map((ratingIcon, index) => ({
    ...{ type: 'rating', name: ratingIcon, label: ratingIcon, ratingIcon, maxStars: index + 3 },
  }));
  const { page, id } = await scenes.request({
    title: 'How was it?',
    fields: [...ratings, { type: 'rating', name: 'plain', label: 'plain', maxStars: 1 }],
  });
  const slots = (name: string) => page.getByRole('group', { name }).locator('.star');
  await slots('star').first().waitFor();
  const counts = [];
  const shapes = [];
  for (const name of ['star', 'heart', 'thumb', 'plain']) {
    counts.push(await slots(name).count());
    shapes.push(await slots(name).first().locator('path').getAttribute('d'));
  }
  expect(counts).toEqual([3, 4, 5, 1]);
  expect(new Set(shapes).size).toBe(3);
  expect(shapes[3]).toBe(shapes[0]);
  const lit = () => page.getByRole('group', { name: 'heart' }).locator('.star.lit').count();
  await slots('heart').nth(2).hover();
  await expect.poll(lit).toBe(3);
  await page.getByRole('heading', { name: 'How was it?' }).hover();
  await expect.poll(lit).toBe(0);
  await slots('heart').nth(1).click();
  await page.getByRole('heading', { name: 'How was it?' }).hover();
  await expect.poll(lit).toBe(2);
  await button(page, 'Send').click();
  await page.getByText('This request was answered.').waitFor();
  expect((await scenes.stored(id)).answer?.values).toEqual({ heart: 2 });
});

test('[WI10] the canvas of a signature has its size in CSS pixels', async () => {
  const { page } = await scenes.request({
    title: 'Sign',
    fields: [{ type: 'signature', name: 'sig', label: 'Signature', canvasWidth: 300, canvasHeight: 100 }],
  });
  const canvas = page.getByRole('img', { name: 'Sign here' });
  expect(await canvas.evaluate((it) => [(it as HTMLCanvasElement).width, (it as HTMLCanvasElement).height])).toEqual([
    300, 100,
  ]);
  const inside = await canvas.evaluate((it) => [it.clientWidth, it.clientHeight]);
  expect(inside).toEqual([300, 100]);
});

test('[WI9] a file is taken the same way, however long it is kept, and several where the field says so', async () => {
  const { page, id } = await scenes.request({
    title: 'Files',
    fields: [
      { type: 'file_upload', name: 'kept', label: 'Kept', retention: 'persistent' },
      { type: 'file_upload', name: 'brief', label: 'Brief', retention: 'transient', multiple: true },
      { type: 'image_upload', name: 'photo', label: 'Photo', accept: [] },
      { type: 'file_upload', name: 'sheet', label: 'Sheet', accept: ['.csv', 'text/plain'] },
    ],
  });
  const pickers = page.locator('input[type=file]');
  await expect.poll(() => pickers.count()).toBe(4);
  const attributes = await pickers.evaluateAll((all) =>
    all.map((it) => [(it as HTMLInputElement).accept, (it as HTMLInputElement).multiple]),
  );
  expect(attributes).toEqual([
    ['', false],
    ['', true],
    ['image/*', false],
    ['.csv,text/plain', false],
  ]);
  const png = (name: string) => ({ name, mimeType: 'image/png', buffer: pixel });
  await pickers.nth(0).setInputFiles([png('a.png')]);
  await pickers.nth(1).setInputFiles([png('b.png'), png('c.png')]);
  for (const name of ['a', 'b', 'c']) await button(page, `Remove ${name}.png`).waitFor();
  await button(page, 'Send').click();
  await page.getByText('This request was answered.').waitFor();
  const { answer } = await scenes.stored(id);
  const values = answer?.values as { kept: FileRef; brief: FileRef[] } | undefined;
  expect(values?.kept.name).toBe('a.png');
  // They arrive in any order.
  expect(values?.brief.map(({ name }) => name).toSorted()).toEqual(['b.png', 'c.png']);
});
