/** Cases about the event stream, and about calls that only our server has. */
import { casesOf, expectLike, expectReply, expectStatus } from '../../case.ts';
import {
  ask,
  choice,
  doing,
  eventsOfChat,
  failing,
  invalid,
  missing,
  newChat,
  resolve,
  say,
  sayAsAgent,
  typesOf,
} from './chat-world.ts';

export const eventCases = casesOf('chat-requests', {
  'events show a request and its outcome': async (world) => {
    const chatId = await newChat(world);
    const trace = { workflow: 'deploy', step: 3 };
    const events = await eventsOfChat(world, { chatId, until: 'request.resolved' }, async () => {
      const { id } = await world.made(`/api/v1/chats/${chatId}/requests`, { ...choice, trace });
      await resolve(world, id, { selectedOptionIds: ['yes'] });
    });
    const [created, resolved] = events;
    expectLike(created, { type: 'request.created', payload: { chatId, type: 'choice', title: 'Deploy?' } });
    const payload = { status: 'resolved', resolutionPayload: { selectedOptionIds: ['yes'] }, trace };
    expectLike(resolved, { type: 'request.resolved', payload });
  },
  'a stream goes on after the event it is given, and leaves out nothing': async (world) => {
    const chatId = await newChat(world);
    const first = await eventsOfChat(world, { chatId, until: 'message.created' }, () =>
      say(world, chatId, { content: 'one' }),
    );
    await say(world, chatId, { content: 'two' });
    const query = `?cursor=${encodeURIComponent(first.at(-1)?.id ?? '')}`;
    const events = await eventsOfChat(world, { chatId, until: 'chat.archived', query }, () =>
      doing(world, `/api/v1/chats/${chatId}/archive`),
    );
    expectLike(typesOf(events), ['message.created', 'chat.archived']);
    expectLike(events[0]?.payload, { contentFinal: 'two', senderId: 'user:primary', role: 'user' });
  },
  'pieces of a message are only for those who follow what is not kept': async (world) => {
    const chatId = await newChat(world);
    const wanted = { chatId, until: 'message.streaming.complete', query: '?ephemeral=false' };
    const events = await eventsOfChat(world, wanted, async () => {
      const { id } = await sayAsAgent(world, chatId, { streaming: true });
      await world.post(`/api/v1/messages/${id}/chunks`, { deltaText: 'x' });
      await doing(world, `/api/v1/messages/${id}/complete`);
    });
    expectLike(typesOf(events), ['message.created', 'message.streaming.complete']);
  },
  'an unknown cursor of the stream is an error': async (world) => {
    const reply = await world.get('/api/v1/events/stream?cursor=nobody-gave-this');
    expectReply(reply, 400, failing('VALIDATION_ERROR', 'cursor event id was not found.'));
  },
});

export const chatRequestsBeyond = casesOf('chat-requests-beyond', {
  'a request is read by its id': async (world) => {
    const { id } = await ask(world);
    expectReply(await world.get(`/api/v1/requests/${id}`), 200, { id, status: 'pending' });
  },
  'a request expires': async (world) => {
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    expectLike(await ask(world, { ...choice, expiresAt }), { expires_at: expiresAt });
  },
  'a request is declined, which is a cancellation to a client that knows no decline': async (world) => {
    const { id } = await ask(world);
    expectReply(await world.post(`/api/v1/requests/${id}/decline`, { reason: 'Not now' }), 200, {
      status: 'cancelled',
      resolution_payload: null,
    });
  },
  'no more is selected than there is': async (world) => {
    const config = { ...choice.config, minSelections: 2, maxSelections: 3 };
    const path = `/api/v1/chats/${await newChat(world)}/requests`;
    expectReply(await world.post(path, { ...choice, config }), 400, invalid);
  },
  'a form has a label on its button, where it gave none': async (world) => {
    const fields = [{ name: 'a', type: 'text' }];
    const { config } = await ask(world, { type: 'form', title: 'F', config: { fields } });
    expectLike(config, { submitLabel: 'Submit' });
  },
  "another org's things do not exist": async (world) => {
    const { id, chat_id } = await ask(world);
    const key = await world.stranger();
    expectReply(await world.get(`/api/v1/chats/${chat_id}`, { key }), 404, missing);
    expectReply(await resolve(world, id, { selectedOptionIds: ['yes'] }, { key }), 404, missing);
    expectReply(await world.post(`/api/v1/chats/${chat_id}/requests`, choice, { key }), 404, missing);
  },
  'nothing is read without the right key, and an unknown path has the envelope too': async (world) => {
    expectReply(await world.get('/api/v1/chats', { key: 'no-such-key' }), 401, { error: { code: 'UNAUTHORIZED' } });
    expectReply(await world.get('/api/v1/nothing'), 404, missing);
  },
  'a worker is handed what came of a request as data too, with its trace': async (world) => {
    // Uses another org, so that it claims no batch of others.
    const key = await world.stranger();
    const worker = { workerId: crypto.randomUUID(), waitMs: 20_000 };
    const chatId = await newChat(world, {}, key);
    const trace = { workflow: 'deploy', step: 3 };
    const { id } = await world.made(`/api/v1/chats/${chatId}/requests`, { ...choice, trace }, { key });
    await resolve(world, id, { selectedOptionIds: ['yes'] }, { key });
    const batch = await world.made('/api/v1/dispatch/claim', worker, { key });
    expectLike(batch, {
      chatId,
      items: [
        {
          request: {
            id,
            type: 'choice',
            status: 'resolved',
            resolution_payload: { selectedOptionIds: ['yes'] },
            trace,
          },
        },
      ],
    });
    const { workerId } = worker;
    expectStatus(await world.post(`/api/v1/dispatch/${batch.batchId}/complete`, { workerId }, { key }), 204);
  },
});
