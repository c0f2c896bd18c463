/**
 * Makes the pictures of docs/images: `npm run build -- server && node scripts/pictures.ts [name …]`.
 *
 * Uses a real server and a real browser. The fonts are Inter and Noto Sans Arabic if the machine has them, and
 * pngquant makes them small: `apt-get install fonts-inter fonts-noto-core pngquant`.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { benchKey } from '../benchmarks/request-bytes.ts';
import { spawnHoldpoint } from '../benchmarks/spawn-server.ts';
import { openBrowser, type Page } from '../packages/widget/test/open-browser.ts';
import { takeConsole } from './pictures-console.ts';
import * as story from './pictures-story.ts';
import { squeezed } from './squeeze-picture.ts';

interface Picture {
  width: number;
  /** Minimum height. All pictures but the conversation are as high as their content. */
  height: number;
  lang?: string;
  dark?: boolean;
  messages?: readonly object[];
  questions: readonly object[];
  element: 'chat' | 'requests' | 'inbox';
  /** Brings the page into the pictured state. */
  prepare?(page: Page): Promise<unknown>;
}

const stacked = () => [story.deploy(), story.window(), story.announce()];
const chat = { width: 540, height: 960, element: 'chat', messages: story.conversation } as const;
const pictures: Record<string, () => Picture> = {
  chat: () => ({ ...chat, questions: stacked() }),
  dark: () => ({ ...chat, dark: true, questions: stacked() }),
  'right-to-left': () => ({
    ...chat,
    lang: 'ar',
    messages: story.arabicConversation,
    questions: story.arabicQuestions(),
  }),
  stack: () => ({
    width: 520,
    height: 100,
    element: 'requests',
    questions: stacked(),
    prepare: (page) => page.getByRole('button', { name: 'When may refunds wait' }).click(),
  }),
  errors: () => ({
    width: 520,
    height: 100,
    element: 'requests',
    questions: [story.announce()],
    async prepare(page) {
      await page.getByLabel('Headline').fill('Faster checkout');
      await page.getByLabel('Who answers questions').fill('mara at example');
      await page.getByRole('radio', { name: '4 of 5' }).check();
      await page.getByRole('button', { name: 'Publish' }).click();
      await page.getByText('There is a problem').waitFor();
    },
  }),
  inbox: () => ({
    width: 720,
    height: 100,
    element: 'inbox',
    questions: story.waiting(),
    async prepare(page) {
      // With keys, because the button above the list covers rows of this low window.
      await page.getByRole('checkbox', { name: /Refund order/ }).press('Space');
      await page.getByRole('checkbox', { name: /Rotate the signing key/ }).press('Space');
      await page.getByRole('checkbox', { name: /Rotate the signing key/ }).blur();
      await page.getByRole('button', { name: 'Approve selected (2)' }).waitFor();
    },
  }),
};

/** The time that the clock shows in all pictures. */
const moment = '2026-11-16T09:41:00Z';
const folder = fileURLToPath(new URL('../docs/images/', import.meta.url));
const data = mkdtempSync(join(tmpdir(), 'holdpoint-pictures-'));
const place = { flags: ['--data', data], remove: async () => rmSync(data, { recursive: true, force: true }) };
const server = await spawnHoldpoint(place, ['--responder-rate-limit', '0']);
const url = `http://127.0.0.1:${server.port}`;
const browser = await openBrowser();
try {
  mkdirSync(folder, { recursive: true });
  const wanted = process.argv.slice(2);
  const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name);
  for (const [name, make] of Object.entries(pictures)) if (isWanted(name)) keep(name, await take(name, make()));
  await takeConsole(browser, isWanted, keep);
} finally {
  await browser.close();
  await server.stop();
  await place.remove();
}

async function take(name: string, picture: Picture): Promise<Buffer> {
  const { width, height, lang = 'en', dark = false, messages = [], questions, element, prepare } = picture;
  const startedAt = Date.now();
  const threadId = (await call<{ id: string }>('/threads', {})).id;
  for (const message of messages) await call(`/threads/${threadId}/messages`, message);
  const responder = { type: 'human', assignees: [name] };
  for (const question of questions) await call(`/threads/${threadId}/interactions`, { responder, ...question });
  const reach = element === 'inbox' ? { inbox: true } : { threadId };
  const { token } = await call<{ token: string }>('/responder-tokens', { responderId: name, ...reach });
  const context = await browser.newContext({
    viewport: { width, height },
    deviceScaleFactor: 2,
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
    locale: lang,
  });
  const page = await context.newPage();
  await page.clock.setFixedTime(new Date(Date.parse(moment) + 500));
  // The server dates records with the real time, so the page's clock is set to it.
  const shift = Date.parse(moment) - startedAt;
  const moved = (at: string) => new Date(Date.parse(at) + shift).toISOString();
  await page.route(/\/v1\/(interactions\?|threads\/[^/]+\/messages)/, async (route) => {
    const reply = await route.fetch();
    await route.fulfill({ response: reply, body: (await reply.text()).replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, moved) });
  });
  const attributes = `${element === 'inbox' ? '' : `thread="${threadId}"`} token="${token}"`;
  const html = `<!doctype html><html lang="${lang}"><meta charset="utf-8"><title>${name}</title>
    <style>
      body { margin: 0; padding: 24px; background: ${dark ? '#0e1014' : '#eef0f5'}; }
      holdpoint-${element} { --hp-font: Inter, "Noto Sans Arabic", system-ui, sans-serif; --hp-height: ${height - 48}px; }
    </style>
    <script type="module" src="/widget/widget.js"></script><holdpoint-${element} ${attributes}></holdpoint-${element}>`;
  await page.route('**/a-page', (route) => route.fulfill({ contentType: 'text/html', body: html }));
  await page.goto(`${url}/a-page`);
  await page
    .locator('.card, .inbox-title, .stack-title')
    .nth(questions.length - 1)
    .waitFor({ state: 'attached' });
  await prepare?.(page);
  await page.evaluate('document.fonts.ready');
  await page.waitForTimeout(500);
  await page.mouse.move(0, 0);
  // As high as its content and scrolled to the top, so that sticky parts are in place.
  const whole = await page.evaluate<number>('document.documentElement.scrollHeight');
  if (element !== 'chat') await page.setViewportSize({ width, height: whole });
  await page.evaluate('scrollTo(0, 0)');
  const shot = squeezed(await page.screenshot());
  await context.close();
  return shot;
}

function keep(name: string, shot: Buffer): void {
  writeFileSync(`${folder}${name}.png`, shot);
  process.stderr.write(`${name}: ${Math.round(shot.length / 1000)} KB\n`);
}

async function call<T>(path: string, body: object): Promise<T> {
  const headers = { authorization: `Bearer ${benchKey}`, 'content-type': 'application/json' };
  const reply = await fetch(`${url}/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!reply.ok) throw new Error(`${path}: ${await reply.text()}`);
  return (await reply.json()) as T;
}
