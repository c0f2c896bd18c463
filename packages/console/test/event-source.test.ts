/** A real EventSource, in pages of the server and of another origin. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { StreamToken } from '@holdpoint/protocol';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { stageOfThisFile } from '../../widget/test/stage.ts';

/** A page on another port: the same site, and another origin. */
const elsewhere = createServer((_request, response) => {
  response.setHeader('content-type', 'text/html').end('<!doctype html><title>Elsewhere</title>');
});
await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
afterAll(() => void elsewhere.close());

const stage = stageOfThisFile({ flags: ['--cors-origin', origin] });

declare global {
  interface Window {
    source: EventSource;
    heard: string[];
  }
}

/** Resolves when the stream is open, or rejected for good. */
const follow = (page: Page, url: string, withCredentials = false) =>
  page.evaluate(
    ({ url, withCredentials }) =>
      new Promise<number>((resolve) => {
        window.source?.close();
        const source = new EventSource(url, { withCredentials });
        Object.assign(window, { source, heard: [] });
        const hear = ({ data }: MessageEvent) =>
          window.heard.push(JSON.parse(data).data.message.blocks[0].payload.text);
        source.addEventListener('message.created', hear);
        source.onopen = () => resolve(source.readyState);
        source.onerror = () => source.readyState === EventSource.CLOSED && resolve(source.readyState);
      }),
    { url, withCredentials },
  );
const heard = (page: Page) => page.evaluate(() => window.heard);
const state = (page: Page) => page.evaluate(() => window.source.readyState);
const [isOpen, isClosed] = [1, 2];

const say = (threadId: string, text: string) => stage.call(`/v1/threads/${threadId}/messages`, { text });
const mint = (body: object) => stage.call<StreamToken>('/v1/stream-tokens', body);

test('[CO63] a page of the server follows the log with the cookie, and continues after a restart without a gap', async () => {
  const page = await stage.visit('/', { signedIn: true });
  await page.getByRole('heading', { level: 1 }).waitFor();
  const threadId = await stage.newThread();
  expect(await follow(page, `/v1/events?threadId=${threadId}`)).toBe(isOpen);
  await say(threadId, 'one');
  await expect.poll(() => heard(page)).toEqual(['one']);
  await stage.restart();
  await say(threadId, 'two');
  await expect.poll(() => heard(page)).toEqual(['one', 'two']);
});

test('[X44][X45] a page of another origin follows one thread with a token, until a reconnect after its expiry', async () => {
  const threadId = await stage.newThread();
  const page = await stage.visit(`${origin}/`, { through: '' });
  const { url = '' } = await mint({ threadId, ttlSeconds: 300 });
  expect(await follow(page, url)).toBe(isOpen);
  await say(threadId, 'one');
  await say(await stage.newThread(), 'of another thread');
  await say(threadId, 'two');
  await expect.poll(() => heard(page)).toEqual(['one', 'two']);
  await stage.restart();
  await say(threadId, 'three');
  await expect.poll(() => heard(page)).toEqual(['one', 'two', 'three']);

  const { url: brief = '', expiresAt } = await mint({ threadId, ttlSeconds: 1 });
  expect(await follow(page, brief)).toBe(isOpen);
  await expect.poll(() => Date.now() > Date.parse(expiresAt)).toBe(true);
  await say(threadId, 'four');
  await expect.poll(() => heard(page)).toEqual(['four']);
  await stage.restart();
  await expect.poll(() => state(page)).toBe(isClosed);
});

test('[CO63][H6] a page of another origin gets nothing with the cookie, and nothing from a server that does not admit it', async () => {
  const page = await stage.visit('/', { signedIn: true });
  await page.getByRole('heading', { level: 1 }).waitFor();
  // This tab may print errors, because the browser logs blocked requests.
  const other = await page.context().newPage();
  await other.goto(origin);
  expect(await follow(other, `${stage.url}/v1/events`, true)).toBe(isClosed);
  expect(await follow(other, `${stage.url}/v1/events`)).toBe(isClosed);
  const { url = '' } = await mint({});
  // Another name of the same machine is an origin that is not configured.
  await other.goto(origin.replace('127.0.0.1', 'localhost'));
  expect(await follow(other, url)).toBe(isClosed);
});
