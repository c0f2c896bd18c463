/** An unknown address: a page for people, a problem for programs. And what all pages look like. */
import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { docsStyle } from '../../../src/http/docs/docs-style.ts';
import { answerStyle } from '../../../src/http/pages/answer-style.ts';
import { icon } from '../../../src/http/pages/logo.ts';
import { adminKey, startTestServer } from '../../test-server.ts';

const server = await startTestServer();
afterAll(() => server[Symbol.asyncDispose]());

/** As Chromium asks for a page. */
const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';
const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(server.url + path, { method, headers });

test('[PG1] a browser gets a page that says what to do, and names nothing of the address', async () => {
  for (const path of ['/nothing-here', '/widget/nothing-here.js', '/v1nothing-here']) {
    const reply = await get(path, { accept });
    expect(reply.status, path).toBe(404);
    expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(reply.headers.get('vary')).toContain('accept');
    expect(reply.headers.get('x-request-id')).toBeTruthy();
    const page = await reply.text();
    expect(page).toContain('<h1>Page not found</h1>');
    expect(page).toContain('href="/docs"');
    expect(page).not.toContain('nothing-here');
  }
  expect((await get('/nothing-here', { accept }, 'HEAD')).headers.get('content-type')).toContain('text/html');
});

test('[PG1] every other caller gets the error of the API', async () => {
  for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }] as Record<string, string>[]) {
    const reply = await get('/nothing-here', headers);
    expect(reply.status).toBe(404);
    expect(reply.headers.get('content-type')).toContain('application/problem+json');
    expect(await reply.json()).toMatchObject({ code: 'route-not-found' });
  }
  const posted = await get('/nothing-here', { accept }, 'POST');
  expect(posted.headers.get('content-type')).toContain('json');
  for (const path of ['/v1/nothing-here', '/v1/runs/%zz', '/mcp/nothing-here'])
    expect((await get(path, { accept })).headers.get('content-type'), path).toContain('json');
  const unknown = await get('/v1/interactions/none', { accept, authorization: `Bearer ${adminKey}` });
  expect(await unknown.json()).toMatchObject({ code: 'interaction-not-found' });
});

test('[PG2] all pages have one logo and one accent colour', async () => {
  const read = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');
  expect(read('console/icon.svg').trim()).toBe(icon);
  for (const page of ['/docs', '/a/token', '/nothing-here'])
    expect(await (await get(page, { accept })).text(), page).toContain('href="/icon.svg"');
  expect(await (await get('/icon.svg')).text()).toBe(icon);
  const [, light = '', dark = ''] =
    /--hp-accent, light-dark\((#\w+), (#\w+)\)/.exec(read('widget/src/style/tokens.ts')) ?? [];
  expect(light).toMatch(/^#\w{6}$/);
  expect(icon).toContain(light);
  expect(answerStyle).toContain(`--accent: light-dark(${light}, ${dark})`);
  expect(read('widget/src/loader.ts')).toContain(`var(--hp-accent, light-dark(${light}, ${dark}))`);
  expect(docsStyle.match(/--accent: #\w+/g)).toEqual([`--accent: ${light}`, `--accent: ${dark}`]);
});
