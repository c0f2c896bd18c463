/** What no client would send, at every call of every dialect. */
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { isUnder } from '../../src/routes/dialect.ts';
import { dialects } from '../../src/web.ts';
import { hostileValue, nearMiss, ofShape, pathPart } from '../http/requests/hostile-input.ts';
import { adminKey, startTestServer } from '../test-server.ts';

const server = await startTestServer();
const { admin } = server;
afterAll(() => server[Symbol.asyncDispose]());

const threadId = (await admin.post<{ id: string }>('/v1/threads')).body.id;
const asked = await admin.post<{ id: string }>(`/v1/threads/${threadId}/interactions`, {
  title: 'Never?',
  fields: [
    { name: 'never', type: 'text', required: true, pattern: '^a$', minLength: 2 },
    { name: 'pick', type: 'select', options: ['a', 'b'] },
  ],
});
const things: Record<string, string> = {
  chatId: threadId,
  conversationId: threadId,
  threadId,
  requestId: asked.body.id,
  inputRequestId: asked.body.id,
  interactionId: asked.body.id,
};

const routes = dialects.flatMap(({ name, prefixes, routes: calls }) =>
  calls.map((route) => ({ dialect: name, prefixes, ...route })),
);

test.each(routes)('[H2] $dialect: $method $path stands whatever it is sent', async (route) => {
  const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '');
  const parts = fc.tuple(...names.map((name) => fc.oneof(fc.constant(things[name] ?? 'none'), pathPart)));
  const shape = route.body ? ofShape(route.body) : fc.constant({});
  const body = fc.oneof(shape, nearMiss(shape), hostileValue);
  const met = new Set<number>();
  await fc.assert(
    fc.asyncProperty(parts, body, async (given, sent) => {
      const path = names.reduce((url, name, index) => url.replace(`:${name}`, given[index] ?? ''), route.path);
      const { pathname } = new URL(path, server.url);
      // Two dots may have led out of it.
      fc.pre(route.prefixes.some((prefix) => isUnder(prefix, pathname)));
      const isRead = route.method === 'GET';
      // Nobody is there to end a turn that is waited for.
      const query = route.query && 'timeoutMs' in route.query.properties ? '?timeoutMs=0' : '';
      const response = await server.fetch(server.url + path + query, {
        method: route.method,
        headers: { authorization: `Bearer ${adminKey}`, ...(isRead ? {} : { 'content-type': 'application/json' }) },
        ...(isRead ? {} : { body: JSON.stringify(sent) }),
      });
      const text = await response.text();
      met.add(response.status);
      expect(response.status, `${path} ${JSON.stringify(sent)} → ${text}`).toBeLessThan(500);
      if (response.status < 400) return;
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(JSON.parse(text)).not.toHaveProperty('instance');
    }),
    { numRuns: 100 },
  );
  expect(met.size).toBeGreaterThan(0);
});

test('[H2] the server goes on as if nothing had been', async () => {
  expect((await admin.get('/readyz')).status).toBe(200);
  expect((await admin.get<{ status: string }>(`/v1/interactions/${asked.body.id}`)).body.status).not.toBe('answered');
});
