import { type Case, casesOf, expectLike, expectReply, expectStatus } from '../../case.ts';
import examples from '../../examples/chat-requests.json' with { type: 'json' };
import {
  ask,
  choice,
  conflict,
  doing,
  eventsOfChat,
  failing,
  invalid,
  newChat,
  resolve,
  typesOf,
} from './chat-world.ts';

/** The examples of the page, to the letter, with the answers that it gives for their types. */
export const exampleCases: Case[] = examples.map(({ name, request, resolution }) => ({
  suite: 'chat-requests',
  name: `the example ${name} is accepted as it stands, resolved, and comes back as the page says`,
  async run(world) {
    const chatId = await newChat(world);
    const pending = {
      chat_id: chatId,
      status: 'pending',
      ...request,
      body: request.body ?? null,
      trace: request.trace ?? null,
      resolved_at: null,
      resolved_by: null,
      resolution_payload: null,
    };
    const reply = await world.post(`/api/v1/chats/${chatId}/requests`, request);
    expectReply(reply, 201, pending);
    const { id } = reply.body;
    expectReply(await world.get(`/api/v1/chats/${chatId}/requests`), 200, { data: [{ id, ...pending }] });
    const resolved = await resolve(world, id, resolution);
    expectReply(resolved, 200, {
      ...pending,
      status: 'resolved',
      resolved_at: resolved.body.resolved_at,
      resolved_by: 'user',
      resolution_payload: resolution,
    });
    expectLike(typeof resolved.body.resolved_at, 'string');
    expectReply(await world.get(`/api/v1/chats/${chatId}/requests`), 200, { data: [] });
  },
}));

const onlyPending = (verb: string) => failing('VALIDATION_ERROR', `Only pending requests can be ${verb}.`);

export const requestCases = casesOf('chat-requests', {
  'a cancelled request has no payload, and cannot be cancelled or resolved again': async (world) => {
    const { id } = await ask(world);
    const cancelled = { status: 'cancelled', resolution_payload: null };
    const again = { error: { ...onlyPending('cancelled').error, details: { requestId: id, status: 'cancelled' } } };
    expectReply(await doing(world, `/api/v1/requests/${id}/cancel`), 200, cancelled);
    expectReply(await doing(world, `/api/v1/requests/${id}/cancel`), 400, again);
    expectReply(await resolve(world, id, { selectedOptionIds: ['yes'] }), 400, onlyPending('resolved'));
  },
  'a late answer is a validation error': async (world) => {
    const { id } = await ask(world);
    expectStatus(await resolve(world, id, { selectedOptionIds: ['yes'] }), 200);
    expectReply(await resolve(world, id, { selectedOptionIds: ['yes'] }), 400, onlyPending('resolved'));
  },
  'requests are listed by what became of them, the pending ones unless asked': async (world) => {
    const chatId = await newChat(world);
    const path = `/api/v1/chats/${chatId}/requests`;
    const made: string[] = [];
    for (let count = 0; count < 3; count++) made.push((await world.made(path, choice)).id);
    const [resolved = '', cancelled = '', pending = ''] = made;
    await resolve(world, resolved, { selectedOptionIds: ['yes'] });
    await doing(world, `/api/v1/requests/${cancelled}/cancel`);
    const listed = async (query: string) =>
      (await world.get(path + query)).body.data.map(({ id }: { id: string }) => id);
    expectLike(await listed(''), [pending]);
    expectLike(await listed('?status=resolved'), [resolved]);
    expectLike(await listed('?status=cancelled'), [cancelled]);
    expectLike((await listed('?status=all')).toSorted(), made.toSorted());
    expectReply(await world.get(`${path}?status=open`), 400, invalid);
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
      { ...choice, config: { ...choice.config, maxSelections: 0 } },
      { ...choice, trace: 'none' },
      { type: 'text_input', title: 'x', config: { validation: { minLength: 3, maxLength: 2 } } },
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
    const { id, chat_id } = await ask(world);
    const bad = [
      {},
      { selectedOptionIds: 'yes' },
      { selectedOptionIds: ['maybe'] },
      { selectedOptionIds: ['yes', 'yes'] },
      { selectedOptionIds: ['yes'], resolvedBy: 'robot' },
    ];
    for (const payload of bad) expectReply(await resolve(world, id, payload), 400, invalid);
    const twice = await resolve(world, id, { selectedOptionIds: ['yes', 'yes'] });
    expectReply(twice, 400, failing('VALIDATION_ERROR', 'selectedOptionIds must be unique.'));
    expectReply(await world.get(`/api/v1/chats/${chat_id}/requests`), 200, { data: [{ id, status: 'pending' }] });
  },
  'bad values of a form are refused': async (world) => {
    const fields = [
      { name: 'env', type: 'select', options: ['staging', 'production'], required: true },
      { name: 'tags', type: 'multiselect', options: ['a', 'b'] },
      { name: 'notify', type: 'checkbox', required: true },
    ];
    const { id } = await ask(world, { type: 'form', title: 'F', config: { fields } });
    const bad = [
      {},
      { env: 'moon', notify: true },
      { env: 'staging' },
      { env: 'staging', notify: 'yes' },
      { env: 'staging', notify: true, tags: ['c'] },
      { env: 'staging', notify: true, other: 1 },
    ];
    for (const values of bad) expectReply(await resolve(world, id, { values }), 400, invalid);
    const values = { env: 'staging', notify: false, tags: ['a', 'b'] };
    expectReply(await resolve(world, id, { values }), 200, { resolution_payload: { values } });
  },
  'a text is trimmed, must not be blank, and fits': async (world) => {
    const { id } = await ask(world, { type: 'text_input', title: 'Name?', config: { validation: { maxLength: 3 } } });
    for (const text of ['  ', 'Adam']) expectReply(await resolve(world, id, { text }), 400, invalid);
    expectReply(await resolve(world, id, { text: ' Ada ' }), 200, { resolution_payload: { text: 'Ada' } });
  },
  'a choice shows its default numbers of selections': async (world) => {
    const { config } = await ask(world);
    expectLike(config, { ...choice.config, minSelections: 0, maxSelections: 1 });
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
  'an idempotency key is for one body in one chat, and its event is published once': async (world) => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const chatId = await newChat(world);
    const path = `/api/v1/chats/${chatId}/requests`;
    const events = await eventsOfChat(world, { chatId, until: 'request.cancelled' }, async () => {
      const first = await world.made(path, choice, { headers });
      expectLike(await world.made(path, choice, { headers }), { id: first.id });
      await doing(world, `/api/v1/requests/${first.id}/cancel`);
    });
    expectLike(typesOf(events), ['request.created', 'request.cancelled']);
    const other = { ...choice, title: 'Other?' };
    expectReply(await world.post(path, other, { headers }), 409, conflict);
    expectReply(await world.post(`/api/v1/chats/${await newChat(world)}/requests`, choice, { headers }), 409, conflict);
  },
  'a request that is not there is not found': async (world) => {
    const gone = failing('NOT_FOUND', 'Request not found.');
    expectReply(await resolve(world, 'nowhere', { text: 'x' }), 404, gone);
    expectReply(await doing(world, '/api/v1/requests/nowhere/cancel'), 404, gone);
    expectReply(await world.patch('/api/v1/requests/nowhere', { title: 'x' }), 404, gone);
  },
});
