/** Durable input requests of a conversation, as calls. */
import { casesOf, expectLike, expectReply, expectStatus } from '../case.ts';
import { inputRequest } from '../speakers.ts';
import type { World } from '../world.ts';

const open = async (world: World, more: object = {}) =>
  world.made(`/conversations/${await world.newThread()}/input-requests`, { ...inputRequest('choice'), ...more });

const pathOf = ({ conversation_id, id }: { conversation_id: string; id: string }) =>
  `/conversations/${conversation_id}/input-requests/${id}`;

const submit = (world: World, request: Parameters<typeof pathOf>[0], values: object, options = {}) =>
  world.post(`${pathOf(request)}/responses`, { values }, options);

export const inputRequests = casesOf('input-requests', {
  'a request is opened, answered, and shows its response': async (world) => {
    const conversation = await world.newThread();
    const body = {
      ...inputRequest('choice'),
      kind: 'form',
      description: 'Long words.',
      recommendations: { pick: 'yes', because: ['it', 'works'] },
      metadata: { submitLabel: 'Go' },
    };
    const reply = await world.post(`/conversations/${conversation}/input-requests`, body);
    expectReply(reply, 201, {
      conversation_id: conversation,
      ...body,
      status: 'open',
      expires_at: null,
      submitted_at: null,
      cancelled_at: null,
      expired_at: null,
      latest_response: null,
    });
    expectReply(await submit(world, reply.body, { pick: 'no' }), 201, { success: true });
    const { body: shown } = await world.get(pathOf(reply.body));
    expectLike(shown, { status: 'submitted', latest_response: { actor_type: 'human', values: { pick: 'no' } } });
    expectLike(shown.latest_response.input_request_id, reply.body.id);
  },
  'a field of an unknown type is kept as sent, and takes any scalar': async (world) => {
    const fields = [{ name: 'shade', type: 'colour', palette: ['red'], swatch: { size: 3 } }];
    const request = await open(world, { fields });
    expectLike(request.fields, fields);
    expectReply(await submit(world, request, { shade: ['red'] }), 400, { error: { code: 'invalid-input' } });
    expectStatus(await submit(world, request, { shade: 7 }), 201);
    expectReply(await world.get(pathOf(request)), 200, { latest_response: { values: { shade: 7 } } });
  },
  'the same run and tool call is the same request': async (world) => {
    const conversation = await world.newThread();
    const path = `/conversations/${conversation}/input-requests`;
    const body = inputRequest('text');
    const first = await world.made(path, body);
    expectLike(await world.made(path, body), { id: first.id });
    expectReply(await world.post(path, { ...body, title: 'Other?' }), 409, {
      error: { code: 'idempotency-key-reused' },
    });
    expectReply(await world.get(`${path}?run_id=${body.run_id}`), 200, { data: [{ id: first.id }] });
  },
  'a second response is a conflict, with the record as it is': async (world) => {
    const request = await open(world);
    await submit(world, request, { pick: 'yes' });
    expectReply(await submit(world, request, { pick: 'no' }), 409, {
      error: { code: 'interaction-already-answered' },
      input_request: { id: request.id, status: 'submitted', latest_response: { values: { pick: 'yes' } } },
    });
  },
  'a response after the expiry is a conflict': async (world) => {
    const request = await open(world, { expires_at: new Date(Date.now() + 700).toISOString() });
    expectLike((await world.get(`/v1/interactions/${request.id}/wait?timeoutMs=10000`)).body, { status: 'expired' });
    expectReply(await submit(world, request, { pick: 'yes' }), 409, {
      error: { code: 'interaction-expired' },
      input_request: { status: 'expired' },
    });
  },
  'a responder of another type is forbidden': async (world) => {
    const request = await open(world, { requested_responder_type: 'human' });
    const { secret: key } = await world.made('/v1/keys', { name: 'conformance', role: 'agent' });
    expectReply(await submit(world, request, { pick: 'yes' }, { key }), 403, { error: { code: 'wrong-responder' } });
  },
  'a cancelled request is cancelled': async (world) => {
    const request = await open(world);
    expectStatus(await world.post(`${pathOf(request)}/cancel`), 200);
    const { body } = await world.get(pathOf(request));
    expectLike(body, { status: 'cancelled', latest_response: null });
    if (typeof body.cancelled_at !== 'string') throw new Error(`cancelled_at is ${body.cancelled_at}`);
  },
  'bad requests and bad values are refused where they stand': async (world) => {
    const path = `/conversations/${await world.newThread()}/input-requests`;
    const field = { name: 'a', type: 'text' };
    for (const bad of [{ fields: [] }, { fields: [field, field] }, { kind: 'poll' }, { title: '' }, { surprise: 1 }])
      expectReply(await world.post(path, { ...inputRequest('text'), ...bad }), 400, {
        error: { code: 'invalid-input' },
      });
    const request = await open(world);
    const reply = await submit(world, request, { pick: 'maybe', other: 1 });
    expectReply(reply, 422, { error: { code: 'invalid-answer' } });
    const places = reply.body.error.details.map(({ pointer }: { pointer: string }) => pointer).sort();
    expectLike(places, ['/values/other', '/values/pick']);
  },
  'a run is resumed by the result of its tool': async (world) => {
    const body = inputRequest('choice');
    const request = await open(world, body);
    const path = `/runs/${body.run_id}/resume`;
    const result = { type: 'tool_result', tool_call_id: body.tool_call_id, result: { pick: 'yes' }, is_error: false };
    expectReply(await world.post(path, result), 200, { accepted: true });
    expectReply(await world.post(path, result), 200, { accepted: true, duplicate: true });
    expectReply(await world.get(pathOf(request)), 200, { latest_response: { values: { pick: 'yes' } } });
    expectStatus(await world.post(path, { ...result, tool_call_id: 'no-such-call' }), 404);
  },
  "another org's things do not exist": async (world) => {
    const request = await open(world);
    const key = await world.stranger();
    expectStatus(await world.get(pathOf(request), { key }), 404);
    expectStatus(await submit(world, request, { pick: 'yes' }, { key }), 404);
    const path = `/conversations/${request.conversation_id}/input-requests`;
    expectStatus(await world.post(path, inputRequest('text'), { key }), 404);
  },
});
