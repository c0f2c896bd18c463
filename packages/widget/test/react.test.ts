/** The elements in a React page, and in a server that renders such a page. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HoldpointChat, HoldpointInbox, HoldpointRequest, HoldpointRequests } from '../src/react.ts';
import { stageOfThisFile, strictPolicy } from './stage.ts';

const stage = stageOfThisFile();
const dir = mkdtempSync(join(tmpdir(), 'holdpoint-react-'));

beforeAll(async () => {
  const bundle = await rolldown({
    input: 'packages/widget/test/react-page.ts',
    platform: 'browser',
    logLevel: 'warn',
    tsconfig: 'packages/widget/tsconfig.json',
    transform: { define: { 'process.env.NODE_ENV': '"development"' } },
  });
  await bundle.write({ dir, format: 'esm', entryFileNames: 'page.js' });
  await bundle.close();
});
afterAll(() => rmSync(dir, { recursive: true }));

/** Under the strict policy, without the script of the widget: the components fetch the elements themselves. */
async function openReact(query: Record<string, string>) {
  const page = await stage.open('');
  const html =
    '<!doctype html><html lang="en"><title>React</title><script type="module" src="page.js"></script><body></body>';
  const headers = { 'content-security-policy': strictPolicy };
  await page.route('**/react/**', (route) => {
    const name = new URL(route.request().url()).pathname.split('/').at(-1) || undefined;
    return name
      ? route.fulfill({ headers, contentType: 'text/javascript', body: readFileSync(join(dir, name), 'utf8') })
      : route.fulfill({ headers, contentType: 'text/html; charset=utf-8', body: html });
  });
  await page.goto(`${stage.url}/react/?${new URLSearchParams(query)}`);
  return page;
}

test('[WI36] in React, props reach the element and its events reach the handlers, once each', async () => {
  const thread = await stage.newThread();
  const token = await stage.tokenFor({ threadId: thread });
  const page = await openReact({ show: 'chat', thread, token });
  const chat = page.locator('holdpoint-chat');
  await chat.getByRole('textbox', { name: 'Write a message' }).waitFor();
  await page.getByText('asked for a token').waitFor();
  expect(await chat.getAttribute('class')).toBe('chat of the page');
  expect(await chat.getAttribute('token')).toBe(null);
  await stage.ask(thread, { title: 'Tea?', options: ['yes', 'no'] });
  await chat.getByRole('button', { name: 'yes' }).click();
  const heard = () => page.locator('output').textContent();
  await expect.poll(heard).toBe('pending:1 asked:Tea? pending:0 closed:answered');
  await page.getByRole('button', { name: 'Name the element' }).click();
  await expect.poll(heard).toContain(' holdpoint-chat');
});

test('[WI36] in React, a prop that changes changes the element', async () => {
  const thread = await stage.newThread();
  const token = await stage.tokenFor({ threadId: thread });
  const page = await openReact({ show: 'chat', thread, token });
  await page.getByRole('textbox', { name: 'Write a message' }).waitFor();
  await page.getByRole('button', { name: 'Sprich Deutsch' }).click();
  await page.getByRole('textbox', { name: 'Nachricht schreiben' }).waitFor();
  expect(await page.locator('holdpoint-chat').getAttribute('locale')).toBe('de');
});

test('[WI36] in React, children fill the slots', async () => {
  const thread = await stage.newThread();
  const token = await stage.tokenFor({ threadId: thread });
  for (const show of ['requests', 'inbox']) {
    const page = await openReact({ show, thread, token });
    await page.getByText('All done').waitFor();
    await stage.ask(thread, { title: 'Tea?', options: ['yes', 'no'] }).then(async ({ id }) => {
      await page.getByText('All done').waitFor({ state: 'hidden' });
      await stage.call(`/v1/interactions/${id}/answers`, { values: { choice: 'no' } });
    });
    await page.getByText('All done').waitFor();
  }
});

test('[WI36] in React, one question is shown alone', async () => {
  const thread = await stage.newThread();
  const { id } = await stage.ask(thread, { title: 'Which?', options: ['left', 'right'] });
  const token = await stage.tokenFor({ interactionId: id });
  const page = await openReact({ show: 'request', token, interaction: id });
  await page.locator('holdpoint-request').getByRole('button', { name: 'left' }).click();
  await page.getByText('This request was answered.').waitFor();
});

test('[WI37] a server renders the components without a page, and renders nothing', () => {
  expect(globalThis).not.toHaveProperty('customElements');
  const page = createElement(
    'main',
    null,
    createElement(HoldpointChat, { thread: 't', token: 'x' }),
    createElement(HoldpointRequests, { thread: 't', token: 'x' }),
    createElement(HoldpointRequest, { interaction: 'i', token: 'x' }),
    createElement(HoldpointInbox, { token: 'x' }),
  );
  expect(renderToString(page)).toBe('<main></main>');
});

test('[WI36] the compiler rejects props that a component does not have', () => {
  // @ts-expect-error a chat needs a thread
  const nowhere = createElement(HoldpointChat, { token: 'x' });
  // @ts-expect-error one question has no thread
  const elsewhere = createElement(HoldpointRequest, { interaction: 'i', thread: 't' });
  // @ts-expect-error there are two themes
  const sepia = createElement(HoldpointInbox, { theme: 'sepia' });
  const typed = createElement(HoldpointRequests, {
    thread: 't',
    onPending: ({ detail }) => detail.count.toFixed(),
    // @ts-expect-error an interaction has a title, and no name
    onAsked: ({ detail }) => detail.name,
  });
  for (const element of [nowhere, elsewhere, sepia, typed]) expect(renderToString(element)).toBe('');
});
