/** A page of another origin with one script tag and a public key. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type {
  CreatedApiKey,
  FileRef,
  Interaction,
  LogEvent,
  Page as PageOf,
  PublicKeySettings,
  Thread,
} from '@holdpoint/protocol';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pixel } from './every-field.ts';
import { button } from './scenes.ts';
import { expectAccessible, stageOfThisFile, type VisitOptions } from './stage.ts';

const agent = fileURLToPath(new URL('../../server/test/agents/examples/visitors.ts', import.meta.url));
const stage = stageOfThisFile({ flags: ['--agent', agent, '--session-rate-limit', '0'] });
let html = '';
/** Another origin, because it has another port. The policy is the one that the guide gives. */
const shop = createServer((_request, response) => {
  const policy = `default-src 'none'; script-src ${stage.url}; connect-src ${stage.url}; trusted-types 'none'; require-trusted-types-for 'script'`;
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy }).end(html);
});
const shopUrl = () => `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
beforeAll(() => new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve)));
afterAll(() => new Promise<unknown>((resolve) => shop.close(resolve)));

async function newKey(settings: Partial<PublicKeySettings> = {}): Promise<string> {
  const key = { agent: 'visit', allowedOrigins: [shopUrl()], ...settings };
  const made = await stage.call<CreatedApiKey>('/v1/keys', { name: 'a shop', role: 'public', public: key });
  return made.publicKey ?? '';
}

async function openShop(publicKey: string, more = '', options: VisitOptions = {}): Promise<Page> {
  html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>A shop</title><body><main><h1>A shop</h1></main><script src="${stage.url}/widget/loader.js" data-public-key="${publicKey}" ${more} async></script>`;
  return stage.visit('/', { ...options, through: shopUrl() });
}

const launcher = (page: Page) => page.getByRole('button', { name: /^Open the conversation/ });
const log = (page: Page) => page.getByRole('log');
async function say(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Write a message' }).fill(text);
  await page.keyboard.press('Enter');
  await log(page).getByText(text, { exact: true }).waitFor();
}

/** Finds the thread of the page on the server. */
async function threadOf(publicKey: string): Promise<Thread> {
  const { data } = await stage.call<PageOf<Thread>>('/v1/threads?limit=200');
  const { data: keys } = await stage.call<PageOf<{ id: string; publicKey?: string }>>('/v1/keys?limit=200');
  const keyId = keys.find((key) => key.publicKey === publicKey)?.id;
  const found = data.filter(({ metadata }) => (metadata?.session as { keyId?: string } | undefined)?.keyId === keyId);
  expect(found).toHaveLength(1);
  return found[0] as Thread;
}
const telemetryOf = async ({ id }: Thread): Promise<string[]> => {
  const { data } = await stage.call<PageOf<LogEvent>>(`/v1/threads/${id}/log?limit=200`);
  return data.flatMap((event) => (event.type === 'telemetry.recorded' ? [event.data.name] : []));
};

test('[WI63] one script tag: from the first message over a reload to a signature, under a strict policy', async () => {
  const publicKey = await newKey({ widget: { title: 'Ask the shop' }, quickQuestions: ['Return an order'] });
  const page = await openShop(publicKey, `data-customer-id="c-7" data-variables='{"cart":3}'`);
  await page.context().route('https://example.com/**', (route) => route.fulfill({ body: 'there' }));
  await launcher(page).click();
  await page.getByRole('heading', { name: 'Ask the shop' }).waitFor();
  await button(page, 'Return an order').click();
  await log(page).getByText('Return an order').waitFor();
  await log(page).getByText('We are sorry to hear that.').waitFor();
  const terms = page.waitForEvent('popup');
  await page.getByRole('link', { name: 'Our terms' }).click();
  // A hidden page draws once a second.
  await (await terms).close();
  await page.getByRole('heading', { name: 'Return an order' }).waitFor();
  expect(await page.locator('.block-card').count()).toBe(0);
  expect(await button(page, 'Decline').count()).toBe(0);
  await page.getByRole('heading', { name: 'About you' }).waitFor();
  await expectAccessible(page);

  // Missing values are reported before the answer is sent.
  await button(page, 'Send it back').click();
  await page.getByText('There is a problem').waitFor();
  await page.getByLabel('Name').fill('Ann');
  await page.getByLabel('What happened?').fill('It broke.');
  await page.getByLabel('Email').fill('ann@example.com');
  await page.getByLabel('Phone').fill('+49 30 123456');
  await page.getByLabel('Website').fill('https://example.com/');
  await page.getByLabel('How many?').fill('2');
  await page.getByLabel('Bought on').fill('2030-01-31');
  await page.getByLabel('Tell me about news').check();
  await page.getByLabel('Size').selectOption('large');
  await page.getByRole('radio', { name: 'blue' }).check();
  for (const part of ['lid', 'cable']) await page.getByRole('checkbox', { name: part }).check();
  await page.getByRole('radio', { name: '3 of 4' }).check();
  await page
    .getByLabel('Bill')
    .setInputFiles({ name: 'bill.txt', mimeType: 'text/plain', buffer: Buffer.from('12 €') });
  await button(page, 'Remove bill.txt').waitFor();
  const photos = ['one.png', 'two.png'].map((name) => ({ name, mimeType: 'image/png', buffer: pixel }));
  await page.getByLabel('Photos').setInputFiles(photos);
  await button(page, 'Remove two.png').waitFor();
  // Running calls end with the page.
  await expect.poll(() => page.getByRole('progressbar').count()).toBe(0);

  await page.reload();
  // The launcher counts pending requests before it is opened.
  await page.getByRole('button', { name: 'Open the conversation (1)' }).click();
  await log(page).getByText('We are sorry to hear that.').waitFor();
  expect(await page.getByLabel('Name').inputValue()).toBe('Ann');
  for (const name of ['bill.txt', 'one.png', 'two.png']) await button(page, `Remove ${name}`).waitFor();
  const pad = page.getByRole('img', { name: 'Sign here' });
  await pad.scrollIntoViewIfNeeded();
  const { x, y } = (await pad.boundingBox()) as { x: number; y: number };
  await page.mouse.move(x + 20, y + 20);
  await page.mouse.down();
  await page.mouse.move(x + 120, y + 60, { steps: 8 });
  await page.mouse.up();
  await button(page, 'Send it back').click();
  await log(page).getByText('Thank you, Ann.').waitFor();
  await page.getByRole('heading', { name: 'Return an order' }).waitFor({ state: 'detached' });
  await expectAccessible(page);

  const thread = await threadOf(publicKey);
  expect(thread.metadata?.session).toMatchObject({ customerId: 'c-7', variables: { cart: 3 }, origin: shopUrl() });
  const { data: asked } = await stage.call<PageOf<Interaction>>(`/v1/interactions?threadId=${thread.id}`);
  const { values, by } = asked[0]?.answer ?? {};
  expect(by).toEqual({ type: 'human', id: 'customer:c-7', via: 'token', keyId: expect.any(String) });
  expect(values).toEqual({
    ...{ name: 'Ann', story: 'It broke.', mail: 'ann@example.com', phone: '+49 30 123456' },
    ...{ site: 'https://example.com/', count: 2, day: '2030-01-31', news: true, size: 'large', colour: 'blue' },
    ...{ parts: ['lid', 'cable'], stars: 3, bill: expect.objectContaining({ name: 'bill.txt', mime: 'text/plain' }) },
    // In the order in which they arrived.
    photos: expect.toSatisfy(
      (sent: FileRef[]) =>
        sent
          .map(({ name }) => name)
          .toSorted()
          .join() === 'one.png,two.png',
    ),
    signed: expect.objectContaining({ mime: 'image/png' }),
  });
  const signed = values?.signed as FileRef | undefined;
  expect(await stage.call(`/v1/files/${signed?.file_id}`)).toMatchObject({ width: 300, height: 100 });
  const names = ['conversation_started', 'link_click', 'message_sent', 'widget_open', 'widget_open'];
  await expect.poll(async () => (await telemetryOf(thread)).toSorted()).toEqual(names);
});

test('[WI63] choices and cards are one tap, and a question keeps what it says', async () => {
  const publicKey = await newKey();
  const page = await openShop(publicKey, 'data-open', { viewport: { width: 320, height: 640 } });
  await say(page, 'choose');
  await page.getByRole('heading', { name: 'What do you drink?' }).waitFor();
  await page.getByText('It is free.').waitFor();
  expect(await log(page).getByText('It is free.').count()).toBe(0);
  await button(page, 'coffee').click();
  await page.getByRole('checkbox', { name: 'milk' }).check();
  await button(page, 'Send').last().waitFor();
  await page.getByRole('form', { name: 'With?' }).getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('link', { name: 'Read more' }).waitFor();
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  // A button that moved under a resting pointer takes no press (WI61).
  await page.mouse.move(1, 1);
  await button(page, 'Take it').click();
  await page.getByRole('radio', { name: 'No' }).check();
  await page.getByRole('form', { name: 'Last one' }).getByRole('button', { name: 'Send', exact: true }).click();
  const answers = '{"choice":"coffee"} {"choice":["milk"]} {"action":"take"} {"sure":false}';
  await log(page).getByText(answers).waitFor();
});

test('[WI63] the next message continues, a failure appears without its reason, and a new session follows an expired one', async () => {
  const page = await openShop(await newKey(), 'data-open');
  await say(page, 'talk');
  await log(page).getByText('About what?').waitFor();
  await say(page, 'tea');
  await log(page).getByText('So, tea.').waitFor();
  await say(page, 'nonsense');
  await log(page).getByText('Something went wrong. Try again.').waitFor();
  expect(await page.getByText('nobody’s business').count()).toBe(0);
  await page.evaluate(() => {
    const [key = '', kept = ''] =
      Object.entries(sessionStorage).find(([name]) => name.startsWith('holdpoint-session')) ?? [];
    sessionStorage.setItem(key, JSON.stringify({ ...JSON.parse(kept), sessionToken: 'hpr_over' }));
  });
  await page.reload();
  await say(page, 'talk');
  await log(page).getByText('About what?').waitFor();
  expect(await log(page).getByText('So, tea.').count()).toBe(0);
});

test('[WI63] a page that the key does not allow gets no conversation, and its author sees the reason', async () => {
  const publicKey = await newKey({ allowedOrigins: ['https://elsewhere.example'] });
  const warnings: string[] = [];
  const page = await openShop(publicKey, 'data-open', {
    prepare: async (it) => it.on('console', (message) => warnings.push(message.text())),
  });
  await page.getByText('This conversation is currently unavailable.').waitFor();
  expect(warnings.join()).toContain('The public key does not allow pages of');
  await expectAccessible(page);
});

test('[WI63] no session opens for a visitor who does not see the conversation', async () => {
  const publicKey = await newKey();
  const page = await openShop(publicKey);
  const calls: string[] = [];
  page.on('request', (request) => calls.push(request.url()));
  await launcher(page).waitFor();
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  await page.reload();
  await launcher(page).waitFor();
  expect(calls.filter((url) => !/\/(widget\/loader\.js)?$/.test(new URL(url).pathname))).toEqual([]);
});
