/** The playground: edit, preview, create, answer, and show as code. */
import { execFileSync } from 'node:child_process';
import type { Interaction } from '@holdpoint/protocol';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, stageOfThisFile } from '../../widget/test/stage.ts';
import type { DialectName } from '../src/playground/asking.ts';
import { toolInputOf } from '../src/playground/code-view.tsx';
import { examplesOf } from '../src/playground/examples.ts';
import { expectNarrow, openConsole } from './open-console.ts';

const stage = stageOfThisFile();
const editor = (page: Page) => page.getByRole('textbox', { name: 'Request as JSON' });
const write = (page: Page, request: unknown) =>
  editor(page).fill(typeof request === 'string' ? request : JSON.stringify(request, null, 2));
const preview = (page: Page) => page.locator('holdpoint-preview');
const look = (dialect: string, body: object) =>
  stage.call<{ interaction: Interaction }>('/console/preview', { dialect, body });

test.each(Object.entries(examplesOf))('[CO52] the server accepts every example of %s', async (dialect, examples) => {
  const entries = Object.entries(examples());
  expect(entries.length).toBeGreaterThan(0);
  for (const [name, body] of entries) {
    const { interaction } = await look(dialect, body);
    expect(interaction, name).toMatchObject({ status: 'pending', title: expect.any(String) });
    // The MCP tool call must work for every kind of request.
    if (dialect === 'native' && interaction.fields.length > 0) await look('mcp', toolInputOf(interaction));
  }
  const { data } = await stage.call<{ data: Interaction[] }>('/v1/interactions');
  expect(data).toEqual([]);
});

test('[CO53] previews the request while it is edited, and shows the answer without sending it', async () => {
  const page = await openConsole(stage, '#/playground');
  await preview(page).getByRole('button', { name: 'Allow' }).waitFor();
  await expectAccessible(page);
  await write(page, { title: 'Tea or coffee?', options: ['tea', 'coffee'] });
  await preview(page).getByRole('button', { name: 'coffee' }).click();
  await page.getByText('Preview only, nothing was sent.').waitFor();
  expect(await page.getByRole('region', { name: 'Text of the answer' }).innerText()).toContain('"choice": "coffee"');
  await page.getByLabel('Example').selectOption('Form with every type of field');
  await preview(page).getByText('One of each').waitFor();
  await expectAccessible(page);
  expect((await stage.call<{ data: object[] }>('/v1/interactions')).data).toEqual([]);
});

test('[CO54] reports each problem with its line, and selects it in the editor', async () => {
  const page = await openConsole(stage, '#/playground');
  const wrong = page.locator('.wrong-list li');
  await write(page, '{\n  "title": "A",\n  "options": ["a" "b"]\n}');
  await expect
    .poll(() => wrong.allInnerTexts())
    .toEqual([expect.stringMatching(/Line 3[\s\S]*Expected a comma or \]/)]);
  await write(page, {
    title: 'A',
    fields: [
      { name: 'a', type: 'colour' },
      { name: 'b', type: 'text', maxStars: 3 },
    ],
  });
  await expect
    .poll(() => wrong.allInnerTexts())
    .toEqual([
      expect.stringMatching(/Line 6[\s\S]*\/fields\/0\/type/),
      expect.stringMatching(/Line 11[\s\S]*\/fields\/1\/maxStars[\s\S]*The property "maxStars" is not allowed here/),
    ]);
  await expectAccessible(page);
  await wrong.nth(1).getByRole('button').click();
  const selected = () =>
    editor(page).evaluate((area: HTMLTextAreaElement) => area.value.slice(area.selectionStart, area.selectionEnd));
  expect(await selected()).toBe('"maxStars": 3');
  expect(await page.getByRole('button', { name: 'Create request', exact: true }).getAttribute('aria-disabled')).toBe(
    'true',
  );
  await page.keyboard.type('"maxLength": 3');
  await expect.poll(() => wrong.count()).toBe(1);
});

test('[CO54] lists the keys that are allowed at the caret, and inserts them', async () => {
  const page = await openConsole(stage, '#/playground');
  await write(page, { title: 'A', fields: [{ type: 'rating', name: 'stars' }] });
  const help = page.getByRole('region', { name: /Allowed/ });
  await help.getByRole('button', { name: 'Add deadline' }).waitFor();
  await editor(page).evaluate((area: HTMLTextAreaElement) => {
    area.focus();
    area.setSelectionRange(area.value.indexOf('rating'), area.value.indexOf('rating'));
  });
  await page.keyboard.press('ArrowRight');
  await help.getByText('/fields/0').waitFor();
  expect(await help.getByRole('button', { name: 'Add maxLength' }).count()).toBe(0);
  await help.getByRole('button', { name: 'Add maxStars' }).click();
  expect(JSON.parse(await editor(page).inputValue()).fields[0]).toHaveProperty('maxStars');
  await page.getByLabel('Dialect').selectOption('Agent Service');
  await help.getByRole('button', { name: 'Add resolutionPolicy' }).waitFor();
});

test('[CO55] the editor works with the keyboard: Tab indents, brackets come in pairs, and Esc then Tab leaves it', async () => {
  const page = await openConsole(stage, '#/playground');
  await write(page, '');
  await editor(page).focus();
  await page.keyboard.type('{');
  await page.keyboard.press('Enter');
  await page.keyboard.type('"title": "Is it done?"');
  expect(await editor(page).inputValue()).toBe('{\n  "title": "Is it done?"\n}');
  await page.keyboard.press('Tab');
  expect(await editor(page).inputValue()).toBe('{\n  "title": "Is it done?"  \n}');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  expect(await editor(page).evaluate((area) => area === document.activeElement)).toBe(false);
  await preview(page).getByRole('textbox', { name: 'Is it done?' }).waitFor();
});

test('[CO56] creates the request, answers it, and shows its events, the webhook message and the code', async () => {
  const page = await openConsole(stage, '#/playground');
  await write(page, { title: 'Ship it?', options: ['ship', "don't"], metadata: { order: 7 } });
  await page.getByText('Valid request').waitFor();
  await page.getByRole('button', { name: 'Create request', exact: true }).click();
  await page.locator('holdpoint-request').getByRole('button', { name: 'ship' }).click();
  const events = page.getByRole('list', { name: 'Events, newest first' }).getByRole('listitem');
  await expect
    .poll(() => events.allInnerTexts())
    .toEqual([expect.stringContaining('answered “Ship it?”: ship'), expect.stringContaining('asked “Ship it?”')]);
  await expectAccessible(page);
  const { data } = await stage.call<{ data: Interaction[] }>('/v1/interactions?order=newest&limit=1');
  expect(data[0]).toMatchObject({ title: 'Ship it?', answer: { values: { choice: 'ship' } } });
  await page.getByRole('tab', { name: 'Webhook' }).click();
  const message = await page.getByRole('region', { name: 'Text of the message' }).innerText();
  expect(message).toContain('webhook-id: evt_');
  expect(JSON.parse(message.slice(message.indexOf('{')))).toMatchObject({
    type: 'interaction.answered',
    data: { interaction: { id: data[0]?.id, title: 'Ship it?', metadata: { order: 7 } } },
  });
  await page.getByRole('tab', { name: 'Code' }).click();
  const code = page.getByRole('region', { name: 'Text of the code' });
  expect(await code.innerText()).toContain('send "/v1/threads/$THREAD/interactions"');
  expect(await code.innerText()).toContain(`don'\\''t`);
  await page.getByRole('radio', { name: 'TypeScript' }).check();
  expect(await code.innerText()).toContain('service.createInteraction({');
  await page.getByRole('radio', { name: 'MCP' }).check();
  expect(await code.innerText()).toContain('"create_input_request"');
  await expectAccessible(page);
});

test.each<[DialectName, string]>([
  ['native', 'Deploy 4.2 to production?'],
  ['chat-requests', 'Which environment?'],
  ['input-requests', 'Deploy where?'],
  ['agent-service', 'Run this command?'],
])('[CO82] the code for a shell creates the request as copied: %s', async (dialect, title) => {
  const page = await openConsole(stage, '#/playground');
  await page.getByLabel('Dialect').selectOption(dialect);
  await page.getByRole('tab', { name: 'Code' }).click();
  const code = page.getByRole('region', { name: 'Text of the code' });
  await expect.poll(() => code.innerText()).toContain(title);
  const text = (await code.innerText()).replace('timeoutMs=60000', 'timeoutMs=1');
  const env = { ...process.env, HOLDPOINT_API_KEY: 'key-of-the-tests' };
  const waited = JSON.parse(execFileSync('sh', ['-c', text], { env, encoding: 'utf8' }));
  expect(waited).toMatchObject({ title, status: 'pending' });
});

test.each<[DialectName, string]>([
  ['chat-requests', 'Which environment?'],
  ['input-requests', 'Deploy where?'],
  ['agent-service', 'Run this command?'],
  ['mcp', 'Deploy where?'],
])('[CO56] creates a request of the dialect %s', async (dialect, title) => {
  const page = await openConsole(stage, '#/playground');
  await page.getByLabel('Dialect').selectOption(dialect);
  await preview(page).getByRole('heading', { name: title }).waitFor();
  await page.getByText('Valid request').waitFor();
  await page.getByRole('button', { name: 'Create request', exact: true }).click();
  await page.locator('holdpoint-request').getByRole('heading', { name: title }).waitFor();
  const { data } = await stage.call<{ data: Interaction[] }>('/v1/interactions?order=newest&limit=1');
  expect(data[0]).toMatchObject({ title, original: { dialect: dialect === 'mcp' ? 'input-requests' : dialect } });
});

test('[CO57] a link opens the same request, also on a phone and in dark mode', async () => {
  const page = await openConsole(stage, '#/playground');
  await page.getByLabel('Dialect').selectOption('chat-requests');
  await write(page, { type: 'text_input', title: 'Größe des Pakets?', config: {} });
  await preview(page).getByRole('heading', { name: 'Größe des Pakets?' }).waitFor();
  await expect.poll(() => page.url()).toContain('dialect=chat-requests&request=');
  const address = page.url();
  const options = { viewport: { width: 320, height: 640 }, colorScheme: 'dark' } as const;
  const other = await openConsole(stage, address.slice(address.indexOf('#')), options);
  await preview(other).getByRole('heading', { name: 'Größe des Pakets?' }).waitFor();
  expect(await other.getByLabel('Dialect').inputValue()).toBe('chat-requests');
  await expectNarrow(other);
  await expectAccessible(other);
  await write(page, { type: 'text_input', title: 'Long?', config: { noise: noise(20_000) } });
  await page.getByText('Too large to share by link').waitFor();
});

/** Text that cannot be compressed. */
function noise(length: number): string {
  let seed = 1;
  return Array.from({ length }, () => {
    seed = (seed * 16_807) % 2_147_483_647;
    return String.fromCharCode(33 + (seed % 90)).replace(/["\\]/, 'x');
  }).join('');
}

test('[CO58] a preview needs the right to create requests, and stores nothing', async () => {
  const threadId = await stage.newThread();
  const { id: interactionId } = await stage.ask(threadId, { title: 'Any?' });
  const token = await stage.tokenFor({ interactionId });
  for (const [method, path, body] of [
    ['POST', '/console/preview', { dialect: 'native', body: { title: 'A' } }],
    ['POST', '/console/ask', { dialect: 'native', threadId, body: { title: 'A' } }],
    ['GET', '/console/schema?dialect=native', undefined],
  ] as const) {
    const send = (headers: Record<string, string>) =>
      fetch(stage.url + path, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
    expect((await send({})).status, path).toBe(401);
    expect((await send({ authorization: `Bearer ${token}` })).status, path).toBe(403);
  }
  const { count } = await stage.call<{ count: number }>(`/v1/interactions/count?threadId=${threadId}`);
  expect(count).toBe(1);
});
