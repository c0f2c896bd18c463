/** The reference is complete, safe and correct. */
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { errorTable, fieldSchemas } from '@holdpoint/protocol';
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { docsPage } from '../src/http/docs/docs-page.ts';
import { docsStyle } from '../src/http/docs/docs-style.ts';
import { errorAdvice } from '../src/http/docs/error-advice.ts';
import { examples, questions } from '../src/http/docs/examples.ts';
import { documentedRoutes } from '../src/http/docs/reference.ts';
import { entryId } from '../src/http/docs/schema-view.ts';
import { openApi } from '../src/http/openapi/openapi.ts';
import { dialects } from '../src/web.ts';
import type { Client } from './client.ts';
import { startTestServer, type TestServer } from './test-server.ts';

let server: TestServer;
let page: string;
let headers: Headers;

beforeAll(async () => {
  // The host of the example belongs to nobody.
  const resolveHost = async () => [{ address: '127.0.0.1', family: 4 }];
  server = await startTestServer({ internals: { resolveHost } });
  const response = await fetch(`${server.url}/docs`);
  headers = response.headers;
  page = await response.text();
});
afterAll(() => server[Symbol.asyncDispose]());

const ids = () => [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);

describe('the page', () => {
  test('[X1] is served without a key', async () => {
    const response = await fetch(`${server.url}/docs`);
    expect(response.status).toBe(200);
  });

  test('has a section for every route, an anchor for every error and every field type', () => {
    for (const { method, path } of documentedRoutes)
      expect(ids()).toContain(entryId(method, path.replace(/:(\w+)/g, '{$1}')));
    for (const code of Object.keys(errorTable)) expect(ids()).toContain(`error-${code}`);
    for (const type of Object.keys(fieldSchemas)) expect(ids()).toContain(`field-${type}`);
  });

  test('has no broken link and no id twice', () => {
    const targets = [...page.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id);
    expect(targets.filter((id) => !ids().includes(id))).toEqual([]);
    expect(ids().filter((id, index) => ids().indexOf(id) !== index)).toEqual([]);
  });

  test('has no inline part that its policy would refuse, and makes no requests to others', async () => {
    expect(headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(page).not.toMatch(
      /<script(?! type="module" src="\/widget\/reference\.js"><)|<style| style=| on\w+=|(?:src|href)="(?:https?:)?\/\//,
    );
    const [, style = ''] = / rel="stylesheet" href="([^"]+)"/.exec(page) ?? [];
    const stylesheet = await fetch(server.url + style);
    expect(stylesheet.headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(stylesheet.headers.get('cache-control')).toContain('max-age');
    expect(await stylesheet.text()).not.toContain('url(');
  });

  test('[PG3] is compressed, and not sent again to a browser that has it', async () => {
    for (const path of ['/docs', '/openapi.json', '/docs.css'])
      for (const encoding of ['br', 'gzip']) {
        const reply = await fetch(server.url + path, { headers: { 'accept-encoding': encoding } });
        expect(reply.headers.get('content-encoding'), path).toBe(encoding);
        expect(reply.headers.get('vary')).toContain('accept-encoding');
        const again = await fetch(server.url + path, { headers: { 'if-none-match': reply.headers.get('etag') ?? '' } });
        expect(again.status).toBe(304);
        expect((await reply.text()).length).toBeGreaterThan(1_000);
      }
    const plain = await fetch(`${server.url}/docs`, { headers: { 'accept-encoding': 'br;q=0, identity' } });
    expect(plain.headers.get('content-encoding')).toBeNull();
    const { headers: named } = await fetch(`${server.url.replace('127.0.0.1', 'localhost')}/docs`);
    expect(named.get('etag')).not.toBe(headers.get('etag'));
  });

  test('has a colour for every method, light and dark', () => {
    for (const method of new Set(documentedRoutes.map((route) => route.method.toLowerCase()))) {
      expect(docsStyle).toContain(`.${method} { color: var(--${method}); background: var(--${method}-bg); }`);
      for (const variable of [` --${method}: #`, ` --${method}-bg: #`])
        expect(docsStyle.split(variable), variable).toHaveLength(3);
    }
  });

  test('names the address of the request, unless that could be an attack', async () => {
    expect(page).toContain(`export HOLDPOINT_URL=${server.url}`);
    expect(await docsFor(server.url, 'docs.example.com')).toContain('export HOLDPOINT_URL=http://docs.example.com\n');
    const tricked = await docsFor(server.url, '$(reboot)');
    expect(tricked).not.toContain('reboot');
    expect(tricked).toContain('export HOLDPOINT_URL=http://127.0.0.1:7400\n');
  });

  test('lists every call of every dialect', async () => {
    const page = await (await fetch(`${server.url}/docs`)).text();
    for (const { name, routes } of dialects) {
      expect(page).toContain(`id="dialect-${name}"`);
      for (const { path } of routes) expect(page).toContain(`<code>${path.replace(/:(\w+)/g, '{$1}')}</code>`);
    }
  });

  test('escapes all texts of the document', () => {
    const bad = '<img src=x onerror=alert(1)>"\'&';
    const [first, ...rest] = documentedRoutes;
    if (!first) throw new Error('there are no routes');
    const document = openApi([{ ...first, summary: bad, description: bad, tag: bad }, ...rest]);
    const { html } = docsPage({ ...document, info: { ...document.info, title: bad, summary: bad } }, []);
    expect(html).not.toContain('<img src=x');
    expect(html).toContain('&#60;img');
  });
});

describe('the OpenAPI document', () => {
  test('names every schema once, and every reference leads to a schema', async () => {
    const { body } = await server.admin.get<{ components: { schemas: object } }>('/openapi.json');
    const text = JSON.stringify(body);
    const names = Object.keys(body.components.schemas);
    const referred = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
    expect(referred.filter((name) => !names.includes(name ?? ''))).toEqual([]);
    expect(text.match(/"closedReason":\{"enum"/g)).toHaveLength(1);
  });

  test('describes every property whose name does not explain it', async () => {
    const { body } = await server.admin.get('/openapi.json');
    expect([...new Set(wordless(body))].sort()).toEqual(speaking);
  });
});

describe('the content of the page', () => {
  test('docs/errors.md gives the same advice', () => {
    const text = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8');
    const sections = [...text.matchAll(/^## ([a-z-]+)\n\n(.+)\n\*\*What to do:\*\* (.+)$/gm)];
    const advice = sections.map(([, code, means, todo]) => [code, { means, todo }]);
    expect(Object.fromEntries(advice)).toEqual(errorAdvice);
  });

  test.each(Object.keys(examples))('%s: the example is of a route, and its answer fits the schema', (name) => {
    const found = documentedRoutes.find(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}` === name);
    if (!found) throw new Error('there is no such route');
    const { body, response } = examples[name] ?? {};
    if (body !== undefined && found.body) expect([...Compile(found.body).Errors(body)]).toEqual([]);
    if (response !== undefined) expect([...Compile(found.output).Errors(response)]).toEqual([]);
  });

  test('the examples work in the order a newcomer would try them', async () => {
    const { admin } = server;
    const post = (name: string, ID = '') => send(admin, 'POST', name, ID);
    expect((await post('POST /v1/threads')).status).toBe(201);
    expect((await post('POST /v1/threads/{threadId}/messages')).status).toBe(201);
    const { body: streamed } = await admin.post('/v1/threads/release/messages', { streaming: true });
    for (const verb of ['append', 'complete'])
      expect((await post(`POST /v1/messages/{messageId}/${verb}`, String(streamed.id))).status).toBe(200);
    for (const question of Object.values(questions))
      expect((await admin.post('/v1/threads/release/interactions', question)).status).toBe(201);
    const asked = await post('POST /v1/threads/{threadId}/interactions');
    const id = String(asked.body.id);
    expect((await send(admin, 'PATCH', 'PATCH /v1/interactions/{interactionId}', id)).status).toBe(200);
    const answered = await post('POST /v1/interactions/{interactionId}/answers', id);
    expect(answered.body).toMatchObject({ status: 'answered', answer: { values: { decision: 'allow', percent: 25 } } });
    const waited = await send(admin, 'GET', 'GET /v1/interactions/{interactionId}/wait', id);
    expect(waited.body).toEqual(answered.body);
    for (const end of ['decline', 'cancel']) {
      const other = await post('POST /v1/threads/{threadId}/interactions');
      expect((await post(`POST /v1/interactions/{interactionId}/${end}`, String(other.body.id))).status).toBe(200);
    }
    const { body: claimed } = await admin.post<{ data: { id: string }[] }>(
      '/v1/dispatch/claim',
      examples['POST /v1/dispatch/claim']?.body,
    );
    for (const end of ['heartbeat', 'complete'])
      expect((await post(`POST /v1/dispatch/batches/{batchId}/${end}`, claimed.data[0]?.id)).status).toBe(200);
    await admin.post('/v1/threads', { id: 'deploys', agent: 'deployer' });
    await admin.post('/v1/threads/deploys/messages', { text: 'Deploy 4.2', role: 'user' });
    const ofAgent = { workerId: 'worker-1', agents: ['deployer'], waitMs: 30_000 };
    const { body: handed } = await admin.post<{ data: { id: string }[] }>('/v1/dispatch/claim', ofAgent);
    const begun = await post('POST /v1/dispatch/batches/{batchId}/run', handed.data[0]?.id);
    const runId = (begun.body.run as { id: string }).id;
    for (const verb of ['advance', 'cancel'])
      expect((await post(`POST /v1/runs/{runId}/${verb}`, runId)).status).toBe(200);
    for (const name of ['runs', 'runs/{runId}/journal', 'threads/{threadId}/turn'])
      expect((await send(admin, 'GET', `GET /v1/${name}`, runId)).status).toBe(200);
    const { body: webhook } = await post('POST /v1/webhooks');
    expect(webhook.secret).toMatch(/^whsec_/);
    for (const verb of ['rotate-secret', 'test', 'replay'])
      expect((await post(`POST /v1/webhooks/{webhookId}/${verb}`, String(webhook.id))).status).toBe(200);
    const path = 'GET /v1/webhooks/{webhookId}/deliveries';
    expect((await send(admin, 'GET', path, String(webhook.id))).body).toEqual({ data: [] });
    await admin.call(`/v1/webhooks/${webhook.id}`, { method: 'PATCH', body: { status: 'disabled' } });
    const enable = 'PATCH /v1/webhooks/{webhookId}';
    expect((await send(admin, 'PATCH', enable, String(webhook.id))).status).toBe(200);
    for (const name of ['keys', 'responder-tokens', 'orgs']) expect((await post(`POST /v1/${name}`)).status).toBe(201);
    for (const name of ['log', 'messages'].map((each) => `threads/{threadId}/${each}`))
      expect((await send(admin, 'GET', `GET /v1/${name}`)).status).toBe(200);
    for (const name of ['interactions', 'interactions/count', 'grants'])
      expect((await send(admin, 'GET', `GET /v1/${name}`)).status).toBe(200);
    expect((await send(admin, 'PATCH', 'PATCH /v1/threads/{threadId}')).status).toBe(200);
  });
});

function send(client: Client, method: string, name: string, id = '') {
  const { query = '', body } = examples[name] ?? {};
  const path = name
    .slice(method.length + 1)
    .replace('{threadId}', 'release')
    .replace(/{(messageId|interactionId|batchId|runId|webhookId)}/, id);
  return client.call(path + query, { method, ...(body === undefined ? {} : { body }) });
}

/** Written by hand, because fetch does not let a caller choose the Host. */
function docsFor(url: string, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const call = request(`${url}/docs`, { headers: { host } }, async (response) => {
      const parts: Buffer[] = [];
      for await (const part of response) parts.push(part as Buffer);
      resolve(Buffer.concat(parts).toString());
    });
    call.on('error', reject).end();
  });
}

/** Properties whose names explain them. */
const speaking = ['id', 'interactionId', 'threadId', 'type'];

function wordless(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  if (Array.isArray(node)) return node.flatMap(wordless);
  return Object.entries(node).flatMap(([key, value]) => {
    if (key !== 'properties') return wordless(value);
    const bare = Object.entries(value as Record<string, object>).filter(([, schema]) => !('description' in schema));
    return [...bare.map(([name]) => name), ...Object.values(value as object).flatMap(wordless)];
  });
}
