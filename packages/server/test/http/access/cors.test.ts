import { afterAll, expect, test } from 'vitest';
import { EventReader } from '../events/event-reader.ts';
import { startSpecServer } from '../openapi/spec-server.ts';

const app = 'https://app.example.com';
const server = await startSpecServer({ corsOrigins: [app, 'http://localhost:3000'] });
const closed = await startSpecServer();
afterAll(() => Promise.all([server[Symbol.asyncDispose](), closed[Symbol.asyncDispose]()]));

const preflight = (url: string, origin: string, method = 'POST') =>
  fetch(`${url}/v1/threads`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization,content-type,idempotency-key',
    },
  });

test('[H6] an origin that is configured is let in, with the headers the API needs', async () => {
  const reply = await preflight(server.url, app);
  expect(reply.status).toBe(204);
  expect(reply.headers.get('access-control-allow-origin')).toBe(app);
  expect(reply.headers.get('access-control-allow-methods')).toBe('GET, POST, PATCH, DELETE');
  expect(reply.headers.get('access-control-allow-headers')).toBe('authorization,content-type,idempotency-key');
  expect(reply.headers.get('access-control-allow-credentials')).toBeNull();
  expect(reply.headers.get('x-request-id')).toBeTruthy();
  const call = await server.admin.get('/v1/threads', { headers: { origin: app } });
  expect(call.headers.get('access-control-allow-origin')).toBe(app);
  expect(call.headers.get('access-control-expose-headers')).toBe(
    'x-request-id, retry-after, content-disposition, content-range, etag, mcp-session-id, www-authenticate',
  );
  expect(call.headers.get('vary')).toContain('Origin');
});

test.each(['https://evil.example.com', 'https://app.example.com.evil.com', 'http://app.example.com', 'null'])(
  '[H6] %s is not let in',
  async (origin) => {
    for (const reply of [
      await preflight(server.url, origin),
      await server.admin.get('/v1/threads', { headers: { origin } }),
    ])
      expect(reply.headers.get('access-control-allow-origin')).toBeNull();
  },
);

test('[H6] a browser of a configured origin may read refusals and streams too', async () => {
  const headers = { origin: app };
  for (const reply of [
    await server.admin.as(undefined).get('/v1/threads', { headers }),
    await server.admin.get('/v1/nothing', { headers }),
    await server.admin.call('/v1/threads', { method: 'PUT', headers }),
    await server.admin.call('/v1/threads', { method: 'POST', body: '{', headers }),
  ]) {
    expect(reply.status).toBeGreaterThanOrEqual(400);
    expect(reply.headers.get('access-control-allow-origin')).toBe(app);
  }
  const reader = await EventReader.open(server.admin, '/v1/events', headers);
  expect(reader.response.headers.get('access-control-allow-origin')).toBe(app);
  await reader.close();
});

test('[H6] where nothing is configured nobody is let in', async () => {
  expect((await preflight(closed.url, app)).status).toBe(405);
  const reply = await closed.admin.get('/v1/threads', { headers: { origin: app } });
  expect(reply.headers.get('access-control-allow-origin')).toBeNull();
});

test('[H6] an OPTIONS that is no preflight is answered too', async () => {
  expect((await fetch(`${server.url}/v1/threads`, { method: 'OPTIONS' })).status).toBe(204);
});
