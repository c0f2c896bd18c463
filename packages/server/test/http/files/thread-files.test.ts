import type { FileRef, LogEvent, Message, Page, StoredFile } from '@holdpoint/protocol';
import { afterAll, expect, test } from 'vitest';
import * as files from '../../files-of-tests.ts';
import { startSpecServer } from '../openapi/spec-server.ts';

const server = await startSpecServer();
const { admin } = server;
afterAll(() => server[Symbol.asyncDispose]());

const attach = (client: { token: string | undefined }, threadId: string, query = '', name = 'a.png') =>
  fetch(`${server.url}/v1/threads/${threadId}/files?name=${name}${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${client.token}`, 'content-type': 'image/png' },
    body: new Uint8Array(files.png(6, 4)),
  });
const attached = async (threadId: string, query = '', name?: string): Promise<StoredFile> => {
  const response = await attach(admin, threadId, query, name);
  expect(response.status).toBe(201);
  return (await response.json()) as StoredFile;
};
const list = async (client: typeof admin, threadId: string, query = '') =>
  (await client.get<Page<StoredFile>>(`/v1/threads/${threadId}/files${query}`)).body;

test('[UP40] a file is attached to a thread, listed with its newest, read, and deleted', async () => {
  const { id: threadId } = await admin.newThread();
  const { id: other } = await admin.newThread();
  const first = await attached(threadId);
  await attached(other);
  const second = await attached(threadId, '', 'b.png');
  expect(first).toMatchObject({ threadId, name: 'a.png', mime: 'image/png', width: 6, isAnswered: false });
  expect((await list(admin, threadId)).data).toEqual([second, first]);
  const page = await list(admin, threadId, '?limit=1');
  expect(page.data).toEqual([second]);
  expect(await list(admin, threadId, `?limit=1&cursor=${page.next}`)).toEqual({ data: [first] });
  const { body: log } = await admin.get<Page<LogEvent>>(`/v1/threads/${threadId}/log`);
  expect(log.data.at(-1)).toMatchObject({ type: 'file.attached', data: { file: second } });
  const content = await fetch(`${server.url}/v1/files/${first.id}/content`, {
    headers: { authorization: `Bearer ${admin.token}` },
  });
  expect(Buffer.from(await content.arrayBuffer())).toEqual(files.png(6, 4));
  // No question asked for it, so nobody collects it.
  server.clock.offsetMs += 2 * 86_400_000;
  expect((await list(admin, threadId)).data).toEqual([second, first]);
  await admin.call(`/v1/files/${second.id}`, { method: 'DELETE' });
  expect((await list(admin, threadId)).data).toEqual([first]);
});

test('[UP41] a message takes files of its thread along, each of them once', async () => {
  const { id: threadId } = await admin.newThread();
  const { id: other } = await admin.newThread();
  const [file, elsewhere] = [await attached(threadId), await attached(other)];
  const say = (ids: string[]) => admin.post<Message>(`/v1/threads/${threadId}/messages`, { text: 'Look', files: ids });
  const { status, body: message } = await say([file.id]);
  expect(status).toBe(201);
  expect(message.files).toEqual([
    expect.objectContaining({ file_id: file.id, name: 'a.png' } satisfies Partial<FileRef>),
  ]);
  expect((await list(admin, threadId)).data).toEqual([{ ...file, messageId: message.id }]);
  for (const [id, code] of [
    [file.id, 'linked'],
    [elsewhere.id, 'unknown-file'],
    ['nowhere', 'unknown-file'],
  ] as const)
    expect(await say([id])).toMatchObject({ status: 400, body: { errors: [{ pointer: '/files/0', code }] } });
  const late = await attached(threadId, `&messageId=${message.id}`);
  expect(late.messageId).toBe(message.id);
  expect((await attach(admin, threadId, '&messageId=nowhere')).status).toBe(400);
  expect((await list(admin, threadId)).data).toHaveLength(2);
});

test('[UP42] a key attaches; a person of the thread reads; who was given one question, or another org, does not', async () => {
  const { id: threadId } = await admin.newThread();
  const file = await attached(threadId);
  const { id: interactionId } = await admin.ask({}, threadId);
  const [person, asked] = [await admin.withToken({ threadId }), await admin.withToken({ interactionId })];
  expect((await attach(person, threadId)).status).toBe(403);
  expect((await list(person, threadId)).data).toEqual([file]);
  expect((await person.get(`/v1/files/${file.id}`)).status).toBe(200);
  expect((await asked.get(`/v1/files/${file.id}`)).status).toBe(404);
  expect((await asked.get(`/v1/threads/${threadId}/files`)).status).toBe(403);
  const { body } = await admin.post<{ adminKey: { secret: string } }>('/v1/orgs', { id: 'other' });
  const other = admin.as(body.adminKey.secret);
  expect((await other.get(`/v1/files/${file.id}`)).status).toBe(404);
  expect((await other.get(`/v1/threads/${threadId}/files`)).status).toBe(404);
});
