import { expect, test } from 'vitest';
import { startTestServer } from './test-server.ts';

test('[W1] an agent that waits gets the answer a person gives', async () => {
  await using server = await startTestServer();
  const { admin } = server;
  await admin.post('/v1/threads', { id: 'release' });
  const asked = await admin.post<{ id: string }>('/v1/threads/release/interactions', {
    title: 'Deploy?',
    options: ['yes', 'no'],
  });
  const waiting = admin.get<{ status: string; answer: { values: unknown } }>(`/v1/interactions/${asked.body.id}/wait`);
  await admin.post(`/v1/interactions/${asked.body.id}/answers`, { values: { choice: 'yes' } });
  const { body } = await waiting;
  expect(body.status).toBe('answered');
  expect(body.answer.values).toEqual({ choice: 'yes' });
});
