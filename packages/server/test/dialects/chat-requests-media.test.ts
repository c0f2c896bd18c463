/** Media, search and what is known of the whole server, in the words of Opengram. */
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Client } from '../client.ts';
import * as files from '../files-of-tests.ts';
import { settings } from '../http/dispatch/dispatcher.ts';
import { startTestServer, type TestServer } from '../test-server.ts';
import { ask, fixture, newChat, refused } from './chat-requests.client.ts';

interface Media {
  id: string;
  message_id: string | null;
  [name: string]: unknown;
}

let server: TestServer;
let admin: Client;

beforeEach(async () => {
  server = await startTestServer();
  onTestFinished(() => server[Symbol.asyncDispose]());
  ({ admin } = server);
});

const authorization = () => ({ authorization: `Bearer ${admin.token}` });

/** A form as its plugin sends it: the file first, then what it is for. */
async function upload(
  chatId: string,
  { name = 'a.png', type = 'image/png', content = files.png(6, 4), ...fields } = {},
) {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(content)], { type }), name);
  for (const [field, value] of Object.entries(fields)) form.append(field, String(value));
  const response = await fetch(`${server.url}/api/v1/chats/${chatId}/media`, {
    method: 'POST',
    headers: authorization(),
    body: form,
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Media };
}

const say = (chatId: string, more: object) =>
  admin.post<{ id: string; model_id: string | null }>(`/api/v1/chats/${chatId}/messages`, {
    ...{ role: 'user', senderId: 'user:primary', ...more },
  });
const media = async (chatId: string, query = '') =>
  (await admin.get<{ data: Media[] }>(`/api/v1/chats/${chatId}/media${query}`)).body.data;

test('[DL10] a medium is uploaded, listed, downloaded and deleted', async () => {
  const chatId = await newChat(admin);
  const { status, body: image } = await upload(chatId);
  expect(status).toBe(201);
  const path = `/api/v1/files/${image.id}`;
  expect(image).toStrictEqual({
    ...{ id: expect.any(String), chat_id: chatId, message_id: null },
    ...{ storage_path: path, thumbnail_path: `${path}/thumbnail`, filename: 'a.png', content_type: 'image/png' },
    ...{ byte_size: files.png(6, 4).byteLength, kind: 'image', created_at: expect.any(String) },
  });
  const json = { fileName: 'n.txt', contentType: 'text/plain', base64Data: Buffer.from('Hi').toString('base64') };
  const { body: text } = await admin.post<Media>(`/api/v1/chats/${chatId}/media`, json);
  expect(text).toMatchObject({ kind: 'file', filename: 'n.txt', byte_size: 2, thumbnail_path: null });
  expect(await media(chatId)).toEqual([text, image]);
  expect(await media(chatId, '?kind=image')).toEqual([image]);
  expect((await admin.get(`/api/v1/media/${image.id}`)).body).toEqual(image);
  for (const at of [path, `${path}/thumbnail`]) {
    const response = await fetch(server.url + at, { headers: { ...authorization(), range: 'bytes=0-3' } });
    expect(response.status).toBe(206);
    expect(response.headers.get('content-disposition')).toContain('filename="a.png"');
    expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.from(files.png(6, 4).subarray(0, 4)));
  }
  refused(await admin.get(`/api/v1/files/${text.id}/thumbnail`), 'NOT_FOUND', 404);
  expect((await fetch(server.url + path)).status).toBe(401);
  expect((await admin.call(`/api/v1/media/${text.id}`, { method: 'DELETE' })).body).toEqual(text);
  expect(refused(await admin.get(`/api/v1/media/${text.id}`), 'NOT_FOUND', 404).message).toBe('Media not found.');
});

test('[DL10] what is no medium is refused', async () => {
  const chatId = await newChat(admin);
  refused(await upload(chatId, { content: Buffer.from('no picture') }), 'UNSUPPORTED_MEDIA_TYPE', 415);
  refused(
    await upload(chatId, { type: 'text/plain', name: 'a.txt', content: Buffer.alloc(0) }),
    'VALIDATION_ERROR',
    400,
  );
  refused(await upload(chatId, { kind: 'film' } as object), 'VALIDATION_ERROR', 400);
  expect(
    refused(await upload(chatId, { messageId: 'nowhere' } as object), 'VALIDATION_ERROR', 400).details?.field,
  ).toBe('messageId');
  refused(await admin.post(`/api/v1/chats/${chatId}/media`, { fileName: 'a' }), 'VALIDATION_ERROR', 400);
  refused(await upload('nowhere'), 'NOT_FOUND', 404);
  expect(await media(chatId)).toEqual([]);
});

test('[DL10] media go with a message to the worker, and with an upload to a message', async () => {
  await settings(admin, { debounceMs: 0, from: 'start' });
  const chatId = await newChat(admin);
  const [{ body: one }, { body: two }] = [await upload(chatId), await upload(chatId, { name: 'b.png' })];
  const trace = { mediaIds: [one.id, two.id] };
  const { body: message } = await say(chatId, { trace });
  expect(message).toMatchObject({ content_final: null, trace });
  const { body: chat } = await admin.get(`/api/v1/chats/${chatId}`);
  expect(chat).toMatchObject({ last_message_preview: 'Attachment', last_message_role: 'user' });
  const { body: batch } = await admin.post('/api/v1/dispatch/claim', { workerId: 'w', waitMs: 30_000 });
  const sent = { sourceInputId: expect.any(String), sourceIndex: 0, kind: 'image' };
  expect(batch).toMatchObject({
    compiledContent: '(no text)',
    items: [{ mediaIds: [one.id, two.id], attachmentNames: ['a.png', 'b.png'] }],
    attachments: [
      { ...sent, mediaId: one.id, fileName: 'a.png' },
      { ...sent, mediaId: two.id, fileName: 'b.png' },
    ],
  });
  expect((await media(chatId)).map(({ message_id }) => message_id)).toEqual([message.id, message.id]);
  expect(refused(await say(chatId, { trace }), 'VALIDATION_ERROR', 400).details?.field).toBe('trace.mediaIds');
  refused(await say(chatId, { trace: { mediaIds: 'x' } }), 'VALIDATION_ERROR', 400);
  refused(await say(chatId, { trace: { mediaIds: ['nowhere'] } }), 'VALIDATION_ERROR', 400);
  const kept = await admin.call(`/api/v1/media/${one.id}`, { method: 'DELETE' });
  expect(refused(kept, 'CONFLICT', 409).message).toBe('Cannot delete media that is attached to a message.');
  const { body: late } = await upload(chatId, { messageId: message.id } as object);
  expect(await media(chatId, `?messageId=${message.id}&limit=1`)).toEqual([late]);
});

test('[DL10] a message has the model of its chat', async () => {
  const chatId = await newChat(admin, { modelId: 'gpt', firstMessage: 'Hi' });
  expect((await say(chatId, { content: 'x', modelId: 'other' })).body.model_id).toBe('gpt');
  const { body } = await admin.get<{ data: object[] }>(`/api/v1/chats/${chatId}/messages`);
  expect(body.data).toMatchObject([{ model_id: 'gpt' }, { model_id: 'gpt' }]);
});

test('[DL10] summaries leave out what is archived, where asked to', async () => {
  const [open, archived] = [await newChat(admin, { agentIds: ['a', 'b'] }), await newChat(admin)];
  server.clock.offsetMs += 1_000;
  for (const chatId of [open, archived, archived]) {
    await ask(admin, chatId, fixture('choice'));
    await say(chatId, { role: 'agent', senderId: 'a', content: 'x' });
  }
  await admin.post(`/api/v1/chats/${archived}/archive`);
  const pending = async (query: string) => (await admin.get(`/api/v1/chats/pending-summary${query}`)).body;
  expect(await pending('')).toEqual({ pending_requests_total: 3 });
  expect(await pending('?archived=false')).toEqual({ pending_requests_total: 1 });
  expect(await pending('?archived=true')).toEqual({ pending_requests_total: 2 });
  const unread = async (query: string) => (await admin.get(`/api/v1/chats/unread-summary${query}`)).body;
  expect(await unread('')).toEqual({ total_unread: 3, unread_by_agent: { a: 1, b: 1, deployer: 2 } });
  expect(await unread('?archived=false')).toEqual({ total_unread: 1, unread_by_agent: { a: 1, b: 1 } });
});

test('[DL10] titles and messages are searched, page by page', async () => {
  const chatId = await newChat(admin, { title: 'Planets', agentIds: ['a'] });
  await newChat(admin, { title: 'Other planet' });
  await say(chatId, { content: 'Which planet is <b>largest</b>?' });
  await say(chatId, { content: 'Planet names' });
  const search = async (query: string) => (await admin.get(`/api/v1/search?${query}`)).body;
  const end = { next: null, hasMore: false };
  const planets = { id: chatId, title: 'Planets', snippet: 'Planets', agent_ids: ['a'] };
  expect(await search('q=PLANETS')).toEqual({ chats: [planets], messages: [], cursor: end });
  expect(await search('q=which%20plan&scope=messages')).toEqual({
    chats: [],
    messages: [
      {
        ...{ id: expect.any(String), chat_id: chatId, chat_title: 'Planets', agent_ids: ['a'] },
        snippet: '<mark>Which</mark> <mark>planet</mark> is &lt;b&gt;largest&lt;/b&gt;?',
      },
    ],
    cursor: end,
  });
  const found: unknown[] = [];
  for (let query = 'q=planet&scope=all&limit=1'; ; ) {
    const { chats, messages, cursor } = (await search(query)) as {
      chats: { id: string }[];
      messages: { id: string }[];
      cursor: { next: string | null };
    };
    expect(chats.length + messages.length).toBeLessThanOrEqual(1);
    found.push(...[...chats, ...messages].map(({ id }) => id));
    if (cursor.next === null) break;
    query = `q=planet&scope=all&limit=1&cursor=${cursor.next}`;
  }
  expect(new Set(found).size).toBe(4);
  expect(found).toHaveLength(4);
  for (const wrong of ['q=%20', 'scope=all', 'q=x&scope=files', 'q=x&cursor=nowhere'])
    refused(await admin.get(`/api/v1/search?${wrong}`), 'VALIDATION_ERROR', 400);
});

test('[DL10] tags are suggested, the most used first', async () => {
  for (const tags of [['ops', 'Other'], ['ops'], ['dev']]) await newChat(admin, { tags });
  const suggested = async (query: string) => (await admin.get(`/api/v1/tags/suggestions?${query}`)).body;
  expect(await suggested('q=o')).toEqual({
    data: [
      { name: 'ops', usage_count: 2 },
      { name: 'Other', usage_count: 1 },
    ],
  });
  expect(await suggested('q=o&limit=1')).toMatchObject({ data: [{ name: 'ops' }] });
  expect(await suggested('')).toEqual({ data: [] });
});

test('[DL10] health is for anybody, the configuration for who has a key', async () => {
  const nobody = admin.as(undefined);
  const { status, body: health } = await nobody.get('/api/v1/health');
  expect([status, health]).toEqual([
    200,
    { service: 'opengram', status: 'ok', version: expect.any(String), uptime: expect.any(Number) },
  ]);
  refused(await nobody.get('/api/v1/config'), 'UNAUTHORIZED', 401);
  await settings(admin, { debounceMs: 5 });
  expect((await admin.get('/api/v1/config')).body).toMatchObject({
    maxUploadBytes: 100 * 1024 * 1024,
    security: { instanceSecretEnabled: true },
    server: { dispatch: { mode: 'batched_sequential', batchDebounceMs: 5, claim: { claimManyLimit: 10 } } },
  });
});

test('[DL10] a config comes back with what holds where it says nothing, and the person sees it', async () => {
  const chatId = await newChat(admin);
  const fields = [{ name: 'env', type: 'select', options: ['prod'] }];
  const form = await ask(admin, chatId, { type: 'form', title: 'F', config: { fields } });
  expect(form.config).toEqual({ fields, submitLabel: 'Submit' });
  const { body: shown } = await admin.get(`/v1/interactions/${form.id}`);
  expect(shown).toMatchObject({ submitLabel: 'Submit' });
  const options = [{ id: 'yes', label: 'Yes' }];
  const choice = await ask(admin, chatId, { type: 'choice', title: 'C', config: { options } });
  expect(choice.config).toEqual({ options, minSelections: 0, maxSelections: 1 });
});

test('[DL10] errors have the messages of Opengram', async () => {
  const chatId = await newChat(admin);
  const request = await ask(admin, chatId, fixture('choice-multi'));
  const post = (path: string, body: unknown = {}, headers = {}) => admin.post(`/api/v1${path}`, body, headers);
  const twice = { selectedOptionIds: ['cheese', 'cheese'] };
  const path = `/requests/${request.id}`;
  const messages: [Promise<Awaited<ReturnType<typeof post>>>, string, number, string][] = [
    [post(`${path}/resolve`, twice), 'VALIDATION_ERROR', 400, 'selectedOptionIds must be unique.'],
    [post('/chats/nowhere/requests', fixture('choice')), 'NOT_FOUND', 404, 'Chat not found.'],
    [post('/requests/nowhere/cancel'), 'NOT_FOUND', 404, 'Request not found.'],
    [post('/messages/nowhere/cancel'), 'NOT_FOUND', 404, 'Message not found.'],
    [post('/dispatch/nowhere/complete', { workerId: 'w' }), 'NOT_FOUND', 404, 'Dispatch batch not found.'],
    [admin.get('/api/v1/chats?cursor=nowhere'), 'VALIDATION_ERROR', 400, 'Invalid cursor value.'],
    [admin.get('/api/v1/events/stream?cursor=nowhere'), 'VALIDATION_ERROR', 400, 'cursor event id was not found.'],
    [admin.as('wrong').get('/api/v1/chats'), 'UNAUTHORIZED', 401, 'Missing or invalid instance secret.'],
    [
      post(`/chats/${chatId}/requests`, fixture('choice'), { 'idempotency-key': '' }),
      'VALIDATION_ERROR',
      400,
      'Idempotency-Key cannot be empty.',
    ],
  ];
  for (const [reply, code, status, message] of messages) {
    const error = refused(await reply, code, status);
    expect(error.message).toBe(message);
  }
  await post(`${path}/cancel`);
  const late = refused(await post(`${path}/resolve`, { selectedOptionIds: ['cheese'] }), 'VALIDATION_ERROR', 400);
  expect(late).toMatchObject({
    message: 'Only pending requests can be resolved.',
    details: { requestId: request.id, status: 'cancelled' },
  });
  expect(refused(await post(`${path}/cancel`), 'VALIDATION_ERROR', 400).message).toBe(
    'Only pending requests can be cancelled.',
  );
});
