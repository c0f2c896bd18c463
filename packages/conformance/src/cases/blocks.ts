/** Sessions with public keys, replies made of blocks, resumes and telemetry. The cases play the agent. */
import { casesOf, expectLike, expectReply, expectStatus, type TurnOfCase, workTurn } from '../case.ts';
import type { World } from '../world.ts';

const api = '/api/public/v1/chat';
const origin = 'https://conformance.example';

async function publicKey(world: World, more: object = {}) {
  const agent = `conformance-${crypto.randomUUID()}`;
  const settings = { agent, allowedOrigins: [origin], ...more };
  const { publicKey: key } = await world.made('/v1/keys', { name: 'conformance', role: 'public', public: settings });
  return { agent, key };
}

const openSession = (world: World, body: object, from: string | undefined = origin) =>
  world.post(`${api}/sessions`, body, { key: 'none', headers: from === undefined ? {} : { origin: from } });

async function open(world: World, more: object = {}) {
  const { agent, key: opener } = await publicKey(world, more);
  const reply = await openSession(world, { publicKey: opener });
  expectStatus(reply, 201);
  const { sessionToken: key, conversationId } = reply.body;
  return { agent, key, conversationId, send: (body: object) => world.post(`${api}/messages`, body, { key }) };
}

const say = (world: World, threadId: string, text: string) =>
  world.made(`/v1/threads/${threadId}/messages`, { text, role: 'agent' });

async function ask(world: World, { threadId, runId }: TurnOfCase, question: object) {
  const { id } = await world.made(`/v1/threads/${threadId}/interactions`, { ...question, run: { id: runId } });
  return { status: 'waiting', waitingFor: [{ type: 'interaction', interactionId: id }] };
}

/** Posts a message, lets the agent ask, and returns the reply that waits for input. */
export async function asked(world: World, question: object) {
  const session = await open(world);
  const [sent] = await Promise.all([
    session.send({ text: 'Hello' }),
    workTurn(world, session.agent, async (turn) => {
      await say(world, turn.threadId, 'One moment.');
      return ask(world, turn, question);
    }),
  ]);
  expectReply(sent, 200, { reply: { status: 'waiting_input', conversationId: session.conversationId } });
  const { reply } = sent.body;
  const resume = (values: object) =>
    session.send({ waitToken: reply.waitToken, executionId: reply.executionId, values });
  const finish = async (values: object) => {
    const [resumed] = await Promise.all([
      resume(values),
      workTurn(world, session.agent, async ({ threadId }) => {
        await say(world, threadId, 'Thank you.');
        return { status: 'completed' };
      }),
    ]);
    return resumed;
  };
  return { ...session, reply, resume, finish };
}

export const blocks = casesOf('blocks', {
  'a session is opened by a page that the public key is for': async (world) => {
    const widget = { title: 'Help' };
    const { key } = await publicKey(world, { widget, quickQuestions: ['Where?'], intents: [{ name: 'refund' }] });
    expectReply(await openSession(world, { publicKey: key, customerId: 'c-1', variables: { plan: 'pro' } }), 201, {
      widget,
      quickQuestions: ['Where?'],
      intents: [{ name: 'refund' }],
    });
    expectReply(await openSession(world, { publicKey: key }, 'https://evil.example'), 403, {
      error: 'origin_not_allowed',
    });
    expectReply(await openSession(world, { publicKey: 'hpp_none' }), 401, { error: 'invalid_session_token' });
    expectReply(await openSession(world, { publicKey: key, variables: { Not: 1 } }), 400, { error: 'invalid_input' });
  },
  'a public key does nothing but open sessions': async (world) => {
    const { key } = await publicKey(world);
    expectReply(await world.get('/v1/threads', { key }), 403, { code: 'forbidden' });
    expectReply(await world.post(`${api}/messages`, { text: 'Hello' }, { key }), 401, {
      error: 'invalid_session_token',
    });
  },
  'pages of every origin may call': async (world) => {
    const headers = { origin, 'access-control-request-method': 'POST' };
    const reply = await world.call(`${api}/messages`, { method: 'OPTIONS', headers });
    expectLike(reply.headers.get('access-control-allow-origin'), '*');
  },
  'a form waits for input, refuses what does not fit, and goes on': async (world) => {
    const fields = [
      { type: 'heading', text: 'You' },
      { name: 'reason', type: 'select', label: 'Reason', required: true, options: ['late', 'broken'] },
      {
        name: 'days',
        type: 'number',
        required: true,
        visibleIf: { all_of: [{ field: 'reason', op: 'equals', value: 'late' }] },
      },
      { name: 'stars', type: 'rating', maxStars: 4 },
    ];
    const { reply, resume, finish } = await asked(world, { title: 'About it', fields, submitLabel: 'Send' });
    expectLike(reply.blocks, [
      { type: 'message', payload: { role: 'agent', text: 'One moment.', format: 'plain' } },
      { type: 'form', payload: { title: 'About it', submit_label: 'Send' } },
    ]);
    expectLike(Object.keys(reply.expectedInput.schema.properties), ['reason', 'days', 'stars']);
    expectLike(reply.expectedInput.schema.properties.stars, { minimum: 1, maximum: 4 });
    expectReply(await resume({ reason: 'late' }), 422, { error: 'validation_failed', details: [{ field: 'days' }] });
    expectReply(await finish({ reason: 'broken' }), 200, {
      reply: { status: 'completed', executionId: reply.executionId, blocks: [{ payload: { text: 'Thank you.' } }] },
    });
  },
  'a choice and the action of a card are answered by the name the schema says': async (world) => {
    const choice = await asked(world, { title: 'Which?', options: ['a', 'b'] });
    expectLike(choice.reply.blocks[1], { type: 'choice', payload: { name: 'choice' } });
    expectStatus(await choice.finish({ choice: 'a' }), 200);
    const actions = [{ label: 'Take it', value: 'take' }];
    const card = await asked(world, {
      kind: 'choice',
      title: 'Plan B',
      content: [{ type: 'card', payload: { title: 'Plan B', text: 'Cheaper', actions } }],
      fields: [{ name: 'action', type: 'select', required: true, options: ['take'] }],
    });
    expectLike(card.reply.blocks[1], { type: 'card', payload: { actions } });
    expectLike(card.reply.expectedInput.schema.required, ['action']);
    expectStatus(await card.finish({ action: 'take' }), 200);
  },
  'a wait token works once, and for its execution': async (world) => {
    const { reply, send, resume, finish } = await asked(world, { title: 'Which?', options: ['a', 'b'] });
    const made = await send({ waitToken: 'made up', executionId: reply.executionId, values: { choice: 'a' } });
    expectReply(made, 409, { error: 'invalid_wait_token' });
    expectStatus(await finish({ choice: 'a' }), 200);
    expectReply(await resume({ choice: 'a' }), 409, { error: 'invalid_wait_token' });
  },
  'an execution is polled with the same blocks, and is nobody else’s': async (world) => {
    const { reply, key } = await asked(world, { title: 'Which?', options: ['a', 'b'] });
    const path = `${api}/executions/${reply.executionId}`;
    expectReply(await world.get(path, { key }), 200, { reply });
    const other = await open(world);
    expectReply(await world.get(path, { key: other.key }), 404, { error: 'execution_not_found' });
  },
  'an execution that was cancelled is aborted': async (world) => {
    const { reply, key, resume } = await asked(world, { title: 'Which?', options: ['a', 'b'] });
    await world.made(`/v1/runs/${reply.executionId}/cancel`);
    expectReply(await world.get(`${api}/executions/${reply.executionId}`, { key }), 200, {
      reply: { status: 'aborted' },
    });
    expectReply(await resume({ choice: 'a' }), 410, { error: 'execution_aborted' });
  },
  'the history has what was said, and names the execution that waits': async (world) => {
    const { reply, key, conversationId } = await asked(world, { title: 'Which?', options: ['a', 'b'] });
    expectReply(await world.get(`${api}/messages`, { key }), 200, {
      ...{ conversationId, executionId: reply.executionId },
      messages: [
        { role: 'user', blocks: [{ type: 'message', payload: { role: 'user', text: 'Hello' } }] },
        { role: 'agent', blocks: [{ type: 'message', payload: { role: 'agent', text: 'One moment.' } }] },
      ],
    });
    expectReply(await world.get(`${api}/messages`), 401, { error: 'invalid_session_token' });
  },
  'an intent is one of the key’s': async (world) => {
    const { send } = await open(world, { intents: [{ name: 'refund' }] });
    expectReply(await send({ text: 'Hello', intentName: 'other' }), 403, { error: 'intent_not_allowed' });
  },
  'telemetry is recorded once for each id': async (world) => {
    const { key, conversationId } = await open(world);
    const event = { name: 'link_click', id: 'e-1', props: { url: 'https://acme.example' } };
    expectReply(await world.post(`${api}/events`, event, { key }), 200, { accepted: 1, duplicates: 0 });
    const batch = { events: [event, { name: 'widget_open' }] };
    expectReply(await world.post(`${api}/events/batch`, batch, { key }), 200, { accepted: 1, duplicates: 1 });
    const log = await world.get(`/v1/threads/${conversationId}/log`);
    const recorded = log.body.data.filter(({ type }: { type: string }) => type === 'telemetry.recorded');
    expectLike(recorded, [{ data: { name: 'link_click' } }, { data: { name: 'widget_open' } }]);
    expectReply(await world.post(`${api}/events`, { name: 'Not this' }, { key }), 400, { error: 'invalid_input' });
  },
});
