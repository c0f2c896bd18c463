/** The log in the words of a dialect: nothing is missed by who was cut off before the first event. */
import { afterAll, expect, test } from 'vitest';
import { EventReader } from '../http/event-reader.ts';
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

test('[DL3] a browser may give its token in the address of the chat stream, and nowhere else', async () => {
  const withToken = (path: string) => fetch(`${server.url}${path}?token=${admin.token}`);
  const stream = await withToken('/api/v1/events/stream');
  expect(stream.status).toBe(200);
  await stream.body?.cancel();
  for (const path of ['/api/v1/chats', '/spec/v1/events', '/v1/events'])
    expect((await withToken(path)).status).toBe(401);
});
