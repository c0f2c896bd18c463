/** Chats and messages in the words of Opengram. */
import type { Interaction, Message, Page, Thread } from '@holdpoint/protocol';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Client } from '../client.ts';
import { startTestServer, type TestServer } from '../test-server.ts';
import { ask, fixture, newChat, type Refusal, refused } from './chat-requests.client.ts';

interface Chat {
  id: string;
  title: string;
  title_source: string;
  unread_count: number;
  [name: string]: unknown;
}

interface ChatMessage {
  id: string;
  content_final: string | null;
  content_partial: string | null;
  stream_state: string;
  [name: string]: unknown;
}

interface List<T> {
  data: T[];
  cursor: { next: string | null; hasMore: boolean };
}

let server: TestServer;
let admin: Client;

beforeEach(async () => {
  server = await startTestServer();
  onTestFinished(() => server[Symbol.asyncDispose]());
  ({ admin } = server);
});

const chatOf = async (id: string): Promise<Chat> => (await admin.get<Chat>(`/api/v1/chats/${id}`)).body;
const patch = <T = Chat>(id: string, body: object) => admin.call<T>(`/api/v1/chats/${id}`, { method: 'PATCH', body });
const post = <T = ChatMessage>(id: string, body: object) => admin.post<T>(`/api/v1/chats/${id}/messages`, body);
const fromAgent = (content: string) => ({ role: 'agent', senderId: 'deployer', content });
const fromUser = (content: string) => ({ role: 'user', senderId: 'user:primary', content });
const messagesOf = async (id: string, query = '') =>
  (await admin.get<List<ChatMessage>>(`/api/v1/chats/${id}/messages${query}`)).body;
const listed = async (query = '') =>
  (await admin.get<List<Chat>>(`/api/v1/chats${query}`)).body.data.map(({ title }) => title);

describe('chats', () => {
  test('a chat has all that it has there', async () => {
    const body = { agentIds: ['a', 'b'], modelId: 'm', title: ' Ops ', tags: ['x', ' x', '', 'y'] };
    const { status, body: chat } = await admin.post<Chat>('/api/v1/chats', body);
    expect(status).toBe(201);
    expect(chat).toStrictEqual({
      id: chat.id,
      is_archived: false,
      title: 'Ops',
      title_source: 'manual',
      tags: ['x', 'y'],
      pinned: false,
      agent_ids: ['a', 'b'],
      model_id: 'm',
      last_message_preview: null,
      last_message_role: null,
      pending_requests_count: 0,
      last_read_at: chat.created_at,
      unread_count: 0,
      notifications_muted: false,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      last_message_at: null,
    });
    expect(await chatOf(chat.id)).toStrictEqual(chat);
    const { body: thread } = await admin.get<Thread>(`/v1/threads/${chat.id}`);
    expect(thread).toMatchObject({ title: 'Ops', metadata: { chat: { agentIds: ['a', 'b'] } } });
  });

  test('its title is that of its first message, or none', async () => {
    const firstMessage = `  Please  deploy\n${'x'.repeat(100)} `;
    const one = await newChat(admin, { firstMessage });
    expect(await chatOf(one)).toMatchObject({
      title: `Please deploy ${'x'.repeat(46)}`,
      title_source: 'default',
      last_message_preview: firstMessage.trim(),
      last_message_role: 'user',
      unread_count: 0,
    });
    expect((await messagesOf(one)).data).toMatchObject([{ sender_id: 'user:primary', role: 'user' }]);
    expect(await chatOf(await newChat(admin))).toMatchObject({ title: 'New Chat', title_source: 'default' });
  });

  test('a chat needs no model, and any agent will do', async () => {
    const { body } = await admin.post<Chat>('/api/v1/chats', { agentIds: ['anybody'] });
    expect(body).toMatchObject({ model_id: null, agent_ids: ['anybody'] });
    for (const wrong of [{}, { agentIds: [] }, { agentIds: 'a' }])
      expect(refused(await admin.post('/api/v1/chats', wrong), 'VALIDATION_ERROR', 400).details?.field).toBe(
        'agentIds',
      );
    const blank = await admin.post('/api/v1/chats', { agentIds: ['a'], title: ' ' });
    expect(refused(blank, 'VALIDATION_ERROR', 400).details?.field).toBe('title');
  });

  test('a chat that is created again with its key is the same, with its one first message', async () => {
    const create = (more: object = {}) =>
      admin.post<Chat>('/api/v1/chats', { agentIds: ['a'], firstMessage: 'Hi', ...more }, { 'idempotency-key': 'k' });
    const [first, again] = [await create(), await create()];
    expect(again.body.id).toBe(first.body.id);
    expect((await messagesOf(first.body.id)).data).toHaveLength(1);
    refused(await create({ agentIds: ['b'] }), 'CONFLICT', 409);
    refused(await create({ firstMessage: 'Ho' }), 'CONFLICT', 409);
    expect(await listed()).toEqual(['Hi']);
  });

  test('a chat changes only the named properties', async () => {
    const id = await newChat(admin, { title: 'Ops' });
    const changes = { title: 'Dev', tags: ['z'], pinned: true, modelId: 'n', notificationsMuted: true };
    expect((await patch(id, changes)).body).toMatchObject({
      title: 'Dev',
      title_source: 'manual',
      tags: ['z'],
      pinned: true,
      model_id: 'n',
      notifications_muted: true,
      agent_ids: ['deployer'],
    });
    expect((await patch(id, { title: 'Auto', titleAutoRenamed: true })).body).toMatchObject({
      title_source: 'auto',
      pinned: true,
    });
    refused(await patch<Refusal>(id, {}), 'VALIDATION_ERROR', 400);
    refused(await patch<Refusal>(id, { titleAutoRenamed: true }), 'VALIDATION_ERROR', 400);
    expect(refused(await patch<Refusal>(id, { pinned: 'yes' }), 'VALIDATION_ERROR', 400).details?.field).toBe('pinned');
  });

  test('of many changes at once none is lost', async () => {
    const id = await newChat(admin);
    const changes = [{ title: 'T' }, { tags: ['z'] }, { pinned: true }, { modelId: 'n' }, { notificationsMuted: true }];
    const replies = await Promise.all(changes.map((change) => patch(id, change)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await chatOf(id)).toMatchObject({
      title: 'T',
      tags: ['z'],
      pinned: true,
      model_id: 'n',
      notifications_muted: true,
    });
  });

  test('a chat is archived and comes back', async () => {
    const id = await newChat(admin);
    const call = async (what: string) => (await admin.call(`/api/v1/chats/${id}/${what}`, { method: 'POST' })).body;
    expect(await call('archive')).toEqual({ ok: true });
    expect(await chatOf(id)).toMatchObject({ is_archived: true });
    expect(await call('archive')).toEqual({ ok: true });
    expect(await call('unarchive')).toEqual({ ok: true });
    expect(await chatOf(id)).toMatchObject({ is_archived: false });
  });

  test('what is unread is what others said since', async () => {
    const id = await newChat(admin);
    const unread = async () => (await chatOf(id)).unread_count;
    server.clock.offsetMs += 1_000;
    await post(id, fromAgent('one'));
    await post(id, fromUser('two'));
    await post(id, { role: 'system', senderId: 'system', content: 'three' });
    expect(await unread()).toBe(2);
    const mark = async (what: string) => (await admin.post(`/api/v1/chats/${id}/mark-${what}`)).body;
    expect(await mark('read')).toEqual({ ok: true });
    expect(await unread()).toBe(0);
    server.clock.offsetMs += 1_000;
    await post(id, fromAgent('four'));
    expect(await unread()).toBe(1);
    expect(await mark('read')).toEqual({ ok: true });
    expect(await mark('unread')).toEqual({ ok: true });
    expect(await chatOf(id)).toMatchObject({ last_read_at: null, unread_count: 3 });
    const empty = await newChat(admin);
    await admin.post(`/api/v1/chats/${empty}/mark-unread`);
    expect((await chatOf(empty)).unread_count).toBe(1);
  });

  test('a list counts what is unread among the newest ten', async () => {
    const id = await newChat(admin);
    server.clock.offsetMs += 1_000;
    for (let n = 0; n < 12; n++) await post(id, fromAgent(`${n}`));
    const { body } = await admin.get<List<Chat>>('/api/v1/chats');
    expect(body.data).toMatchObject([{ id, unread_count: 10, last_message_preview: '11' }]);
    expect((await chatOf(id)).unread_count).toBe(12);
  });

  test('the last word is shown, cut to 180 characters', async () => {
    const id = await newChat(admin);
    await post(id, fromAgent('y'.repeat(200)));
    const { body: streamed } = await post(id, { role: 'agent', senderId: 'deployer', streaming: true });
    expect(await chatOf(id)).toMatchObject({ last_message_preview: 'y'.repeat(180), last_message_role: 'agent' });
    await admin.post(`/api/v1/messages/${streamed.id}/complete`, { finalText: 'Done' });
    expect(await chatOf(id)).toMatchObject({ last_message_preview: 'Done' });
  });

  test('chats are listed: pinned, then by their last word, page by page', async () => {
    for (const title of ['a', 'b', 'c', 'd']) await newChat(admin, { title, tags: [title], agentIds: [`of-${title}`] });
    const all = (await admin.get<List<Chat>>('/api/v1/chats')).body;
    expect(all.cursor).toEqual({ next: null, hasMore: false });
    const idOf = (name: string) => all.data.find(({ title }) => title === name)?.id ?? '';
    await post(idOf('b'), fromAgent('first'));
    server.clock.offsetMs += 1_000;
    await post(idOf('c'), fromAgent('then'));
    await patch(idOf('a'), { pinned: true });
    expect(await listed()).toEqual(['a', 'c', 'b', 'd']);

    const titles: string[] = [];
    let query = '?limit=3';
    for (;;) {
      const { body } = await admin.get<List<Chat>>(`/api/v1/chats${query}`);
      titles.push(...body.data.map(({ title }) => title));
      expect(body.cursor.hasMore).toBe(body.cursor.next !== null);
      if (body.cursor.next === null) break;
      query = `?limit=3&cursor=${body.cursor.next}`;
    }
    expect(titles.toSorted()).toEqual(['a', 'b', 'c', 'd']);

    await admin.post(`/api/v1/chats/${idOf('d')}/archive`);
    expect(await listed('?archived=true')).toEqual(['d']);
    expect(await listed('?archived=false')).toEqual(['a', 'c', 'b']);
    // What the filter leaves out is made up for, and no more than that.
    expect(await listed('?archived=false&limit=2')).toEqual(['c', 'b']);
    expect(await listed('?tag=c')).toEqual(['c']);
    expect(await listed('?agentId=of-b')).toEqual(['b']);
    expect(await listed('?query=A')).toEqual(['a']);
    expect(await listed('?query=A&limit=1')).toEqual(['a']);
  });

  test('a thread of ours is a chat', async () => {
    const { body: thread } = await admin.post<Thread>('/v1/threads', {
      title: 'Ours',
      metadata: { chat: 'odd', x: 1 },
    });
    expect(await chatOf(thread.id)).toMatchObject({
      title: 'Ours',
      title_source: 'manual',
      tags: [],
      agent_ids: [],
      model_id: null,
    });
    await patch(thread.id, { pinned: true });
    const { body } = await admin.get<Thread>(`/v1/threads/${thread.id}`);
    expect(body.metadata).toMatchObject({ x: 1, chat: { pinned: true } });
  });

  test('typing is published, and changes nothing else', async () => {
    const id = await newChat(admin);
    const typing = await admin.post(`/api/v1/chats/${id}/typing`, { agentId: 'a' });
    const userTyping = await admin.call(`/api/v1/chats/${id}/user-typing`, { method: 'POST' });
    expect([typing.status, userTyping.status]).toEqual([204, 204]);
    expect(refused(await admin.post(`/api/v1/chats/${id}/typing`), 'VALIDATION_ERROR', 400).details?.field).toBe(
      'agentId',
    );
  });
});

describe('messages', () => {
  test('a message has all that it has there', async () => {
    const id = await newChat(admin);
    const trace = { step: 3 };
    const { status, body } = await post(id, { ...fromAgent(' Hello '), modelId: 'n', trace });
    expect(status).toBe(201);
    expect(body).toStrictEqual({
      id: body.id,
      chat_id: id,
      role: 'agent',
      sender_id: 'deployer',
      created_at: expect.any(String),
      updated_at: expect.any(String),
      content_final: 'Hello',
      content_partial: null,
      stream_state: 'complete',
      model_id: 'm',
      trace,
    });
    expect((await messagesOf(id)).data).toStrictEqual([body]);
  });

  test('the newest come first, page by page', async () => {
    const id = await newChat(admin);
    for (const text of ['a', 'b', 'c', 'd', 'e']) await post(id, fromAgent(text));
    const read: (string | null)[] = [];
    let query = '?limit=2';
    for (;;) {
      const { data, cursor } = await messagesOf(id, query);
      read.push(...data.map(({ content_final }) => content_final));
      if (!cursor.hasMore) break;
      query = `?limit=2&cursor=${cursor.next}`;
    }
    expect(read).toEqual(['e', 'd', 'c', 'b', 'a']);
  });

  test.each([
    [
      'no content',
      { role: 'user', senderId: 'u' },
      'content',
      'Content is required, unless streaming is true or trace.mediaIds names media.',
    ],
    [
      'blank content',
      fromUser('  '),
      'content',
      'Content is required, unless streaming is true or trace.mediaIds names media.',
    ],
    ['a role of its own', { ...fromUser('x'), role: 'assistant' }, 'role'],
    ['nobody who sent it', { role: 'user', content: 'x' }, 'senderId'],
    ['a stream of a user', { role: 'user', senderId: 'u', streaming: true }, 'streaming'],
    ['a stream of a tool', { role: 'tool', senderId: 'tool', streaming: true }, 'streaming'],
    ['a stream with content', { ...fromAgent('x'), streaming: true }, 'content', 'A streamed message begins'],
    ['a trace that is none', { ...fromUser('x'), trace: [] }, 'trace'],
    ['too large a trace', { ...fromUser('x'), trace: { a: 'x'.repeat(70_000) } }, 'trace'],
  ])('a message with %s is refused', async (_what, body, field, words?: string) => {
    const id = await newChat(admin);
    const { message, details } = refused(await post(id, body), 'VALIDATION_ERROR', 400);
    expect(details?.field).toBe(field);
    expect(message).toContain(`${field}: ${words ?? ''}`);
    expect((await messagesOf(id)).data).toEqual([]);
  });

  test('a message is streamed piece by piece', async () => {
    const id = await newChat(admin);
    const { body: begun } = await post(id, { role: 'agent', senderId: 'deployer', streaming: true });
    expect(begun).toMatchObject({ stream_state: 'streaming', content_final: null, content_partial: null });
    const path = `/api/v1/messages/${begun.id}`;
    for (const deltaText of ['Hel', 'lo ']) await admin.post(`${path}/chunks`, { deltaText });
    expect((await messagesOf(id)).data).toMatchObject([{ content_partial: 'Hello ', stream_state: 'streaming' }]);
    expect(refused(await admin.post(`${path}/chunks`, { deltaText: '' }), 'VALIDATION_ERROR', 400).details?.field).toBe(
      'deltaText',
    );
    const { body: done } = await admin.post<ChatMessage>(`${path}/complete`);
    expect(done).toMatchObject({ content_final: 'Hello ', content_partial: null, stream_state: 'complete' });
    for (const late of ['chunks', 'complete', 'cancel'])
      refused(await admin.post(`${path}/${late}`, { deltaText: 'x' }), 'CONFLICT', 409);
  });

  test('a stream is broken off, with what has come of it', async () => {
    const id = await newChat(admin);
    const begin = async () => (await post(id, { role: 'agent', senderId: 'deployer', streaming: true })).body.id;
    const [one, two, three] = [await begin(), await begin(), await begin()];
    await admin.post(`/api/v1/messages/${one}/chunks`, { deltaText: 'Hel' });
    const { body } = await admin.call<ChatMessage>(`/api/v1/messages/${one}/cancel`, { method: 'POST' });
    expect(body).toMatchObject({ stream_state: 'cancelled', content_partial: 'Hel', content_final: null });
    const cancel = () =>
      admin.call<{ cancelledMessageIds: string[] }>(`/api/v1/chats/${id}/messages/cancel-streaming`, {
        method: 'POST',
      });
    // Several at once: each stream is broken off by one of them, and the others do not mind.
    const replies = await Promise.all([cancel(), cancel(), cancel()]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(replies.flatMap(({ body }) => body.cancelledMessageIds).toSorted()).toEqual([two, three].toSorted());
    expect((await cancel()).body).toEqual({ cancelledMessageIds: [] });
    // One that was broken off before it began is not shown.
    expect((await messagesOf(id)).data.map((message) => message.id)).toEqual([one]);
  });

  test('a message of ours is one there', async () => {
    const id = await newChat(admin);
    const blocks = [
      { type: 'message', payload: { text: 'one' } },
      { type: 'image', payload: { url: 'https://a.example/x.png' } },
      { type: 'message', payload: { text: 'two' } },
    ];
    const { body } = await admin.post<Message>(`/v1/threads/${id}/messages`, { blocks, role: 'user' });
    expect((await messagesOf(id)).data).toMatchObject([
      { id: body.id, sender_id: 'user:primary', content_final: 'one\n\ntwo', trace: null, model_id: 'm' },
    ]);
  });

  test('a person posts with their own token', async () => {
    const id = await newChat(admin);
    const token = await admin.post<{ token: string }>('/v1/responder-tokens', { responderId: 'ann', threadId: id });
    const ann = admin.as(token.body.token);
    expect((await ann.post(`/api/v1/chats/${id}/messages`, fromUser('Hi'))).status).toBe(201);
    const disguised = await ann.post(`/api/v1/chats/${id}/messages`, { ...fromUser('Hi'), senderId: 'ceo' });
    expect(disguised.body).toMatchObject({ sender_id: 'user:primary' });
    refused(await ann.post(`/api/v1/chats/${id}/messages`, fromAgent('Hi')), 'FORBIDDEN', 403);
    const { body } = await admin.get<Page<Interaction>>(`/v1/threads/${id}/log`);
    expect(body.data.at(-1)).toMatchObject({ actor: { type: 'human', id: 'ann' } });
    await ask(admin, id, fixture('choice'));
    expect((await ann.get<Chat>(`/api/v1/chats/${id}`)).body.pending_requests_count).toBe(1);
  });
});
