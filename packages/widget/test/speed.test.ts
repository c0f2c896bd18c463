/** The causes of speed that need no clock: scripts in a row, repeated drawing, and writes. */
import { expect, test } from 'vitest';
import { fetchedScripts, usualForm } from './fetched-scripts.ts';
import { stageOfThisFile } from './stage.ts';

const stage = stageOfThisFile();

async function openRequests(question: Parameters<typeof stage.ask>[1]) {
  const thread = await stage.newThread();
  const asked = await stage.ask(thread, question);
  const token = await stage.tokenFor({ threadId: thread });
  const page = await stage.open(`<holdpoint-requests thread="${thread}" token="${token}"></holdpoint-requests>`);
  return { page, asked };
}

const names = (sizes: Record<string, number>) =>
  Object.keys(sizes).map((name) => name.replace(/-[\w-]{8}\.js$/, '.js'));

test('[WI45] a form takes two scripts, and the second is requested before the server responds', async () => {
  const { page } = await openRequests(usualForm);
  const scripts = fetchedScripts(page);
  const asked: string[] = [];
  page.on('request', (request) => {
    const path = new URL(request.url()).pathname;
    // Calls of the page before the reload do not count: it lives until the next page is there.
    if (path === '/widget/widget.js') asked.length = 0;
    asked.push(path);
  });
  await page.reload();
  await page.getByLabel('Name').fill('4.2');
  expect(names(await scripts()).toSorted()).toEqual(['form.js', 'widget.js']);
  const form = asked.findIndex((path) => path.startsWith('/widget/form-'));
  const api = asked.findIndex((path) => path.startsWith('/v1/'));
  expect(form).toBeGreaterThan(-1);
  expect(form).toBeLessThan(api);
});

test('[WI45] a conversation without a question takes one script', async () => {
  const thread = await stage.newThread();
  const token = await stage.tokenFor({ threadId: thread });
  const page = await stage.open(`<holdpoint-chat thread="${thread}" token="${token}"></holdpoint-chat>`);
  const scripts = fetchedScripts(page);
  await page.reload();
  await page.getByRole('textbox', { name: 'Write a message' }).fill('Hello');
  await page.keyboard.press('Enter');
  await page.getByRole('log').getByText('Hello').waitFor();
  expect(names(await scripts())).toEqual(['widget.js']);
});

test('[WI45] typing changes nothing in the other rows, and is written to storage later', async () => {
  const fields = Array.from({ length: 40 }, (_, index) => ({
    type: 'text' as const,
    name: `field-${index}`,
    label: `Field ${index}`,
  }));
  const { page } = await openRequests({ title: 'A long form', fields });
  await page.getByLabel('Field 0').fill('a');
  await expect.poll(() => page.evaluate('localStorage.length')).toBe(1);
  const found = await page.evaluate<{ changed: number; before: string; after: string }>(`(() => {
    const root = document.querySelector('holdpoint-requests').shadowRoot;
    const [first, ...others] = root.querySelectorAll('.row');
    let changed = 0;
    const observer = new MutationObserver((records) => { changed += records.length; });
    for (const row of others) observer.observe(row, { subtree: true, childList: true, attributes: true, characterData: true });
    const kept = () => localStorage.getItem(localStorage.key(0));
    const before = kept();
    const input = first.querySelector('input');
    input.value = 'ab';
    input.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
    const after = kept();
    return new Promise((resolve) => requestAnimationFrame(() => setTimeout(() =>
      resolve({ changed, before, after }))));
  })()`);
  expect(found.changed).toBe(0);
  expect(found.after).toBe(found.before);
  await expect.poll(() => page.evaluate('localStorage.getItem(localStorage.key(0))')).toContain('"ab"');
});

test('[WI45] input from right before the page is left is kept', async () => {
  const { page, asked } = await openRequests(usualForm);
  await page.getByLabel('Name').waitFor();
  // This browser has the draft, not the server.
  await page.route(`**/v1/interactions/${asked.id}/draft`, (route) =>
    route.request().method() === 'GET' ? route.continue() : route.abort(),
  );
  await page.evaluate(`(() => {
    const input = document.querySelector('holdpoint-requests').shadowRoot.querySelector('input');
    input.value = 'typed at last';
    input.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
    location.reload();
  })()`);
  await expect
    .poll(() =>
      page
        .getByLabel('Name')
        .inputValue()
        .catch(() => ''),
    )
    .toBe('typed at last');
});

test('[WI45] a date is a calendar after the first paint, and keeps earlier input', async () => {
  const { page } = await openRequests(usualForm);
  const day = page.getByLabel('Day');
  await expect.poll(() => day.getAttribute('type')).toBe('date');
  await day.fill('2030-12-31');
  await page.getByLabel('Name').fill('4.2');
  expect(await day.inputValue()).toBe('2030-12-31');
});
