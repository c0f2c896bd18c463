/** What the console is made of, as it was built, and what stands in its place where it was not. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fastify } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { addConsoleFiles } from '../../../src/http/pages/static-files.ts';
import { startTestServer } from '../../test-server.ts';
import { call } from '../access/console-caller.ts';

/** A server of these files alone. */
function consoleOf(files: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-console-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const app = fastify();
  addConsoleFiles(app, [pathToFileURL(`${folder}/`)]);
  const put = (name: string, text: string) => writeFileSync(join(folder, name), text);
  for (const [name, text] of Object.entries(files)) put(name, text);
  return { put, get: (url: string, headers = {}) => app.inject({ url, headers }) };
}

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' https: data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; trusted-types 'none'; require-trusted-types-for 'script'";

test('[CO8] / is the first page, by a policy that lets in nothing inline', async () => {
  const { get } = consoleOf({ 'index.html': '<!doctype html>the console' });
  const page = await get('/');
  expect(page).toMatchObject({ statusCode: 200, body: '<!doctype html>the console' });
  expect(page.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'cache-control': 'no-cache',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  });
  const same = await get('/', { 'if-none-match': page.headers.etag });
  expect(same).toMatchObject({ statusCode: 304, body: '' });
});

test('[CO8] files named by their content are cached forever, all others are revalidated', async () => {
  const { get } = consoleOf({
    'console.js': 'a()',
    'inbox-Ab3_x-9Z.js': 'b()',
    'console.css': 'c',
    'icon.svg': '<svg/>',
  });
  const headersOf = async (name: string) => (await get(`/console/${name}`)).headers;
  expect(await headersOf('console.js')).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'no-cache',
  });
  expect(await headersOf('inbox-Ab3_x-9Z.js')).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
  });
  expect(await headersOf('console.css')).toMatchObject({ 'content-type': 'text/css; charset=utf-8' });
  expect(await headersOf('icon.svg')).toMatchObject({ 'content-type': 'image/svg+xml' });
  expect(await headersOf('console.js')).not.toHaveProperty('access-control-allow-origin');
  expect((await get('/console/console.js', { 'accept-encoding': 'gzip' })).headers['content-encoding']).toBe('gzip');
});

test.each(['none.js', '..%2findex.html', '.hidden.js', 'notes.txt', 'index.html%00', '%2e%2e/index.html', 'a%5cb.js'])(
  '[CO8] there is no /console/%s',
  async (name) => {
    const { get } = consoleOf({ 'index.html': 'x', '.hidden.js': 'x', 'notes.txt': 'x' });
    expect((await get(`/console/${name}`)).statusCode).toBeGreaterThanOrEqual(400);
  },
);

test('[CO8] where it was not built, / says how to, and shows it once it is', async () => {
  const { get, put } = consoleOf({});
  const page = await get('/');
  expect(page).toMatchObject({ statusCode: 200, body: expect.stringContaining('npm run build') });
  expect(page.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy });
  put('index.html', 'built');
  expect((await get('/')).body).toBe('built');
});

test('[CO8][X1] a server shows its first page to anybody, and nothing else', async () => {
  await using server = await startTestServer();
  expect(await call(server.url, '/')).toMatchObject({ status: 200, headers: { 'content-security-policy': policy } });
  expect((await call(server.url, '/v1/threads')).status).toBe(401);
});
