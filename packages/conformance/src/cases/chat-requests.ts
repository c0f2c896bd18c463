/** Chats, requests, dispatch and events, under /api/v1. */
import { type Case, casesOf } from '../case.ts';
import { chatRequestExamples } from '../examples/chat-requests.ts';
import { expectLike, expectReply, expectStatus } from '../expect.ts';
import type { World } from '../world.ts';

const newChat = async (world: World, more: object = {}): Promise<string> =>
  (await world.made('/api/v1/chats', { agentIds: ['agent-1'], ...more })).id;

const choice = { type: 'choice', title: 'Deploy?', config: { options: [{ id: 'yes', label: 'Yes' }] } };

const ask = async (world: World, request: object = choice) =>
  world.made(`/api/v1/chats/${await newChat(world)}/requests`, request);

const resolve = (world: World, id: string, payload: object, options = {}) =>
  world.post(`/api/v1/requests/${id}/resolve`, payload, options);

const invalid = { error: { code: 'VALIDATION_ERROR' } };

const examples: Case[] = chatRequestExamples.map(({ name, request, resolution }) => ({
  suite: 'chat-requests',
  name: `the example ${name} is accepted as it stands, resolved, and comes back as the page says`,
  async run(world) {
    const chatId = await newChat(world);
    const pending = {
      chat_id: chatId,
      status: 'pending',
      ...request,
      body: 'body' in request ? request.body : null,
      trace: 'trace' in request ? request.trace : null,
      resolved_at: null,
      resolved_by: null,
      resolution_payload: null,
    };
    const reply = await world.post(`/api/v1/chats/${chatId}/requests`, request);
    expectReply(reply, 201, pending);
    const { id } = reply.body;
    expectReply(await world.get(`/api/v1/chats/${chatId}/requests`), 200, { data: [{ id, ...pending }] });
    expectReply(await resolve(world, id, resolution), 200, {
      ...pending,
      status: 'resolved',
      resolved_at: (await world.get(`/api/v1/requests/${id}`)).body.resolved_at,
      resolved_by: 'user',
      resolution_payload: resolution,
    });
    expectReply(await world.get(`/api/v1/chats/${chatId}/requests`), 200, { data: [] });
  },
}));

const others = casesOf('chat-requests', {
  'a cancelled request has no payload, and cannot be cancelled or resolved again': async (world) => {
    const { id } = await ask(world);
    const cancelled = { status: 'cancelled', resolution_payload: null };
    expectReply(await world.call(`/api/v1/requests/${id}/cancel`, { method: 'POST' }), 200, cancelled);
    expectReply(await world.call(`/api/v1/requests/${id}/cancel`, { method: 'POST' }), 400, invalid);
    expectReply(await resolve(world, id, { selectedOptionIds: ['yes'] }), 400, invalid);
  },
  'a late answer is a validation error': async (world) => {
    const { id } = await ask(world);
    expectStatus(await resolve(world, id, { selectedOptionIds: ['yes'] }), 200);
    expectReply(await resolve(world, id, { selectedOptionIds: ['yes'] }), 400, invalid);
  },
  'bad requests are refused': async (world) => {
    const path = `/api/v1/chats/${await newChat(world)}/requests`;
    const bad = [
      { ...choice, type: 'poll' },
      { ...choice, title: '  ' },
      { ...choice, config: { options: [] } },
      {
        ...choice,
        config: {
          options: [
            { id: 'a', label: 'A' },
            { id: 'a', label: 'B' },
          ],
        },
      },
      { ...choice, config: { ...choice.config, minSelections: 2 } },
      { ...choice, config: { options: [{ id: 'a', label: 'A', variant: 'pink' }] } },
      { type: 'text_input', title: 'x', config: { validation: { pattern: '(' } } },
      { type: 'form', title: 'x', config: { fields: [{ name: 'a', type: 'select' }] } },
      {
        type: 'form',
        title: 'x',
        config: {
          fields: [
            { name: 'a', type: 'text' },
            { name: 'a', type: 'text' },
          ],
        },
      },
    ];
    for (const request of bad) expectReply(await world.post(path, request), 400, invalid);
    expectReply(await world.get(path), 200, { data: [] });
  },
  'bad resolutions are refused and change nothing': async (world) => {
    const { id } = await ask(world);
    const bad = [
      { selectedOptionIds: 'yes' },
      { selectedOptionIds: ['maybe'] },
      { selectedOptionIds: ['yes', 'yes'] },
      { selectedOptionIds: ['yes'], resolvedBy: 'robot' },
    ];
    for (const payload of bad) expectReply(await resolve(world, id, payload), 400, invalid);
    expectReply(await world.get(`/api/v1/requests/${id}`), 200, { status: 'pending' });
  },
  'a text is trimmed, and must not be blank': async (world) => {
    const { id } = await ask(world, { type: 'text_input', title: 'Name?', config: {} });
    expectReply(await resolve(world, id, { text: '  ' }), 400, invalid);
    expectReply(await resolve(world, id, { text: ' Ada ' }), 200, { resolution_payload: { text: 'Ada' } });
  },
  'resolvedBy backend is kept': async (world) => {
    const { id } = await ask(world);
    expectReply(await resolve(world, id, { selectedOptionIds: ['yes'], resolvedBy: 'backend' }), 200, {
      resolved_by: 'backend',
      resolution_payload: { selectedOptionIds: ['yes'] },
    });
  },
  'an update re-checks the config, and takes no other key': async (world) => {
    const { id } = await ask(world);
    const config = { options: [{ id: 'no', label: 'No' }] };
    expectReply(await world.patch(`/api/v1/requests/${id}`, { title: 'Really?', config }), 200, {
      title: 'Really?',
      config,
    });
    expectReply(await world.patch(`/api/v1/requests/${id}`, { config: { options: [] } }), 400, invalid);
    expectReply(await world.patch(`/api/v1/requests/${id}`, { status: 'resolved' }), 400, invalid);
  },
  'an idempotency key is for one body in one chat': async (world) => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const chatId = await newChat(world);
    const first = await world.made(`/api/v1/chats/${chatId}/requests`, choice, { headers });
    expectLike(await world.made(`/api/v1/chats/${chatId}/requests`, choice, { headers }), { id: first.id });
    const conflict = { error: { code: 'CONFLICT' } };
    const other = { ...choice, title: 'Other?' };
    expectReply(await world.post(`/api/v1/chats/${chatId}/requests`, other, { headers }), 409, conflict);
    expectReply(await world.post(`/api/v1/chats/${await newChat(world)}/requests`, choice, { headers }), 409, conflict);
  },
  "another org's things do not exist": async (world) => {
    const { id, chat_id } = await ask(world);
    const key = await world.stranger();
    const missing = { error: { code: 'NOT_FOUND' } };
    expectReply(await world.get(`/api/v1/chats/${chat_id}`, { key }), 404, missing);
    expectReply(await resolve(world, id, { selectedOptionIds: ['yes'] }, { key }), 404, missing);
    expectReply(await world.post(`/api/v1/chats/${chat_id}/requests`, choice, { key }), 404, missing);
  },
  'an unknown key and an unknown path have the envelope too': async (world) => {
    expectReply(await world.get('/api/v1/chats', { key: 'no-such-key' }), 401, { error: { code: 'UNAUTHORIZED' } });
    expectReply(await world.get('/api/v1/nothing'), 404, { error: { code: 'NOT_FOUND' } });
  },
  'a chat counts what is pending': async (world) => {
    const chatId = await newChat(world, { title: 'Releases', tags: ['ops'], firstMessage: 'Hello' });
    const { body: before } = await world.get('/api/v1/chats/pending-summary');
    const { id } = await world.made(`/api/v1/chats/${chatId}/requests`, choice);
    expectReply(await world.get(`/api/v1/chats/${chatId}`), 200, {
      title: 'Releases',
      tags: ['ops'],
      agent_ids: ['agent-1'],
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
    expectReply(await world.patch(`/api/v1/chats/${chatId}`, { pinned: true }), 200, { pinned: true });
  },
  'a message streams': async (world) => {
    const chatId = await newChat(world);
    const start = { role: 'agent', senderId: 'agent-1', streaming: true };
    const events = await world.events(
      '/api/v1/events/stream?ephemeral=true',
      (seen) => ofChat(seen, chatId).some(({ type }) => type === 'message.streaming.complete'),
      async (until) => {
        const { id, stream_state } = await world.made(`/api/v1/chats/${chatId}/messages`, start);
        expectLike(stream_state, 'streaming');
        for (const deltaText of ['Hel', 'lo'])
          expectStatus(await world.post(`/api/v1/messages/${id}/chunks`, { deltaText }), 200);
        // They are told to whoever follows in time, and to nobody after the end.
        await until((seen) => ofChat(seen, chatId).length >= 3);
        expectReply(await world.post(`/api/v1/messages/${id}/complete`), 200, {
          content_final: 'Hello',
          stream_state: 'complete',
        });
        expectReply(await world.post(`/api/v1/messages/${id}/chunks`, { deltaText: '!' }), 409, {
          error: { code: 'CONFLICT' },
        });
      },
    );
    const told = ofChat(events, chatId);
    expectLike(
      told.map(({ type }) => type),
      ['message.created', 'message.streaming.chunk', 'message.streaming.chunk', 'message.streaming.complete'],
    );
    expectLike(told[3]?.payload, { finalText: 'Hello', streamState: 'complete' });
    const { body } = await world.get(`/api/v1/chats/${chatId}/messages`);
    expectLike(body, { data: [{ content_final: 'Hello' }], cursor: { next: null, hasMore: false } });
  },
  'events tell of a request and what came of it': async (world) => {
    const chatId = await newChat(world);
    const trace = { workflow: 'deploy', step: 3 };
    const events = await world.events(
      '/api/v1/events/stream',
      (seen) => ofChat(seen, chatId).some(({ type }) => type === 'request.resolved'),
      async () => {
        const { id } = await world.made(`/api/v1/chats/${chatId}/requests`, { ...choice, trace });
        await resolve(world, id, { selectedOptionIds: ['yes'] });
      },
    );
    const [created, resolved] = ofChat(events, chatId);
    expectLike(created, { type: 'request.created', payload: { chatId, type: 'choice', title: 'Deploy?' } });
    const payload = { status: 'resolved', resolutionPayload: { selectedOptionIds: ['yes'] }, trace };
    expectLike(resolved, { type: 'request.resolved', payload });
  },
  'a worker is handed messages and resolved requests, with their trace': async (world) => {
    // In an org of its own: nobody's work is taken from them.
    const key = await world.stranger();
    const worker = { workerId: crypto.randomUUID(), waitMs: 20_000 };
    await world.post('/api/v1/dispatch/claim', { ...worker, waitMs: 0 }, { key });
    const { id: chatId } = await world.made('/api/v1/chats', { agentIds: ['agent-1'] }, { key });
    await world.made(
      `/api/v1/chats/${chatId}/messages`,
      { role: 'user', senderId: 'user:primary', content: 'Hi' },
      { key },
    );
    const said = await world.made('/api/v1/dispatch/claim', worker, { key });
    expectLike(said, {
      chatId,
      kind: 'user_batch',
      agentIdHint: 'agent-1',
      compiledContent: 'Hi',
      items: [
        { sourceKind: 'user_message', senderId: 'user:primary', content: 'Hi', mediaIds: [], attachmentNames: [] },
      ],
      attachments: [],
    });
    const { workerId } = worker;
    expectStatus(await world.post(`/api/v1/dispatch/${said.batchId}/heartbeat`, { workerId }, { key }), 204);
    expectStatus(await world.post(`/api/v1/dispatch/${said.batchId}/complete`, { workerId }, { key }), 204);
    const trace = { workflow: 'deploy', step: 3 };
    const { id } = await world.made(`/api/v1/chats/${chatId}/requests`, { ...choice, trace }, { key });
    await resolve(world, id, { selectedOptionIds: ['yes'], resolvedBy: 'backend' }, { key });
    const resolved = await world.made('/api/v1/dispatch/claim', worker, { key });
    expectLike(resolved, {
      kind: 'request_batch',
      items: [
        {
          sourceKind: 'request_resolved',
          sourceId: id,
          senderId: 'backend',
          content: '[Request resolved: "Deploy?"] Selected: yes',
          request: { type: 'choice', status: 'resolved', resolution_payload: { selectedOptionIds: ['yes'] }, trace },
        },
      ],
    });
    expectStatus(await world.post(`/api/v1/dispatch/${resolved.batchId}/complete`, { workerId }, { key }), 204);
    expectStatus(await world.post(`/api/v1/dispatch/${crypto.randomUUID()}/complete`, { workerId }, { key }), 404);
  },
  'an unknown cursor of the stream is an error': async (world) => {
    expectReply(await world.get('/api/v1/events/stream?cursor=nobody-gave-this'), 400, invalid);
  },
});

interface Envelope {
  id: string;
  type: string;
  payload: Record<string, unknown>;
}

const ofChat = (events: readonly unknown[], chatId: string): Envelope[] =>
  (events as Envelope[]).filter(({ payload }) => payload?.chatId === chatId);

export const chatRequests: Case[] = [...examples, ...others];
