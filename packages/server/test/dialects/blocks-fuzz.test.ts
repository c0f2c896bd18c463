/** What no widget would send, from one that has a session. */
import type { CreatedApiKey } from '@holdpoint/protocol';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { blocks } from '../../src/dialects/blocks/routes.ts';
import { hostileValue, nearMiss, ofShape, pathPart } from '../http/requests/hostile-input.ts';
import { startTestServer } from '../test-server.ts';

const server = await startTestServer({ responderRateLimit: 0 });
const { admin } = server;
afterAll(() => server[Symbol.asyncDispose]());

const made = await admin.post<CreatedApiKey>('/v1/keys', {
  name: 'a page',
  role: 'public',
  public: { agent: 'nobody', allowedOrigins: ['*'] },
});
const publicKey = made.body.publicKey;
const opened = await admin.as(undefined).post<{ sessionToken: string }>('/api/public/v1/chat/sessions', { publicKey });

test.each(blocks.routes)('[H2][BL8] $method $path stands whatever a session sends', async (route) => {
  const shape = route.body ? ofShape(route.body) : fc.constant({});
  const body = fc.oneof(shape, nearMiss(shape), hostileValue).map((sent) =>
    // So that what is wrong is found out behind the door.
    route.keyInBody && typeof sent === 'object' && sent !== null ? { ...sent, publicKey } : sent,
  );
  const met = new Set<number>();
  await fc.assert(
    fc.asyncProperty(pathPart, body, async (part, sent) => {
      const query = route.body && route.path.endsWith('/messages') ? '?waitMs=0' : '';
      const path = route.path.replace(/:\w+/, part) + query;
      fc.pre(new URL(path, server.url).pathname.startsWith('/api/public/v1/'));
      const response = await server.fetch(server.url + path, {
        method: route.method,
        headers: { authorization: `Bearer ${opened.body.sessionToken}`, 'content-type': 'application/json' },
        ...(route.method === 'GET' ? {} : { body: JSON.stringify(sent) }),
      });
      const text = await response.text();
      met.add(response.status);
      expect(response.status, `${path} ${JSON.stringify(sent)} → ${text}`).toBeLessThan(500);
      if (response.status < 400) return;
      expect(JSON.parse(text)).toMatchObject({
        error: expect.stringMatching(/^[a-z_]+$/),
        message: expect.any(String),
      });
    }),
    { numRuns: 100 },
  );
  expect(met.size).toBeGreaterThan(0);
});
