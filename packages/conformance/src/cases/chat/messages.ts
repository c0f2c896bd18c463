import { casesOf, expectLike, expectReply, expectStatus } from '../../case.ts';
import type { Reply, World } from '../../world.ts';
import {
  actorsOf,
  doing,
  eventsOfChat,
  everyPage,
  failing,
  invalid,
  newChat,
  say,
  sayAsAgent,
  typesOf,
} from './chat-world.ts';

const ended = failing('CONFLICT', 'Message is not in streaming state.');

/** The shortest sound: two samples of silence. */
const wav = Uint8Array.from(atob('UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQIAAACAgA=='), (each) =>
  each.charCodeAt(0),
);

async function upload(world: World, chatId: string, fields: Record<string, string> = {}): Promise<Reply> {
  const form = new FormData();
  form.append('file', new Blob([wav], { type: 'audio/wav' }), 'note.wav');
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  const response = await world.fetch(`${world.url}/api/v1/chats/${chatId}/media`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.key}` },
    body: form,
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

export const messageCases = casesOf('chat-requests', {
  'a message is trimmed, has its trace, and the model of its chat': async (world) => {
    const { agentId, modelId } = await actorsOf(world);
    const chatId = await newChat(world);
    const message = await sayAsAgent(world, chatId, { content: ' Hello ', trace: { step: 1 } });
    expectLike(message, {
      chat_id: chatId,
      role: 'agent',
      sender_id: agentId,
      content_final: 'Hello',
      content_partial: null,
      stream_state: 'complete',
      model_id: modelId,
      trace: { step: 1 },
    });
    expectReply(await world.get(`/api/v1/chats/${chatId}`), 200, {
      last_message_preview: 'Hello',
      last_message_role: 'agent',
    });
  },
  'a message that lacks something is refused': async (world) => {
    const { agentId } = await actorsOf(world);
    const path = `/api/v1/chats/${await newChat(world)}/messages`;
    const user = { role: 'user', senderId: 'user:primary' };
    const bad = [
      user,
      { ...user, content: '  ' },
      { ...user, content: 'x', role: 'assistant' },
      { role: 'user', content: 'x' },
      { ...user, streaming: true },
      { role: 'agent', senderId: agentId, streaming: true, content: 'x' },
    ];
    for (const body of bad) expectReply(await world.post(path, body), 400, invalid);
    expectReply(await world.get(path), 200, { data: [] });
  },
  'messages are listed with the newest first, page by page, up to 200 at once': async (world) => {
    const chatId = await newChat(world);
    const path = `/api/v1/chats/${chatId}/messages`;
    const ids: string[] = [];
    for (const content of ['a', 'b', 'c']) ids.push((await say(world, chatId, { content })).id);
    const listed = await everyPage(world, `${path}?limit=2`);
    expectLike(listed.map(({ id }) => id).toSorted(), ids.toSorted(), 'all pages');
    expectStatus(await world.get(`${path}?limit=200`), 200);
    expectReply(await world.get(`${path}?limit=201`), 400, invalid);
  },
  'a message streams': async (world) => {
    const chatId = await newChat(world);
    const events = await eventsOfChat(world, { chatId, until: 'message.streaming.complete' }, async (wait) => {
      const { id, stream_state, content_final } = await sayAsAgent(world, chatId, { streaming: true });
      expectLike([stream_state, content_final], ['streaming', null]);
      for (const deltaText of ['Hel', 'lo'])
        expectReply(await world.post(`/api/v1/messages/${id}/chunks`, { deltaText }), 200, {
          stream_state: 'streaming',
        });
      // Pieces are published only to open streams, before the message ends.
      await wait(3);
      expectReply(await world.post(`/api/v1/messages/${id}/complete`), 200, {
        content_final: 'Hello',
        content_partial: null,
        stream_state: 'complete',
      });
      expectReply(await world.post(`/api/v1/messages/${id}/chunks`, { deltaText: '!' }), 409, ended);
      for (const verb of ['complete', 'cancel'])
        expectReply(await doing(world, `/api/v1/messages/${id}/${verb}`), 409, ended);
    });
    expectLike(typesOf(events), [
      'message.created',
      'message.streaming.chunk',
      'message.streaming.chunk',
      'message.streaming.complete',
    ]);
    expectLike(events[0]?.payload, { role: 'agent', streamState: 'streaming', contentFinal: null });
    expectLike(events[3]?.payload, { finalText: 'Hello', streamState: 'complete' });
    const { body } = await world.get(`/api/v1/chats/${chatId}/messages`);
    expectLike(body, { data: [{ content_final: 'Hello' }], cursor: { next: null, hasMore: false } });
    expectReply(await world.get(`/api/v1/chats/${chatId}`), 200, { last_message_preview: 'Hello' });
  },
  'a message that was not streamed takes no pieces, and none takes an empty one': async (world) => {
    const chatId = await newChat(world);
    const { id } = await sayAsAgent(world, chatId, { content: 'Done' });
    expectReply(await world.post(`/api/v1/messages/${id}/chunks`, { deltaText: 'x' }), 409, ended);
    const { id: open } = await sayAsAgent(world, chatId, { streaming: true });
    expectReply(await world.post(`/api/v1/messages/${open}/chunks`, { deltaText: '' }), 400, invalid);
    const gone = failing('NOT_FOUND', 'Message not found.');
    expectReply(await world.post('/api/v1/messages/nowhere/chunks', { deltaText: 'x' }), 404, gone);
  },
  'a stream that is broken off keeps what came of it, and is not listed where nothing did': async (world) => {
    const chatId = await newChat(world);
    const [empty, begun] = [
      await sayAsAgent(world, chatId, { streaming: true }),
      await sayAsAgent(world, chatId, { streaming: true }),
    ];
    expectStatus(await world.post(`/api/v1/messages/${begun.id}/chunks`, { deltaText: 'Hal' }), 200);
    for (const { id } of [empty, begun])
      expectReply(await doing(world, `/api/v1/messages/${id}/cancel`), 200, { stream_state: 'cancelled' });
    expectReply(await world.get(`/api/v1/chats/${chatId}/messages`), 200, {
      data: [{ id: begun.id, content_partial: 'Hal', content_final: null, stream_state: 'cancelled' }],
    });
  },
  'all streaming messages of a chat are cancelled at once, and their ends are published': async (world) => {
    const chatId = await newChat(world);
    const path = `/api/v1/chats/${chatId}/messages/cancel-streaming`;
    expectReply(await doing(world, path), 200, { cancelledMessageIds: [] });
    const { id } = await sayAsAgent(world, chatId, { streaming: true });
    const events = await eventsOfChat(world, { chatId, until: 'message.streaming.complete' }, async () =>
      expectReply(await doing(world, path), 200, { cancelledMessageIds: [id] }),
    );
    expectLike(events.at(-1)?.payload, { messageId: id, streamState: 'cancelled' });
  },
  'a medium is uploaded, is all of a message, and comes back as it was': async (world) => {
    const chatId = await newChat(world);
    const uploaded = await upload(world, chatId);
    expectReply(uploaded, 201, {
      chat_id: chatId,
      message_id: null,
      filename: 'note.wav',
      kind: 'audio',
      byte_size: wav.length,
      thumbnail_path: null,
    });
    const { id } = uploaded.body;
    const message = await say(world, chatId, { trace: { mediaIds: [id] } });
    expectLike(message, { content_final: null, trace: { mediaIds: [id] } });
    expectReply(await world.get(`/api/v1/media/${id}`), 200, { id, message_id: message.id });
    expectReply(await world.get(`/api/v1/chats/${chatId}/media?kind=audio`), 200, { data: [{ id }] });
    expectReply(await world.get(`/api/v1/chats/${chatId}/media?kind=image`), 200, { data: [] });
    expectReply(await world.get(`/api/v1/chats/${chatId}`), 200, { last_message_preview: 'Voice note' });
    const headers = { authorization: `Bearer ${world.key}` };
    const file = await world.fetch(`${world.url}/api/v1/files/${id}`, { headers });
    expectLike([...new Uint8Array(await file.arrayBuffer())], [...wav], 'the file');
    expectLike(await upload(world, chatId, { messageId: message.id }), {
      status: 201,
      body: { message_id: message.id },
    });
    expectReply(await world.call(`/api/v1/media/${id}`, { method: 'DELETE' }), 409, { error: { code: 'CONFLICT' } });
    const twice = { role: 'user', senderId: 'user:primary', trace: { mediaIds: [id] } };
    expectReply(await world.post(`/api/v1/chats/${chatId}/messages`, twice), 400, invalid);
  },
  'a medium that no message has is deleted': async (world) => {
    const chatId = await newChat(world);
    const { id } = (await upload(world, chatId)).body;
    expectReply(await world.call(`/api/v1/media/${id}`, { method: 'DELETE' }), 200, { id });
    const gone = failing('NOT_FOUND', 'Media not found.');
    expectReply(await world.get(`/api/v1/media/${id}`), 404, gone);
    expectReply(await world.get(`/api/v1/files/${id}`), 404, gone);
  },
});
