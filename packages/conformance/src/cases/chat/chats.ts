import { casesOf, expectLike, expectReply, expectStatus } from '../../case.ts';
import {
  actorsOf,
  ask,
  choice,
  doing,
  eventsOfChat,
  everyPage,
  failing,
  invalid,
  newChat,
  resolve,
  say,
  sayAsAgent,
  typesOf,
} from './chat-world.ts';

export const chatCases = casesOf('chat-requests', {
  'a chat is named by its first message, which is trimmed and is the first word of the user': async (world) => {
    const { modelId } = await actorsOf(world);
    const chatId = await newChat(world, { firstMessage: '  Hello\n there ' });
    expectReply(await world.get(`/api/v1/chats/${chatId}`), 200, {
      title: 'Hello there',
      title_source: 'default',
      last_message_preview: 'Hello\n there',
      last_message_role: 'user',
      unread_count: 0,
    });
    expectReply(await world.get(`/api/v1/chats/${chatId}/messages`), 200, {
      data: [{ role: 'user', sender_id: 'user:primary', content_final: 'Hello\n there', model_id: modelId }],
    });
  },
  'a chat that lacks something, or is no object, is refused': async (world) => {
    const { agentId, modelId } = await actorsOf(world);
    for (const body of [[], {}, { agentIds: [], modelId }, { agentIds: [agentId], modelId, firstMessage: 5 }])
      expectReply(await world.post('/api/v1/chats', body), 400, invalid);
    const blank = { agentIds: [agentId], modelId, title: '  ' };
    expectReply(await world.post('/api/v1/chats', blank), 400, invalid);
  },
  'chats are listed page by page, pinned ones first, and by what is asked for': async (world) => {
    const tag = `tag-${crypto.randomUUID()}`;
    const ids: string[] = [];
    for (const title of ['One', 'Two', 'Three']) ids.push(await newChat(world, { title, tags: [tag] }));
    const listed = (await everyPage(world, `/api/v1/chats?tag=${tag}&limit=2`)).map(({ id }) => id);
    expectLike(listed.toSorted(), ids.toSorted(), 'all pages');
    const [first] = ids;
    expectReply(await world.patch(`/api/v1/chats/${first}`, { pinned: true }), 200, { pinned: true });
    expectLike((await everyPage(world, `/api/v1/chats?tag=${tag}`))[0], { id: first }, 'the first');
    const titled = await everyPage(world, `/api/v1/chats?tag=${tag}&query=tw`);
    expectLike(titled, [{ title: 'Two' }]);
    await doing(world, `/api/v1/chats/${first}/archive`);
    const open = await everyPage(world, `/api/v1/chats?tag=${tag}&archived=false`);
    expectLike(open.length, 2, 'how many are open');
  },
  'a change of a chat leaves the time of its last word alone': async (world) => {
    const chatId = await newChat(world);
    await say(world, chatId, { content: 'Hi' });
    const { body: before } = await world.get(`/api/v1/chats/${chatId}`);
    expectReply(await world.patch(`/api/v1/chats/${chatId}`, { title: 'New', tags: ['a', 'a', ' b '] }), 200, {
      title: 'New',
      title_source: 'manual',
      tags: ['a', 'b'],
      last_message_at: before.last_message_at,
    });
    expectReply(await world.patch(`/api/v1/chats/${chatId}`, { title: 'Auto', titleAutoRenamed: true }), 200, {
      title_source: 'auto',
    });
    expectReply(await world.patch(`/api/v1/chats/${chatId}`, {}), 400, invalid);
  },
  'a chat is archived, comes back, is unread and read, and its events say so': async (world) => {
    const chatId = await newChat(world);
    const path = `/api/v1/chats/${chatId}`;
    const events = await eventsOfChat(world, { chatId, until: 'chat.read' }, async () => {
      await world.patch(path, { title: 'Renamed' });
      for (const verb of ['archive', 'unarchive', 'mark-unread', 'mark-read'])
        expectReply(await doing(world, `${path}/${verb}`), 200, { ok: true });
    });
    expectLike(typesOf(events), ['chat.updated', 'chat.archived', 'chat.unarchived', 'chat.unread', 'chat.read']);
    expectReply(await world.get(path), 200, { is_archived: false, unread_count: 0 });
  },
  'whatever is not of the user is unread until the chat is read': async (world) => {
    const chatId = await newChat(world);
    const { agentId } = await actorsOf(world);
    const unread = async (count: number) =>
      expectReply(await world.get(`/api/v1/chats/${chatId}`), 200, { unread_count: count });
    const { body: before } = await world.get('/api/v1/chats/unread-summary');
    await sayAsAgent(world, chatId, { content: 'one' });
    await say(world, chatId, { role: 'system', senderId: 'system', content: 'two' });
    await say(world, chatId, { role: 'tool', senderId: 'tool', content: 'three' });
    await say(world, chatId, { content: 'mine' });
    await unread(3);
    expectReply(await world.get('/api/v1/chats/unread-summary?archived=false'), 200, {
      unread_by_agent: { [agentId]: (before.unread_by_agent[agentId] ?? 0) + 3 },
    });
    for (let times = 0; times < 2; times++) {
      await doing(world, `/api/v1/chats/${chatId}/mark-read`);
      await unread(0);
    }
    await doing(world, `/api/v1/chats/${chatId}/mark-unread`);
    expectReply(await world.get(`/api/v1/chats/${chatId}`), 200, { last_read_at: null });
  },
  'a chat counts what is pending': async (world) => {
    const { agentId } = await actorsOf(world);
    const chatId = await newChat(world, { title: 'Releases', tags: ['ops'], firstMessage: 'Hello' });
    const { body: before } = await world.get('/api/v1/chats/pending-summary');
    const { id } = await world.made(`/api/v1/chats/${chatId}/requests`, choice);
    expectReply(await world.get(`/api/v1/chats/${chatId}`), 200, {
      title: 'Releases',
      tags: ['ops'],
      agent_ids: [agentId],
      is_archived: false,
      pinned: false,
      pending_requests_count: 1,
      last_message_preview: 'Hello',
    });
    expectReply(await world.get('/api/v1/chats/pending-summary'), 200, {
      pending_requests_total: before.pending_requests_total + 1,
    });
    await resolve(world, id, { selectedOptionIds: ['yes'] });
    expectReply(await world.get(`/api/v1/chats/${chatId}`), 200, { pending_requests_count: 0 });
  },
  'a summary leaves archived chats out where asked to': async (world) => {
    const total = async () =>
      (await world.get('/api/v1/chats/pending-summary?archived=false')).body.pending_requests_total;
    const before = await total();
    const { chat_id } = await ask(world);
    expectLike(await total(), before + 1, 'the summary');
    await doing(world, `/api/v1/chats/${chat_id}/archive`);
    expectLike(await total(), before, 'the summary once it is archived');
  },
  'an idempotency key makes one chat, also for many at once and whatever the order of the keys': async (world) => {
    const { agentId, modelId } = await actorsOf(world);
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const body = { agentIds: [agentId], modelId, title: 'Once' };
    const turned = { title: 'Once', modelId, agentIds: [agentId] };
    const made = await Promise.all([body, turned, body].map((each) => world.made('/api/v1/chats', each, { headers })));
    expectLike(new Set(made.map(({ id }) => id)).size, 1, 'how many chats there are');
    const other = await world.post('/api/v1/chats', { ...body, title: 'Other' }, { headers });
    const message = 'Idempotency-Key already used with a different request payload.';
    expectReply(other, 409, failing('CONFLICT', message));
    const empty = await world.post('/api/v1/chats', body, { headers: { 'idempotency-key': '' } });
    expectReply(empty, 400, failing('VALIDATION_ERROR', 'Idempotency-Key cannot be empty.'));
  },
  'nothing is written without the right key': async (world) => {
    const refused = failing('UNAUTHORIZED', 'Missing or invalid instance secret.');
    for (const path of ['/api/v1/chats', '/api/v1/dispatch/claim'])
      expectReply(await world.post(path, {}, { key: 'no-such-key' }), 401, refused);
    const stream = await world.get('/api/v1/events/stream', { key: 'no-such-key' });
    expectReply(stream, 401, refused);
  },
  'a chat that is not there is not found': async (world) => {
    const gone = failing('NOT_FOUND', 'Chat not found.');
    expectReply(await world.get('/api/v1/chats/nowhere'), 404, gone);
    expectReply(await world.patch('/api/v1/chats/nowhere', { pinned: true }), 404, gone);
    for (const path of ['archive', 'mark-read', 'user-typing', 'messages/cancel-streaming'])
      expectReply(await doing(world, `/api/v1/chats/nowhere/${path}`), 404, gone);
    for (const path of ['requests', 'messages'])
      expectReply(await world.get(`/api/v1/chats/nowhere/${path}`), 404, gone);
  },
  'typing is published and has an empty response': async (world) => {
    const chatId = await newChat(world);
    const { agentId } = await actorsOf(world);
    const events = await eventsOfChat(world, { chatId, until: 'chat.user_typing' }, async () => {
      expectStatus(await world.post(`/api/v1/chats/${chatId}/typing`, { agentId }), 204);
      expectStatus(await doing(world, `/api/v1/chats/${chatId}/user-typing`), 204);
    });
    expectLike(typesOf(events), ['chat.typing', 'chat.user_typing']);
    expectLike(events[0]?.payload, { agentId });
  },
  'health is for anybody': async (world) => {
    const reply = await world.get('/api/v1/health', { key: 'no-such-key' });
    expectReply(reply, 200, { service: 'opengram', status: 'ok' });
    expectLike(typeof reply.body.uptime, 'number');
  },
  'the configuration says how work is handed out, and no secret': async (world) => {
    const reply = await world.get('/api/v1/config');
    expectReply(reply, 200, { server: { dispatch: { claim: {} } }, push: {}, security: {} });
    expectLike(JSON.stringify(reply.body).includes(world.key), false, 'whether it has the key');
  },
  'tags are suggested by their beginning': async (world) => {
    const tag = `tag-${crypto.randomUUID()}`;
    await newChat(world, { tags: [tag] });
    expectReply(await world.get(`/api/v1/tags/suggestions?q=${tag.slice(0, -4)}`), 200, {
      data: [{ name: tag, usage_count: 1 }],
    });
    expectReply(await world.get('/api/v1/tags/suggestions'), 200, { data: [] });
  },
  'titles and messages are searched': async (world) => {
    const word = `word${crypto.randomUUID().replaceAll('-', '')}`;
    const chatId = await newChat(world, { title: `A ${word} chat` });
    const { id } = await say(world, chatId, { content: `<img> a ${word} here` });
    expectReply(await world.get(`/api/v1/search?q=${word}`), 200, { chats: [{ id: chatId }], messages: [] });
    const found = await world.get(`/api/v1/search?q=${word.slice(0, -2)}&scope=messages`);
    const snippet = `&lt;img&gt; a <mark>${word}</mark> here`;
    expectReply(found, 200, { chats: [], messages: [{ id, chat_id: chatId, snippet }] });
    expectReply(await world.get('/api/v1/search?q=%20'), 400, invalid);
  },
});
