/** Bodies that are wrong, or nearly right, at every call: none is answered with a 5xx, and each refusal in the envelope. */
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { chatRequests } from '../../src/dialects/chat-requests/routes.ts';
import type { Client } from '../client.ts';
import { hostileValue, nearMiss, ofShape } from '../http/requests/hostile-input.ts';
import { startTestServer } from '../test-server.ts';
import { ask, fixture, newChat } from './chat-requests.client.ts';

let admin: Client;
let ids: Record<string, string>;

beforeAll(async () => {
  const server = await startTestServer();
  ({ admin } = server);
  const chatId = await newChat(admin);
  const { id: requestId } = await ask(admin, chatId, {
    ...JSON.parse(fixture('form')),
    // Nobody can give it, so it stays open.
    config: { fields: [{ name: 'never', type: 'text', required: true, pattern: '^a$', minLength: 2 }] },
  });
  const streaming = { role: 'agent', senderId: 'a', streaming: true };
  const { body } = await admin.post<{ id: string }>(`/api/v1/chats/${chatId}/messages`, streaming);
  ids = { chatId, requestId, messageId: body.id, batchId: 'b' };
  return () => server[Symbol.asyncDispose]();
});

const examples = ['choice', 'choice-multi', 'text-input-validation', 'form', 'choice-trace'].map((name) =>
  JSON.parse(fixture(name)),
);
const resolutions = ['choice', 'text-input', 'form'].map((name) => JSON.parse(fixture(`${name}.resolution`)));
const known: Record<string, unknown[]> = {
  'POST /api/v1/chats/:chatId/requests': examples,
  'PATCH /api/v1/requests/:requestId': examples.map(({ title, config }) => ({ title, config })),
  'POST /api/v1/requests/:requestId/resolve': resolutions,
};

/** It would wait for a batch. */
const atOnce = (path: string, body: unknown) =>
  path.includes('/claim') && typeof body === 'object' && body !== null && !Array.isArray(body)
    ? { ...body, waitMs: 0 }
    : body;

test.each(chatRequests.routes.filter(({ method }) => method !== 'GET'))('[H2] $method $path', async (route) => {
  const { method, path, body: schema = {} } = route;
  const valid = known[`${method} ${path}`];
  const sound = valid ? fc.constantFrom(...valid) : ofShape(schema);
  const bodies = fc.oneof(
    { weight: 1, arbitrary: sound },
    { weight: 6, arbitrary: nearMiss(sound) },
    { weight: 1, arbitrary: hostileValue },
  );
  const url = path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? '');
  for (const body of fc.sample(bodies, 80)) {
    const reply = await admin.call(url, { method, body: JSON.stringify(atOnce(path, body)) ?? 'null' });
    const what = `${method} ${url} ${JSON.stringify(body)} → ${reply.status} ${JSON.stringify(reply.body)}`;
    expect(reply.status, what).toBeLessThan(500);
    if (reply.status >= 400)
      expect(reply.body, what).toEqual({
        error: expect.objectContaining({ code: expect.any(String), message: expect.stringMatching(/\S/) }),
      });
  }
});

test('[H2] whatever was made can be read', async () => {
  for (const path of ['/api/v1/chats?limit=100', `/api/v1/chats/${ids.chatId}/messages?limit=200`])
    expect((await admin.get(path)).status).toBe(200);
  const { status } = await admin.get(`/api/v1/chats/${ids.chatId}/requests?status=all`);
  expect(status).toBe(200);
});
