/** Content of a question is never trusted: it is text, and it stays in its place. */
import type { Interaction } from '@holdpoint/protocol';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { button, scenesOn } from './scenes.ts';
import { expectAccessible, stageOfThisFile } from './stage.ts';

const stage = stageOfThisFile();
const scenes = scenesOn(stage);
const script =
  '<script>document.title="taken"</script><img src=x onerror="document.title=\'taken\'"><svg onload=alert(1)>';
const word = 'x'.repeat(10_000);
const narrow = { viewport: { width: 320, height: 640 } };
/** Addresses that run code, in several notations. */
const traps = [
  'javascript:document.title="taken"',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'javascript&colon;alert(1)',
  '&#106;avascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'file:///etc/passwd',
  'blob:https://example.com/x',
  '//example.com/elsewhere',
];

/** No script ran, no element was added, and links lead to web pages only. */
async function expectOnlyText(page: Page): Promise<void> {
  expect(await page.title()).toBe('A page');
  const found = await page.evaluate(() => {
    const all: Element[] = [];
    const walk = (root: Document | ShadowRoot) => {
      for (const it of root.querySelectorAll('*')) {
        if (it.parentElement?.closest('main') || root instanceof ShadowRoot) all.push(it);
        if (it.shadowRoot) walk(it.shadowRoot);
      }
    };
    walk(document);
    return {
      foreign: all.filter((it) => /^(script|iframe|object|embed|base|link|meta|style)$/i.test(it.tagName)).length,
      handlers: all.flatMap((it) => it.getAttributeNames().filter((name) => /^(on|style$|srcdoc$)/.test(name))),
      addresses: all.flatMap((it) => it.getAttribute('href') ?? it.getAttribute('src') ?? []),
    };
  });
  expect({ ...found, addresses: found.addresses.filter((address) => !/^(https?:\/\/|#)/.test(address)) }).toEqual({
    ...{ foreign: 0, handlers: [], addresses: [] },
  });
}

const sideways = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

test('[WI8] script in every text of a question is shown as text', async () => {
  const { page, id } = await scenes.request({
    ...{ title: `Title ${script}`, body: `${script}\n\n**bold** &lt;b&gt; &amp;`, submitLabel: script },
    fields: [
      { type: 'heading', text: script },
      { type: 'paragraph', text: script },
      { type: 'text', name: 'text', label: script, description: script, placeholder: script, default: script },
      { type: 'select', name: 'select', label: script, options: [{ value: script, label: script }] },
      { type: 'radio', name: 'radio', label: script, options: [{ value: 'a', label: script, description: script }] },
      { type: 'confirm', name: 'confirm', label: script, confirmLabel: script, denyLabel: 'no' },
      { type: 'text', name: '__proto__x', label: 'constructor' },
      { type: 'file_upload', name: 'file', label: script },
    ],
  });
  await page.getByText('bold', { exact: true }).waitFor();
  await page.locator('input[type=file]').setInputFiles({
    ...{ name: '<img src=x onerror=alert(1)>.txt', mimeType: 'text/plain', buffer: Buffer.from('x') },
  });
  await page.getByRole('button', { name: /^Remove/ }).waitFor();
  await expectOnlyText(page);
  await expectAccessible(page);
  expect(await page.getByRole('heading', { level: 2 }).innerText()).toBe(`Title ${script}`);
  await page.locator('[type=submit]').click();
  await page.getByText('This request was answered.').waitFor();
  expect((await scenes.stored(id)).answer?.values.text).toBe(script);
});

test('[WI8] script in options, arguments, messages and their blocks is shown as the text it is', async () => {
  const { ask, say, open } = await scenes.thread();
  await ask({ title: 'Choice', options: [{ value: 'a', label: script, description: script }, 'b'] });
  await ask({ title: 'Approval', kind: 'approval', arguments: { [script]: script, nested: { [script]: [script] } } });
  await say({ text: script });
  await say({
    blocks: [
      { type: 'message', payload: { text: `${script}\n\n<a href="javascript:alert(1)">html</a>`, format: 'markdown' } },
      { type: 'link', payload: { label: script, url: 'https://example.com/' } },
      { type: 'card', payload: { title: script, text: script, actions: [{ label: script, url: traps[0] }] } },
    ],
  });
  const page = await open();
  await page.getByRole('button', { name: 'Approval' }).waitFor();
  await button(page, 'b').waitFor();
  await page.getByText('>html</a>').waitFor();
  await expectOnlyText(page);
  await expectAccessible(page);
});

test('[WI8] an address that runs something is no link, in blocks and in markdown', async () => {
  const { say, ask, open } = await scenes.thread();
  const markdown = traps.map((url, index) => `[m${index}](${url}) ![i${index}](${url}) <${url}>`).join('\n\n');
  await say({
    blocks: [
      ...traps.map((url, index) => ({ type: 'link', payload: { label: `l${index}`, url } })),
      ...traps.map((url) => ({ type: 'image', payload: { alt: 'picture', url } })),
      ...traps.map((url) => ({ type: 'card', payload: { title: 'Card', image: url, actions: [{ label: 'c', url }] } })),
      { type: 'message', payload: { text: `${markdown}\n\n[r]\n\n[r]: javascript:alert(1)`, format: 'markdown' } },
      { type: 'message', payload: { text: '[good](https://example.com/good)', format: 'markdown' } },
    ],
  });
  await ask({ title: 'Markdown', body: `${markdown}\n\nthe end`, options: ['a', 'b'] });
  const page = await open();
  await page.getByText('the end').waitFor();
  await page.getByRole('link', { name: 'good' }).waitFor();
  expect(await page.getByRole('link').allInnerTexts()).toEqual(['good']);
  await expectOnlyText(page);
});

test('[WI8] words of 10,000 letters are broken at 320 pixels in every text', async () => {
  const { ask, say, open } = await scenes.thread();
  const long = word.slice(0, 1_000);
  await ask({
    ...{ title: long, body: `${word}\n\n\`${word.slice(0, 900)}\`\n\n| ${long} | b |\n|---|---|\n| ${long} | d |` },
    fields: [
      { type: 'heading', text: long },
      { type: 'text', name: 'a', label: long, description: word, required: true },
      { type: 'select', name: 'b', label: 'b', options: [{ value: 'v', label: long }] },
      { type: 'radio', name: 'c', label: long, options: [{ value: 'v', label: long, description: long }] },
      { type: 'confirm', name: 'd', label: long, confirmLabel: long, denyLabel: long },
      { type: 'file_upload', name: 'e', label: long },
    ],
  });
  await ask({ title: 'Approval', kind: 'approval', arguments: { [word.slice(0, 200)]: word, deep: { list: [word] } } });
  await ask({ title: 'Choice', options: [{ value: 'a', label: long, variant: 'primary' }, 'b'] });
  await say({ text: word });
  await say({
    blocks: [
      { type: 'card', payload: { title: word, text: word, actions: [{ label: long, url: 'https://example.com/' }] } },
    ],
  });
  const page = await open(narrow);
  for (const name of ['Approval', 'Choice']) await page.getByRole('button', { name }).click();
  await page.locator('form.card [type=submit]').first().click();
  await page.getByText('There is a problem').waitFor();
  await page.locator('input[type=file]').setInputFiles({
    ...{ name: `${word.slice(0, 200)}.txt`, mimeType: 'text/plain', buffer: Buffer.from('x') },
  });
  await page.getByRole('button', { name: /^Remove/ }).waitFor();
  expect(await sideways(page)).toBe(0);
  // Nothing is wider than its place. A table may scroll.
  const wide = await page.locator('holdpoint-chat').evaluate((host) =>
    [...(host.shadowRoot?.querySelectorAll('*') ?? [])].flatMap((it) => {
      const { right } = it.getBoundingClientRect();
      return right > innerWidth + 1 && !it.closest('.table-scroll, .visually-hidden')
        ? [`${it.tagName}.${it.className}`]
        : [];
    }),
  );
  expect(wide).toEqual([]);
  await expectAccessible(page);
});

test('[WI8] 500 options are shown, filtered and picked', async () => {
  const options = Array.from({ length: 500 }, (_, index) => ({ value: `v${index}`, label: `Option ${index}` }));
  const { page, id } = await scenes.request(
    {
      title: 'Many',
      fields: ['select', 'radio', 'multi_select'].map((type) => ({ type, name: type, label: `A ${type}`, options })),
    },
    narrow,
  );
  await page.getByLabel('A select').selectOption('v321');
  const filters = page.getByRole('searchbox', { name: 'Filter options' });
  await filters.first().fill('option 499');
  await page.getByRole('radio', { name: 'Option 499' }).check();
  await filters.last().fill('498');
  await page.getByRole('checkbox', { name: 'Option 498' }).check();
  await filters.last().fill('nothing');
  await page.getByText('No matching options.').waitFor();
  expect(await sideways(page)).toBe(0);
  await button(page, 'Send').click();
  await page.getByText('This request was answered.').waitFor();
  const values = { select: 'v321', radio: 'v499', multi_select: ['v498'] };
  expect((await scenes.stored(id)).answer?.values).toEqual(values);
});

test('[WI8] a choice among 500 buttons keeps its place, and its request can be folded', async () => {
  const { ask, open } = await scenes.thread();
  await ask({ title: 'Many', options: Array.from({ length: 500 }, (_, index) => `Option ${index}`) });
  const page = await open(narrow);
  await button(page, 'Option 499').click();
  await page.getByRole('form').waitFor({ state: 'detached' });
});

test('[WI8] text that turns the direction turns only itself', async () => {
  const turned = 'invoice \u202egnp.exe';
  const { page } = await scenes.request({
    title: turned,
    fields: [
      { type: 'radio', name: 'a', label: turned, required: true, options: [{ value: 'x', label: turned }, 'y'] },
      { type: 'text', name: 'b', label: 'Plain' },
    ],
  });
  await page.getByText('Plain').waitFor();
  // The texts around it keep their order, because each text is isolated.
  const isolated = await page
    .locator('holdpoint-request')
    .evaluate((host) =>
      [...(host.shadowRoot?.querySelectorAll('.title, bdi') ?? [])].map((it) => getComputedStyle(it).unicodeBidi),
    );
  expect(isolated.length).toBeGreaterThan(2);
  for (const bidi of isolated) expect(['isolate', 'plaintext']).toContain(bidi);
});

test('[WI8] endlessly nested Markdown is shown to a limited depth', async () => {
  const { say, open } = await scenes.thread();
  const nested = [
    '> '.repeat(3_000),
    `${'- '.repeat(2_000)}deep`,
    '['.repeat(5_000),
    '*'.repeat(9_000),
    `${'**a _b '.repeat(1_500)}`,
    '`'.repeat(9_001),
    Array.from({ length: 200 }, (_, depth) => `${'  '.repeat(depth)}- item ${depth}`).join('\n'),
    `|${'a|'.repeat(1_000)}\n|${'-|'.repeat(1_000)}`,
  ];
  for (const text of nested) await say({ blocks: [{ type: 'message', payload: { text, format: 'markdown' } }] });
  await say({ blocks: [{ type: 'message', payload: { text: 'and **then**', format: 'markdown' } }] });
  const page = await open(narrow);
  await page.getByText('then', { exact: true }).waitFor();
  expect(await page.getByRole('article').count()).toBe(nested.length + 1);
  const deepest = await page.locator('holdpoint-chat').evaluate((host) => {
    const depthOf = (it: Element | null | undefined): number => (it ? 1 + depthOf(it.parentElement?.closest('li')) : 0);
    return Math.max(...[...(host.shadowRoot?.querySelectorAll('.markdown li') ?? [])].map(depthOf));
  });
  expect(deepest).toBeGreaterThan(3);
  expect(deepest).toBeLessThanOrEqual(20);
  expect(await sideways(page)).toBe(0);
});

test('[WI14] blocks and fields of types that are not known are left out, and the rest can be answered', async () => {
  const { ask, say, open } = await scenes.thread();
  const { id } = await ask({ title: 'Name?', fields: [{ type: 'text', name: 'name', label: 'Name', required: true }] });
  await say({
    blocks: [
      { type: 'hologram', payload: { text: 'unseen' } },
      { type: 'card', payload: { title: 7, text: { a: 1 }, image: [], actions: 'none' } },
      { type: 'link', payload: {} },
      { type: 'image', payload: { url: 5 } },
      { type: 'message', payload: { text: ['unseen'] } },
      { type: 'message', payload: { text: 'seen' } },
    ],
  });
  const page = await open({
    // A later server may respond like this.
    prepare: (it) =>
      it.route('**/v1/interactions?*', async (route) => {
        const reply = await route.fetch();
        const listed = (await reply.json()) as { data: Interaction[] };
        const later = [
          { type: 'sparkles', text: 'unseen' },
          { type: 'hologram', name: 'more', label: 'More' },
        ];
        for (const one of listed.data) one.fields.unshift(...(later as never[]));
        await route.fulfill({ response: reply, json: listed });
      }),
  });
  await page.getByText('seen', { exact: true }).waitFor();
  await page.getByRole('textbox', { name: 'Name' }).fill('Ann');
  expect(await page.getByText('unseen').count()).toBe(0);
  expect(await page.getByText('undefined').count()).toBe(0);
  await expectAccessible(page);
  await button(page, 'Send').first().click();
  await page.getByRole('form', { name: 'Name?' }).waitFor({ state: 'detached' });
  expect((await scenes.stored(id)).answer?.values).toEqual({ name: 'Ann' });
});

test('[WI8] invisible characters do no harm', async () => {
  const odd = 'a\u0000b\u0007c\u200bd\ufeffe\u2028f\ud83d';
  const { say, ask, open } = await scenes.thread();
  await say({ text: `${odd} plain` });
  await say({ blocks: [{ type: 'message', payload: { text: `${odd} **marked**`, format: 'markdown' } }] });
  const { id } = await ask({
    title: `Title ${odd}`,
    body: `${odd} **bold**`,
    options: [{ value: 'v', label: `Label ${odd}` }, 'w'],
  });
  const page = await open();
  await page.getByText('marked', { exact: true }).waitFor();
  await page.getByText('bold', { exact: true }).waitFor();
  await expectOnlyText(page);
  await page.getByRole('button', { name: 'Label' }).click();
  await page.getByRole('form').waitFor({ state: 'detached' });
  expect((await scenes.stored(id)).answer?.values).toEqual({ choice: 'v' });
});
