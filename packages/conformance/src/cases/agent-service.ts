/** The InteractionRequest resource, under /spec/v1. */
import { casesOf, expectLike, expectReply, expectStatus } from '../case.ts';
import type { World } from '../world.ts';

const command = (more: object = {}) => ({
  runId: crypto.randomUUID(),
  attemptId: 'attempt-1',
  kind: 'choice',
  prompt: { title: 'Deploy?', description: 'To production.', metadata: { locale: 'en' } },
  options: [
    { id: 'yes', label: 'Yes', kind: 'answer', metadata: { icon: 'rocket' } },
    { id: 'no', label: 'No', kind: 'answer' },
  ],
  origin: { type: 'tool', reference: 'deploy' },
  blocking: true,
  scope: 'interaction',
  resolutionPolicy: 'first',
  ...more,
});

const ask = async (world: World, more: object = {}) => (await world.made('/spec/v1/interactions', command(more))).data;

const respond = (world: World, id: string, body: object, options = {}) =>
  world.post(`/spec/v1/interactions/${id}/respond`, body, options);

export const agentService = casesOf('agent-service', {
  'a resource is created as sent, and got as created': async (world) => {
    const sent = command({ threadId: await world.newThread(), metadata: { ticket: 7 } });
    const reply = await world.post('/spec/v1/interactions', sent);
    expectReply(reply, 201, { code: 0, data: { ...sent, status: 'pending', version: 1 } });
    const { data } = reply.body;
    expectReply(await world.get(`/spec/v1/interactions/${data.interactionId}`), 200, { code: 0, data });
  },
  'a response resolves it': async (world) => {
    const { interactionId: id, version } = await ask(world);
    const body = {
      decision: 'accepted',
      selectedOptionId: 'yes',
      expectedVersion: version,
      metadata: { device: 'phone' },
    };
    expectReply(await respond(world, id, { ...body, submittedBy: 'ada' }), 200, {
      code: 0,
      data: {
        status: 'resolved',
        version: version + 1,
        response: {
          decision: 'accepted',
          selectedOptionId: 'yes',
          submittedBy: 'ada',
          metadata: { device: 'phone' },
        },
      },
    });
  },
  'a decline resolves it too': async (world) => {
    const { interactionId: id } = await ask(world);
    expectReply(await respond(world, id, { decision: 'declined' }), 200, {
      data: { status: 'resolved', response: { decision: 'declined' } },
    });
  },
  'a payload is held against its schema': async (world) => {
    const payloadSchema = { type: 'object', required: ['size'], properties: { size: { type: 'integer' } } };
    const { interactionId: id } = await ask(world, { kind: 'form', options: undefined, payloadSchema });
    expectStatus(await respond(world, id, { decision: 'accepted', payload: { size: 'big' } }), 422);
    expectReply(await respond(world, id, { decision: 'accepted', payload: { size: 3 } }), 200, {
      data: { response: { payload: { size: 3 } } },
    });
  },
  'a version that is no longer is a conflict': async (world) => {
    const { interactionId: id } = await ask(world);
    const body = { decision: 'accepted', selectedOptionId: 'yes' };
    expectStatus(await respond(world, id, { ...body, expectedVersion: 7 }), 409);
    expectStatus(await respond(world, id, { ...body, expectedVersion: 1 }), 200);
    expectStatus(await respond(world, id, body), 409);
  },
  'lists are pages with a total': async (world) => {
    const threadId = await world.newThread();
    const ids: string[] = [];
    for (const _ of [1, 2, 3]) ids.push((await ask(world, { threadId })).interactionId);
    const { body } = await world.get(`/spec/v1/interactions?threadId=${threadId}&offset=1&limit=1`);
    expectLike(body, { code: 0, data: { total: 3, offset: 1, limit: 1, list: [{ interactionId: ids[1] }] } });
  },
  'bad resources are refused': async (world) => {
    const [option] = command().options;
    for (const bad of [{ kind: 'poll' }, { options: [option, option] }, { scope: 'galaxy' }, { surprise: 1 }]) {
      const reply = await world.post('/spec/v1/interactions', command(bad));
      expectStatus(reply, 400);
      if (reply.body.code === 0 || typeof reply.body.message !== 'string')
        throw new Error(`the error is ${JSON.stringify(reply.body)}`);
    }
    const { interactionId: id } = await ask(world);
    expectStatus(await respond(world, id, { decision: 'accepted', selectedOptionId: 'maybe' }), 422);
  },
  'a key is for one body': async (world) => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const sent = command();
    const { data } = await world.made('/spec/v1/interactions', sent, { headers });
    expectLike((await world.made('/spec/v1/interactions', sent, { headers })).data, {
      interactionId: data.interactionId,
    });
    expectStatus(await world.post('/spec/v1/interactions', command(), { headers }), 409);
  },
  'its schemas are served, with every reference': async (world) => {
    const root = '/spec/v1/schemas';
    const seen = new Set<string>();
    const visit = async (path: string): Promise<void> => {
      if (seen.has(path)) return;
      seen.add(path);
      const { status, body } = await world.get(path);
      if (status !== 200) throw new Error(`${path} → ${status}`);
      for (const reference of referencesIn(body)) await visit(new URL(reference, `http://any${path}`).pathname);
    };
    await visit(`${root}/resources/interaction-request.json`);
    expectLike([...seen].length, 4);
  },
  'it has three events': async (world) => {
    const threadId = await world.newThread();
    const events = await world.events(
      `/spec/v1/events?threadId=${threadId}`,
      (seen) => seen.length >= 2,
      async () => {
        const { interactionId: id } = await ask(world, { threadId });
        await respond(world, id, { decision: 'accepted', selectedOptionId: 'yes' });
      },
    );
    const data = { threadId, status: 'resolved', response: { selectedOptionId: 'yes' } };
    expectLike(events, [{ type: 'interaction.requested' }, { type: 'interaction.responded', data }]);
  },
  "another org's things do not exist": async (world) => {
    const { interactionId: id } = await ask(world);
    const key = await world.stranger();
    expectStatus(await world.get(`/spec/v1/interactions/${id}`, { key }), 404);
    expectStatus(await respond(world, id, { decision: 'declined' }, { key }), 404);
  },
});

function referencesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([name, value]) =>
    name === '$ref' && typeof value === 'string' && !value.startsWith('#') ? [value] : referencesIn(value),
  );
}
