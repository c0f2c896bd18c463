/** A secret value is handed to the asking side once, and shows in no dialect, whoever answered in which. */
import { afterAll, expect, test } from 'vitest';
import { startTestServer } from '../test-server.ts';

const server = await startTestServer();
const { admin } = server;
afterAll(() => server[Symbol.asyncDispose]());

const secret = 'hunter2-in-the-clear';

const answers: Record<string, (id: string, threadId: string) => [path: string, body: object]> = {
  native: (id) => [`/v1/interactions/${id}/answers`, { values: { user: 'ann', password: secret } }],
  'chat-requests': (id) => [`/api/v1/requests/${id}/resolve`, { values: { user: 'ann', password: secret } }],
  'input-requests': (id, threadId) => [
    `/conversations/${threadId}/input-requests/${id}/responses`,
    { values: { user: 'ann', password: secret } },
  ],
  'agent-service': (id) => [`/spec/v1/interactions/${id}/respond`, { payload: { user: 'ann', password: secret } }],
};

test.each(Object.entries(answers))('[DL4] answered in %s', async (_name, answer) => {
  const { body: thread } = await admin.post<{ id: string }>('/v1/threads');
  const { body: asked } = await admin.post<{ id: string }>(`/v1/threads/${thread.id}/interactions`, {
    title: 'Log in',
    fields: [
      { name: 'user', type: 'text' },
      { name: 'password', type: 'password', required: true },
    ],
  });
  const [path, body] = answer(asked.id, thread.id);
  const reply = await admin.post(path, body);
  expect(reply.status).toBeLessThan(300);
  const shown = await Promise.all(
    [
      `/v1/threads/${thread.id}/log`,
      `/api/v1/requests/${asked.id}`,
      `/api/v1/chats/${thread.id}/requests?status=all`,
      `/conversations/${thread.id}/input-requests/${asked.id}`,
      `/spec/v1/interactions/${asked.id}`,
    ].map((place) => admin.get(place)),
  );
  expect(shown.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(JSON.stringify([reply.body, shown])).not.toContain(secret);
  expect(JSON.stringify(shown)).toContain('ann');
  const taken = await admin.post<{ values: object }>(`/v1/interactions/${asked.id}/secrets`);
  expect(taken.body.values).toEqual({ password: secret });
});
