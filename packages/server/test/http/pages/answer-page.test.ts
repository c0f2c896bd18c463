/** Links to one question: what mints them, and the page that they lead to. */
import type { ResponderToken } from '@holdpoint/protocol';
import { afterAll, expect, test } from 'vitest';
import { startTestServer } from '../../test-server.ts';
import { call } from '../access/console-caller.ts';
import { startSpecServer } from '../openapi/spec-server.ts';

const server = await startSpecServer();
const { admin } = server;
const watcher = await server.place.watch();
afterAll(async () => {
  await watcher[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const mint = (reach: Record<string, unknown>, client = admin) =>
  client.made<ResponderToken>('/v1/responder-tokens', { responderId: 'ada', ...reach });

test('[LP1] a token for one question comes with a link, and no other does', async () => {
  const { id, threadId } = await admin.ask();
  const { token, url } = await mint({ interactionId: id });
  expect(url).toBe(`${server.url}/a/#${token}`);
  expect(await mint({ threadId })).not.toHaveProperty('url');
  expect(await mint({ inbox: true })).not.toHaveProperty('url');
});

test('[LP1] the link is under the address that people reach the server at', async () => {
  await using shown = await startTestServer({ publicUrl: 'https://holdpoint.example.com' });
  const { body: thread } = await shown.admin.post<{ id: string }>('/v1/threads');
  const asked = await shown.admin.post<{ id: string }>(`/v1/threads/${thread.id}/interactions`, { title: 'Well?' });
  const minted = { responderId: 'ada', interactionId: asked.body.id };
  const { body } = await shown.admin.post<ResponderToken>('/v1/responder-tokens', minted);
  expect(body.url).toBe(`https://holdpoint.example.com/a/#${body.token}`);
});

test('[LP1] where the server listens on every address, the link is under one that can be called', async () => {
  await using open = await startTestServer({ host: '0.0.0.0' });
  const { body: thread } = await open.admin.post<{ id: string }>('/v1/threads');
  const asked = await open.admin.post<{ id: string }>(`/v1/threads/${thread.id}/interactions`, { title: 'Well?' });
  const minted = { responderId: 'ada', interactionId: asked.body.id };
  const { body } = await open.admin.post<ResponderToken>('/v1/responder-tokens', minted);
  expect(body.url).toBe(`http://127.0.0.1:${new URL(open.url).port}/a/#${body.token}`);
});

test('[LP2] a link of an earlier version leads to its page', async () => {
  const { headers, status } = await call(server.url, '/a/hpr_1.a-b_c');
  expect([status, headers.location]).toEqual([302, '/a/#hpr_1.a-b_c']);
  expect((await call(server.url, '/a///example.com')).headers.location ?? '').not.toContain('example.com');
});

test('[LP2] one page for every link, that changes nothing and is kept by nobody', async () => {
  const { id } = await admin.ask({ title: 'A title that is nobody else’s' });
  await mint({ interactionId: id });
  const before = await watcher.changes();
  const pages = await Promise.all(
    ['/', '', '/?a=b', `/?${'x'.repeat(5_000)}`, '?%20'].map((rest) =>
      call(server.url, `/a${rest}`, { headers: { 'user-agent': 'Slackbot-LinkExpanding 1.0' } }),
    ),
  );
  expect(await watcher.changes()).toBe(before);
  const [page] = pages;
  for (const { status, text } of pages) expect([status, text]).toEqual([200, page?.text]);
  expect(page?.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex, nofollow',
    'x-content-type-options': 'nosniff',
  });
  expect(page?.text).toContain('<meta property="og:title" content="A question is waiting for your answer">');
  expect(page?.text).not.toMatch(/nobody else|hpr_|og:description|og:image/);
  expect((await admin.get(`/v1/interactions/${id}`)).body).toMatchObject({ status: 'pending', version: 1 });
});

test('[LP2] other methods are refused', async () => {
  const refused = await call(server.url, '/a/', { body: {} });
  expect(refused).toMatchObject({ status: 405, headers: { allow: expect.stringContaining('GET') } });
  expect((await call(server.url, '/a/x/y')).status).toBe(404);
});

test('[LP4] nothing on it is inline, and its policy lets nothing inline in', async () => {
  const { headers, text } = await call(server.url, '/a/');
  const policy = String(headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'");
  expect(policy).toContain("frame-ancestors 'none'; trusted-types 'none'; require-trusted-types-for 'script'");
  expect(policy).not.toContain('unsafe');
  expect(text).not.toMatch(/<style|style=|<script(?! type="module" src="\/widget\/(widget|answer)\.js">)| on\w+=/);
  const style = /href="(\/answer\.css\?v=\w+)"/.exec(text)?.[1] ?? '';
  expect(await call(server.url, style)).toMatchObject({
    status: 200,
    headers: { 'content-type': 'text/css; charset=utf-8' },
  });
});
