import { casesOf } from '../../case.ts';
import { expectLike, expectReply } from '../../expect.ts';
import { choice, doing, eventsOfChat, failing, newChat, resolve, say, sayAsAgent, typesOf } from './chat-world.ts';

export const eventCases = casesOf('chat-requests', {
  'events tell of a request and what came of it': async (world) => {
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
