/** The protocol itself, under /v1. */
import { casesOf, expectLike, expectReply, expectStatus } from '../case.ts';
import type { World } from '../world.ts';

const ask = async (world: World, question: object = {}) =>
  world.made(`/v1/threads/${await world.newThread()}/interactions`, {
    title: 'Deploy?',
    options: ['yes', 'no'],
    ...question,
  });

const answer = (world: World, id: string, body: object = { values: { choice: 'yes' } }, headers = {}) =>
  world.post(`/v1/interactions/${id}/answers`, body, { headers });

export const native = casesOf('native', {
  'a title alone asks for a text': async (world) => {
    const asked = await ask(world, { options: undefined });
    expectLike(asked, { kind: 'input', status: 'pending', version: 1, fields: [{ name: 'text', type: 'text' }] });
  },
  'an answer closes the question and goes to whoever waits': async (world) => {
    const { id } = await ask(world);
    const waiting = world.get(`/v1/interactions/${id}/wait?timeoutMs=20000`);
    const closed = { status: 'answered', answer: { decision: 'accepted', values: { choice: 'yes' } } };
    expectReply(await answer(world, id), 200, closed);
    expectReply(await waiting, 200, closed);
  },
  'a wait that is over gives the pending question': async (world) => {
    const { id } = await ask(world);
    expectReply(await world.get(`/v1/interactions/${id}/wait?timeoutMs=1`), 200, { status: 'pending' });
  },
  'an invalid answer is refused with every problem, and changes nothing': async (world) => {
    const fields = [
      { name: 'count', type: 'number', required: true },
      { name: 'mail', type: 'email' },
    ];
    const { id } = await ask(world, { options: undefined, fields });
    const reply = await answer(world, id, { values: { count: 'x', mail: 'x', other: 1 } });
    expectReply(reply, 422, { code: 'invalid-answer' });
    const places = reply.body.errors.map(({ pointer }: { pointer: string }) => pointer).sort();
    expectLike(places, ['/values/count', '/values/mail', '/values/other']);
    expectReply(await world.get(`/v1/interactions/${id}`), 200, { status: 'pending', version: 1 });
  },
  'of many answers at once exactly one wins': async (world) => {
    const { id } = await ask(world);
    const replies = await Promise.all(Array.from({ length: 8 }, () => answer(world, id)));
    const statuses = replies.map(({ status }) => status).sort();
    expectLike(statuses, [200, 409, 409, 409, 409, 409, 409, 409]);
  },
  'the error of a late answer shows the current status': async (world) => {
    const { id } = await ask(world);
    await answer(world, id);
    const late = await answer(world, id, { values: { choice: 'no' } });
    expectReply(late, 409, { code: 'interaction-already-answered', current: { status: 'answered' } });
  },
  'a decline is an answer that declines': async (world) => {
    const { id } = await ask(world);
    const closed = { status: 'answered', closedReason: 'declined', answer: { decision: 'declined' } };
    expectReply(await world.post(`/v1/interactions/${id}/decline`, { reason: 'Not now.' }), 200, closed);
  },
  'a cancelled question takes no answer': async (world) => {
    const { id } = await ask(world);
    expectReply(await world.post(`/v1/interactions/${id}/cancel`), 200, { status: 'cancelled' });
    expectReply(await answer(world, id), 409, { code: 'interaction-cancelled' });
  },
  'a deadline expires the question': async (world) => {
    const { id } = await ask(world, { deadline: { at: new Date(Date.now() + 700).toISOString(), outcome: 'expire' } });
    expectReply(await world.get(`/v1/interactions/${id}/wait?timeoutMs=10000`), 200, { status: 'expired' });
    expectReply(await answer(world, id), 409, { code: 'interaction-expired' });
  },
  'an expectedVersion that is no longer is refused': async (world) => {
    const { id } = await ask(world);
    expectReply(await answer(world, id, { values: { choice: 'yes' }, expectedVersion: 7 }), 409, {
      code: 'version-conflict',
    });
  },
  'a call repeated with its idempotency key is done once': async (world) => {
    const path = `/v1/threads/${await world.newThread()}/interactions`;
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const first = await world.made(path, { title: 'Once?' }, { headers });
    expectLike(await world.made(path, { title: 'Once?' }, { headers }), { id: first.id });
    expectReply(await world.post(path, { title: 'Twice?' }, { headers }), 409, { code: 'idempotency-key-reused' });
  },
  'a field that visibleIf hides is neither required nor stored': async (world) => {
    const fields = [
      { name: 'late', type: 'checkbox' },
      {
        name: 'why',
        type: 'text',
        required: true,
        visibleIf: { all_of: [{ field: 'late', op: 'equals', value: true }] },
      },
    ];
    const { id } = await ask(world, { options: undefined, fields });
    expectReply(await answer(world, id, { values: { late: false, why: 'x' } }), 200, {
      answer: { values: { late: false } },
    });
  },
  'an approval keeps edited arguments': async (world) => {
    const question = {
      kind: 'approval',
      options: undefined,
      arguments: { command: 'ls' },
      fields: [{ name: 'command', type: 'text' }],
    };
    const { id } = await ask(world, question);
    const values = { decision: 'allow', command: 'ls -l' };
    expectReply(await answer(world, id, { values }), 200, { answer: { decision: 'accepted', values } });
  },
  'secret values are in no record and are handed out once': async (world) => {
    const { id } = await ask(world, { options: undefined, fields: [{ name: 'token', type: 'password' }] });
    const reply = await answer(world, id, { values: { token: 'hunter2' } });
    expectReply(reply, 200, { answer: { values: {}, secretFields: ['token'] } });
    expectReply(await world.post(`/v1/interactions/${id}/secrets`), 200, { values: { token: 'hunter2' } });
    expectReply(await world.post(`/v1/interactions/${id}/secrets`), 410, { code: 'secrets-taken' });
  },
  'the log of a thread has every event in order': async (world) => {
    const { id, threadId } = await ask(world);
    await answer(world, id);
    const { body } = await world.get(`/v1/threads/${threadId}/log`);
    expectLike(body.data, [
      { seq: 1, type: 'thread.created' },
      { seq: 2, type: 'interaction.created', interactionId: id },
      { seq: 3, type: 'interaction.answered', interactionId: id },
    ]);
  },
  'followers are sent what is committed': async (world) => {
    const threadId = await world.newThread();
    const [created] = await world.events(
      `/v1/events?threadId=${threadId}`,
      (events) => events.length > 0,
      () => world.made(`/v1/threads/${threadId}/messages`, { text: 'Hello' }),
    );
    expectLike(created, { type: 'message.created', threadId, seq: 2 });
  },
  'a claim keeps others out until it is released': async (world) => {
    const { id } = await ask(world);
    const [ann, ben] = ['ann', 'ben'].map((name) => ({ responder: { type: 'human', id: name } }));
    expectReply(await world.post(`/v1/interactions/${id}/claim`, ann), 200, { claim: { by: { id: 'ann' } } });
    const values = { choice: 'yes' };
    expectReply(await answer(world, id, { values, ...ben }), 409, { code: 'interaction-claimed' });
    expectReply(await world.post(`/v1/interactions/${id}/release`, ann), 200, { status: 'pending' });
    expectReply(await answer(world, id, { values, ...ben }), 200, { status: 'answered' });
  },
  'a colleague takes the place of an assignee': async (world) => {
    const { id } = await ask(world, { responder: { type: 'human', assignees: ['ann', 'carl'] } });
    const [ann, ben] = ['ann', 'ben'].map((name) => ({ responder: { type: 'human', id: name } }));
    expectReply(await world.post(`/v1/interactions/${id}/delegate`, { to: 'ben', ...ann }), 200, {
      responder: { assignees: ['ben', 'carl'] },
    });
    const values = { choice: 'yes' };
    expectReply(await answer(world, id, { values, ...ann }), 403, { code: 'wrong-responder' });
    expectReply(await answer(world, id, { values, ...ben }), 200, { answer: { assignee: 'ben' } });
  },
  'the key that asked answers for nobody, if requesters are excluded': async (world) => {
    const { id } = await ask(world, { responder: { type: 'human', notRequester: true } });
    const body = { values: { choice: 'yes' }, responder: { type: 'human', id: 'ann' } };
    expectReply(await answer(world, id, body), 403, { code: 'not-requester' });
    expectReply(await world.get(`/v1/interactions/${id}`), 200, { status: 'pending', votes: [] });
  },
  'a quorum of groups needs people of each group': async (world) => {
    const mark = crypto.randomUUID().slice(0, 8);
    const groups = [`money-${mark}`, `law-${mark}`];
    for (const group of groups) await world.made('/v1/groups', { id: group });
    const people = [];
    for (const group of [groups[0], groups[0], groups[1]])
      people.push(await world.made('/v1/people', { name: 'A member', groups: [group] }));
    const of = groups.map((group) => ({ group, count: 1 }));
    const { id } = await ask(world, { resolution: { mode: 'quorum', of } });
    const vote = (person: { id: string }) =>
      answer(world, id, { values: { choice: 'yes' }, responder: { type: 'human', id: person.id } });
    expectReply(await vote(people[0]), 200, { status: 'pending' });
    expectReply(await vote(people[0]), 409, { code: 'already-voted' });
    expectReply(await vote(people[1]), 200, { status: 'pending' });
    expectReply(await vote(people[2]), 200, { status: 'answered', answer: { groups: [groups[1]] } });
  },
  "another org's things do not exist": async (world) => {
    const { id, threadId } = await ask(world);
    const key = await world.stranger();
    expectStatus(await world.get(`/v1/interactions/${id}`, { key }), 404);
    expectStatus(await world.get(`/v1/threads/${threadId}`, { key }), 404);
    expectStatus(await world.post(`/v1/interactions/${id}/answers`, { values: { choice: 'yes' } }, { key }), 404);
  },
  'an unknown key is refused': async (world) => {
    expectReply(await world.get('/v1/threads', { key: 'no-such-key' }), 401, { code: 'unauthenticated' });
  },
  'an unknown property is refused where it stands': async (world) => {
    const reply = await world.post(`/v1/threads/${await world.newThread()}/interactions`, { title: 'x', tilte: 'y' });
    expectReply(reply, 400, { code: 'invalid-input', errors: [{ pointer: '/tilte' }] });
  },
});
