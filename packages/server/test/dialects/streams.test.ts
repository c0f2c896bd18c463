/** The log in the words of a dialect: nothing is missed by who was cut off before the first event. */
import { afterAll, expect, test } from 'vitest';
import { EventReader } from '../http/events/event-reader.ts';
import { startTestServer } from '../test-server.ts';

const server = await startTestServer();
const { admin } = server;
afterAll(() => server[Symbol.asyncDispose]());

const ask = async (): Promise<string> => {
  const { body: thread } = await admin.post<{ id: string }>('/v1/threads');
  return (await admin.post<{ id: string }>(`/v1/threads/${thread.id}/interactions`, { title: 'Go on?' })).body.id;
};

test.each([
  ['/api/v1/events/stream', 'request.created'],
  ['/spec/v1/events', 'interaction.requested'],
])('[L4] %s resumes from where it began, though nothing had come', async (path, type) => {
  const first = await EventReader.open(admin, path);
  await expect.poll(() => first.lastId).not.toBe('');
  const { lastId } = first;
  await first.close();
  const id = await ask();
  const second = await EventReader.open(admin, path, { 'last-event-id': lastId });
  await expect.poll(() => second.left.map((event) => event.type as string)).toContain(type);
  expect(JSON.stringify(second.left)).toContain(id);
  await second.close();
});

const atAddress = (path: string, token: string | undefined, headers: Record<string, string> = {}) =>
  fetch(`${server.url}${path}?token=${token}`, { headers });

test('[DL3] a browser may give its token in the address of the chat stream, and nowhere else', async () => {
  const { body: thread } = await admin.post<{ id: string }>('/v1/threads');
  const reach = { responderId: 'ada', threadId: thread.id };
  const { token } = (await admin.post<{ token: string }>('/v1/responder-tokens', reach)).body;
  const stream = await atAddress('/api/v1/events/stream', token);
  expect(stream.status).toBe(200);
  await stream.body?.cancel();
  for (const path of ['/api/v1/chats', '/spec/v1/events', '/v1/events', `/v1/threads/${thread.id}`])
    expect((await atAddress(path, token)).status).toBe(401);
});

test('[X22] an API key is accepted in no address', async () => {
  const made = await admin.post<{ secret: string }>('/v1/keys', { name: 'a', role: 'agent' });
  for (const key of [admin.token, made.body.secret]) {
    const refused = await atAddress('/api/v1/events/stream', key);
    expect(refused.status).toBe(401);
    // The message is Opengram's own, so the remedy is in the details.
    const { error } = (await refused.json()) as { error: { details: { reason: string } } };
    expect(error.details.reason).toMatch(/Authorization header.*short-lived/);
    const authorization = `Bearer ${key}`;
    expect((await atAddress('/api/v1/events/stream', key, { authorization })).status).toBe(401);
    for (const path of ['/api/v1/chats', '/spec/v1/events', '/v1/events', '/mcp', '/conversations'])
      expect([401, 404, 405]).toContain((await atAddress(path, key)).status);
  }
});
