/** What the Agent Service Spec refuses over HTTP: in its own envelope, with our statuses, at the place where it was written. */

import { afterAll, describe, expect, test } from 'vitest';
import { threadOfRun } from '../../src/dialects/agent-service/request-codec.ts';
import { documents } from '../../src/dialects/agent-service/schemas.ts';
import { Client } from '../client.ts';
import { startSpecServer } from '../http/openapi/spec-server.ts';
import { adminKey } from '../test-server.ts';
import { AgentServiceClient, errorIn, places } from './agent-service-client.ts';

const server = await startSpecServer();
const { admin: native } = server;
const plain = new Client(server.url, adminKey);
const agents = new AgentServiceClient(plain);
afterAll(() => server[Symbol.asyncDispose]());

const option = (id: string, kind = 'answer') => ({ id, label: id, kind });

describe('a create', () => {
  test.each<[string, object, [string, string][]]>([
    ['without a run', { runId: undefined }, [['/runId', 'required']]],
    ['of no kind', { kind: 'poll' }, [['/kind', 'value']]],
    ['with a prompt of another type', { prompt: 'Deploy?' }, [['/prompt', 'type']]],
    [
      'with what nobody knows',
      { priority: 1, prompt: { text: 'x' } },
      [
        ['/priority', 'unknown-property'],
        ['/prompt/text', 'unknown-property'],
      ],
    ],
    ['that was answered', { status: 'resolved' }, [['/status', 'value']]],
    ['with a response', { response: { decision: 'accepted' } }, [['/response', 'unknown-property']]],
    ['of another org', { orgId: 'theirs' }, [['/orgId', 'value']]],
    ['with an option twice', { kind: 'choice', options: [option('a'), option('a')] }, [['/options/1/id', 'duplicate']]],
    [
      'with a blank option',
      { kind: 'choice', options: [option(' ')] },
      [
        ['/options/0/id', 'required'],
        ['/options/0/label', 'required'],
      ],
    ],
    ['with an option of no kind', { options: [{ id: 'a', label: 'A' }] }, [['/options/0/kind', 'required']]],
    ['of a choice without options', { kind: 'choice' }, [['/options', 'required']]],
    ['of a form without a payloadSchema', { kind: 'form' }, [['/payloadSchema', 'required']]],
    ['of an input with options', { kind: 'input', options: [option('a')] }, [['/options', 'not-allowed']]],
    ['of an approval whose options decide nothing', { options: [option('a')] }, [['/options', 'kind']]],
    [
      'with a payloadSchema that is none',
      { kind: 'form', payloadSchema: { type: 7 } },
      [['/payloadSchema/type', 'type']],
    ],
    ['with a deadline that is no time', { deadlineAt: 'soon' }, [['/deadlineAt', 'datetime']]],
    ['with a deadline in the past', { deadlineAt: '2001-01-01T00:00:00Z' }, [['/deadlineAt', 'past']]],
    ['with votes of no number', { resolutionPolicy: 'unanimous' }, [['/metadata/resolutionCount', 'required']]],
    ['with an always that reaches nowhere', { options: [option('a', 'allow_always')] }, [['/scope', 'required']]],
    [
      'with content that is too large',
      { prompt: { content: [{ type: 'text', text: 'x'.repeat(70_000) }] } },
      [['/prompt/content', 'too-large']],
    ],
    ['with content of no type', { prompt: { content: [{ type: 'video' }] } }, [['/prompt/content/0/type', 'value']]],
    ['with a title that is too long', { prompt: { title: 'x'.repeat(1001) } }, [['/prompt/title', 'max-length']]],
    ['with a run that no database keeps', { runId: 'a\0b' }, [['/runId', 'pattern']]],
  ])('%s is refused', async (_, command, problems) => {
    const reply = await agents.tryCreate(command);
    const error = errorIn(reply);
    expect(error).toMatchObject({ code: 'invalid-input', retryable: false });
    expect(places(error)).toEqual(problems);
    expect(reply.body.message).toContain(problems[0]?.[0]);
  });

  test('that is refused makes no thread', async () => {
    await agents.tryCreate({ runId: 'never', kind: 'form' });
    expect((await plain.get(`/v1/threads/${threadOfRun('never')}`)).status).toBe(404);
  });

  test('in a thread that is not there is refused', async () => {
    expect(errorIn(await agents.tryCreate({ threadId: 'nowhere' })).code).toBe('thread-not-found');
  });

  test('[I2] with the key of another is refused', async () => {
    await agents.tryCreate({ runId: 'reuse' }, 'spec-reused');
    const error = errorIn(await agents.tryCreate({ runId: 'reuse', kind: 'input' }, 'spec-reused'));
    expect(error.code).toBe('idempotency-key-reused');
    expect(errorIn(await agents.tryCreate({}, 'not a key')).problems[0]?.pointer).toBe('/headers/idempotency-key');
  });
});

describe('a response', () => {
  test.each<[string, object, object, number, [string, string][]]>([
    ['of the wrong type', { kind: 'input' }, { payload: 7 }, 422, [['/payload', 'type']]],
    [
      'that does not fit the schema',
      { kind: 'form', payloadSchema: { type: 'object', required: ['n'] } },
      { payload: {} },
      422,
      [['/payload/n', 'required']],
    ],
    ['by an option nobody knows', {}, { selectedOptionId: 'maybe' }, 422, [['/selectedOptionId', 'option']]],
    [
      'by a decision that leaves open which',
      { options: [option('a', 'reject_once')] },
      { decision: 'accepted' },
      422,
      [['/selectedOptionId', 'required']],
    ],
    [
      'that contradicts itself',
      {},
      { decision: 'accepted', selectedOptionId: 'deny' },
      422,
      [['/decision', 'contradiction']],
    ],
    ['that says nothing', {}, {}, 422, [['', 'required']]],
    ['with what nobody knows', {}, { values: {} }, 400, [['/values', 'unknown-property']]],
    ['of no decision', {}, { decision: 'maybe' }, 400, [['/decision', 'value']]],
    ['to no version', {}, { decision: 'accepted', expectedVersion: 'x' }, 400, [['/expectedVersion', 'type']]],
  ])('%s is refused, and changes nothing', async (_, asked, command, status, problems) => {
    const made = await agents.create(asked);
    const reply = await agents.tryRespond(made.interactionId, command);
    expect(reply.status).toBe(status);
    expect(places(errorIn(reply))).toEqual(problems);
    expect(await agents.get(made.interactionId)).toEqual(made);
  });

  test.each([0, 2])('[U2] to version %i of what is at version 1 is refused', async (expectedVersion) => {
    const { interactionId } = await agents.create();
    for (const reply of [
      await agents.tryRespond(interactionId, { decision: 'accepted', expectedVersion }),
      await agents.tryRespond(interactionId, { decision: 'declined', expectedVersion }),
      await agents.tryCancel(interactionId, { expectedVersion }),
    ])
      expect(errorIn(reply)).toMatchObject({
        code: 'version-conflict',
        current: { interactionId, status: 'pending', version: 1 },
      });
  });

  test.each([{ decision: 'accepted' }, { decision: 'declined' }, {}, { selectedOptionId: 'x', payload: 7 }])(
    '[AN4] %o that comes too late gets that error before any other',
    async (command) => {
      const { interactionId } = await agents.create();
      const { resolvedAt } = await agents.respond(interactionId, { decision: 'declined', submittedBy: 'ann' });
      expect(errorIn(await agents.tryRespond(interactionId, command))).toMatchObject({
        code: 'interaction-already-answered',
        current: { interactionId, status: 'resolved', version: 2, resolvedAt, decision: 'declined' },
      });
      expect(errorIn(await agents.tryCancel(interactionId)).code).toBe('interaction-already-answered');
    },
  );

  test('[AN1] to what was cancelled or has expired is refused', async () => {
    const { interactionId } = await agents.create();
    await agents.tryCancel(interactionId);
    const cancelled = errorIn(await agents.tryRespond(interactionId, { decision: 'accepted' }));
    expect(cancelled).toMatchObject({ code: 'interaction-cancelled', current: { status: 'cancelled' } });

    const due = await agents.create({ deadlineAt: new Date(Date.now() + 60_000).toISOString() });
    server.clock.offsetMs = 120_000;
    try {
      const late = errorIn(await agents.tryRespond(due.interactionId, { decision: 'accepted' }));
      expect(late.code).toBe('interaction-expired');
    } finally {
      server.clock.offsetMs = 0;
    }
  });

  test('[R2] twice by the same person is refused', async () => {
    const { interactionId } = await agents.create({ resolutionPolicy: 'quorum', metadata: { resolutionCount: 3 } });
    await agents.respond(interactionId, { decision: 'accepted', submittedBy: 'ann' });
    const again = await agents.tryRespond(interactionId, { decision: 'accepted', submittedBy: 'ann' });
    expect(errorIn(again).code).toBe('already-voted');
  });

  test('[I2] with the key of another is refused', async () => {
    const { interactionId } = await agents.create({ resolutionPolicy: 'quorum', metadata: { resolutionCount: 3 } });
    await agents.tryRespond(interactionId, { decision: 'accepted', submittedBy: 'ann' }, 'spec-vote');
    const reply = await agents.tryRespond(interactionId, { decision: 'accepted', submittedBy: 'ben' }, 'spec-vote');
    expect(errorIn(reply).code).toBe('idempotency-key-reused');
  });
});

describe('who', () => {
  test('[X2] what belongs to another org is not there', async () => {
    const { interactionId, threadId } = await agents.create();
    const others = new AgentServiceClient(plain.as((await native.withOrg('spec-others')).token));
    for (const reply of [
      await others.client.get(`/spec/v1/interactions/${interactionId}`),
      await others.tryRespond(interactionId, { decision: 'accepted' }),
      await others.tryRespond(interactionId, {}),
      await others.tryCancel(interactionId),
    ])
      expect(errorIn(reply).code).toBe('interaction-not-found');
    expect(errorIn(await others.tryCreate({ threadId })).code).toBe('thread-not-found');
    expect((await others.list()).total).toBe(0);
    expect((await others.create({ runId: 'shared name' })).orgId).toBe('spec-others');
  });

  test('[X3] an agent’s key answers for nobody, and no question for a person', async () => {
    const { interactionId } = await agents.create();
    const key = await native.withKey();
    const agent = new AgentServiceClient(plain.as(key.token));
    const respond = (submittedBy?: string) => agent.tryRespond(interactionId, { decision: 'accepted', submittedBy });
    expect(errorIn(await respond('ann')).code).toBe('forbidden');
    expect(errorIn(await respond()).code).toBe('wrong-responder');
    expect(errorIn(await respond(key.keyId)).code).toBe('wrong-responder');

    const { id } = await native.ask({ responder: { type: 'agent' } });
    expect((await agent.respond(id, { selectedOptionId: 'yes', submittedBy: key.keyId })).response).toMatchObject({
      submittedBy: key.keyId,
    });
  });

  test('[X4] a responder’s token answers as its person, and asks nothing', async () => {
    const { interactionId, threadId } = await agents.create();
    const { token } = await native.withToken({ threadId, responderId: 'ada' });
    const ada = new AgentServiceClient(plain.as(token));
    const named = await ada.tryRespond(interactionId, { decision: 'accepted', submittedBy: 'ben' });
    expect(errorIn(named).code).toBe('forbidden');
    expect(errorIn(await ada.tryCreate()).code).toBe('forbidden');
    expect(errorIn(await ada.tryCancel(interactionId)).code).toBe('forbidden');
    const { response } = await ada.respond(interactionId, { decision: 'accepted', submittedBy: 'ada' });
    expect(response).toMatchObject({ submittedBy: 'ada' });
  });

  test('[X1] nobody without a key', async () => {
    const reply = await plain.as(undefined).get('/spec/v1/interactions');
    expect(errorIn(reply).code).toBe('unauthenticated');
    expect(reply.headers.get('www-authenticate')).toBe('Bearer');
  });
});

describe('[H4] a call', () => {
  test('of a path that is not there', async () => {
    expect(errorIn(await plain.get('/spec/v1/runs')).code).toBe('route-not-found');
  });

  test('by another method', async () => {
    const reply = await plain.call('/spec/v1/interactions', { method: 'DELETE' });
    expect(errorIn(reply).code).toBe('method-not-allowed');
    expect(reply.headers.get('allow')).toContain('POST');
  });

  test.each([
    ['{', 'application/json', 'malformed-body'],
    ['runId=1', 'application/x-www-form-urlencoded', 'unsupported-media-type'],
    [JSON.stringify({ a: 'x'.repeat(3_000_000) }), 'application/json', 'body-too-large'],
  ])('with the body %.20s of type %s is refused as %s', async (body, type, code) => {
    const headers = { 'content-type': type };
    const reply = await plain.call('/spec/v1/interactions', { method: 'POST', body, headers });
    expect(errorIn(reply).code).toBe(code);
  });

  test.each(['offset=-1', 'offset=10001', 'limit=0', 'limit=201', 'limit=x', 'status=answered', 'cursor=a'])(
    'for a list by %s is refused',
    async (query) => {
      const error = errorIn(await plain.get(`/spec/v1/interactions?${query}`));
      expect(error.problems[0]?.pointer).toBe(`/query/${query.split('=')[0]}`);
    },
  );
});

test('every $ref of a document leads to another by its address, and nobody needs a key', async () => {
  const anybody = plain.as(undefined);
  const open = Object.keys(documents).map((place) => `/spec/v1/schemas/${place}`);
  for (const path of open) {
    const { status, body } = await anybody.get(path);
    expect({ status, body }).toEqual({ status: 200, body: documents[path.slice('/spec/v1/schemas/'.length)] });
    for (const [, ref = ''] of JSON.stringify(body).matchAll(/"\$ref":"([^"#]+)#/g)) {
      expect(open).toContain(new URL(ref, server.url + path).pathname);
    }
  }
});
