/** What Holdpoint adds to the protocol of the chats: other servers that speak it lack this, and need not have it. */
import { casesOf } from '../../case.ts';
import { expectLike, expectReply, expectStatus } from '../../expect.ts';
import { ask, choice, invalid, missing, newChat, resolve } from './chat-world.ts';

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
    // In an org of its own: nobody's work is taken from them.
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
