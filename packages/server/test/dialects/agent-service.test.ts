/** The Agent Service Spec over HTTP: what is asked, shown, answered and withdrawn. */

import type { Interaction } from '@holdpoint/protocol';
import { afterAll, describe, expect, test } from 'vitest';
import { threadOfRun } from '../../src/dialects/agent-service/request-codec.ts';
import { EventReader } from '../http/events/event-reader.ts';
import { startSpecServer } from '../http/openapi/spec-server.ts';
import { AgentServiceClient, resourceIn } from './agent-service-client.ts';

const server = await startSpecServer();
const { admin: native } = server;
const agents = new AgentServiceClient(native);
afterAll(() => server[Symbol.asyncDispose]());

const fourOptions = [
  { id: 'once', label: 'Allow', kind: 'allow_once' },
  { id: 'ever', label: 'Always allow', kind: 'allow_always' },
  { id: 'no', label: 'Deny', kind: 'reject_once', description: 'This time' },
  { id: 'never', label: 'Never', kind: 'reject_always', metadata: { icon: 'stop' } },
];

describe('asking', () => {
  test('everything that was sent is in the resource, then and later', async () => {
    const { id: threadId } = await native.newThread();
    const sent = {
      runId: 'a run/with ünusual id',
      attemptId: '3',
      threadId,
      kind: 'approval',
      prompt: {
        description: 'Delete **everything**?\nReally?',
        content: [
          { type: 'text', text: 'rm -rf /' },
          { type: 'binary', mimeType: 'image/png', url: 'https://files.example/a.png', filename: 'a.png' },
          { type: 'data', data: { cwd: '/', depth: [1, null] } },
        ],
        metadata: { severity: 'high' },
      },
      payloadSchema: { type: 'object', properties: { note: { type: 'string' } } },
      blocking: false,
      scope: 'thread',
      resolutionPolicy: 'quorum',
      options: fourOptions,
      deadlineAt: '2999-01-01T00:00:00.000Z',
      origin: { type: 'tool', reference: 'bash', metadata: { call: 7 } },
      metadata: { resolutionCount: 2, team: 'ops' },
    };
    const made = await agents.create(sent);
    expect(made).toEqual({
      ...sent,
      interactionId: expect.any(String),
      orgId: 'default',
      status: 'pending',
      version: 1,
      createdAt: expect.any(String),
      updatedAt: made.createdAt,
    });
    expect(await agents.get(made.interactionId)).toEqual(made);

    const { body } = await native.get<Interaction>(`/v1/interactions/${made.interactionId}`);
    expect(body).toMatchObject({
      title: 'Delete **everything**?',
      run: { id: sent.runId, attemptId: '3' },
      grant: { key: 'bash', scope: 'thread' },
      resolution: { mode: 'quorum', count: 2 },
      deadline: { at: sent.deadlineAt, outcome: 'expire' },
      origin: { type: 'tool', reference: 'bash' },
    });
  });

  test('without more than it must say, it is a person’s to decide and holds the run up', async () => {
    const { runId, ...made } = await agents.create();
    expect(made).toMatchObject({
      threadId: threadOfRun(runId),
      blocking: true,
      scope: 'interaction',
      resolutionPolicy: 'first',
      origin: { type: 'agent' },
      options: [
        { id: 'allow', kind: 'allow_once' },
        { id: 'deny', kind: 'reject_once' },
      ],
    });
    expect(made).not.toHaveProperty('metadata');
  });

  test('many questions of one run at once are in one thread', async () => {
    const asked = await Promise.all(Array.from({ length: 8 }, () => agents.create({ runId: 'busy run' })));
    expect(new Set(asked.map(({ threadId }) => threadId)).size).toBe(1);
    expect((await agents.list({ runId: 'busy run' })).total).toBe(8);
    const { body } = await native.get(`/v1/threads/${asked[0]?.threadId}`);
    expect(body).toMatchObject({ title: 'Run busy run' });
  });

  test('a resource can be sent back as it came, and is asked anew', async () => {
    const first = await agents.create({ options: fourOptions, scope: 'run', metadata: { a: 1 } });
    const again = await agents.create(first);
    expect(again.interactionId).not.toBe(first.interactionId);
    const { interactionId, createdAt, updatedAt, ...same } = first;
    expect(again).toMatchObject(same);
  });

  test('[I1] repeated with its key it is asked once', async () => {
    const command = { runId: 'repeated', prompt: { title: 'Once?' } };
    const first = resourceIn(await agents.tryCreate(command, 'spec-once'), 201);
    expect(resourceIn(await agents.tryCreate(command, 'spec-once'), 201)).toEqual(first);
    expect((await agents.list({ runId: 'repeated' })).total).toBe(1);
  });
});

describe('responding', () => {
  test('to an approval by an option', async () => {
    const { interactionId } = await agents.create();
    const answered = await agents.respond(interactionId, {
      decision: 'accepted',
      selectedOptionId: 'allow',
      submittedBy: 'ann',
      metadata: { device: 'phone' },
    });
    expect(answered).toMatchObject({ status: 'resolved', version: 2, resolvedAt: answered.updatedAt });
    expect(answered.response).toEqual({
      decision: 'accepted',
      selectedOptionId: 'allow',
      submittedBy: 'ann',
      submittedAt: answered.updatedAt,
      metadata: { device: 'phone' },
    });
    expect(await agents.get(interactionId)).toEqual(answered);
  });

  test.each([
    [{ decision: 'accepted' }, { decision: 'accepted', selectedOptionId: 'allow' }],
    [{ selectedOptionId: 'deny' }, { decision: 'declined', selectedOptionId: 'deny' }],
    [{ decision: 'declined' }, { decision: 'declined' }],
  ])('to an approval by %o', async (command, response) => {
    const { interactionId } = await agents.create();
    const answered = await agents.respond(interactionId, { ...command, submittedBy: 'ann' });
    expect(answered.response).toEqual({ ...response, submittedBy: 'ann', submittedAt: answered.updatedAt });
  });

  test.each([
    [{ kind: 'input', prompt: { title: 'Name?' } }, 'Ada'],
    [{ kind: 'input', payloadSchema: { type: 'integer' } }, 7],
    [{ kind: 'form', payloadSchema: { type: 'object', required: ['n'] } }, { n: [1] }],
    [{ kind: 'form', payloadSchema: {} }, null],
  ])('to %o by a payload', async (command, payload) => {
    const { interactionId } = await agents.create(command);
    const { response } = await agents.respond(interactionId, { payload });
    expect(response).toMatchObject({ decision: 'accepted', payload });
  });

  test('[R1] to a quorum is a vote until enough agree', async () => {
    const { interactionId } = await agents.create({ resolutionPolicy: 'quorum', metadata: { resolutionCount: 2 } });
    const vote = (submittedBy: string) => agents.respond(interactionId, { decision: 'accepted', submittedBy });
    const first = await vote('ann');
    expect(first).toMatchObject({ status: 'pending', version: 2 });
    expect(first).not.toHaveProperty('response');
    expect(await vote('ben')).toMatchObject({ status: 'resolved', response: { submittedBy: 'ben' } });
  });

  test('[I1] repeated with its key it is done once', async () => {
    const { interactionId } = await agents.create();
    const command = { decision: 'accepted', expectedVersion: 1 };
    const first = resourceIn(await agents.tryRespond(interactionId, command, 'respond-once'));
    expect(resourceIn(await agents.tryRespond(interactionId, command, 'respond-once'))).toEqual(first);
    expect(first.version).toBe(2);
  });

  test('[G2] with an always is the answer to what is asked after it', async () => {
    const command = { options: fourOptions, scope: 'org', origin: { type: 'tool', reference: 'spec-always' } };
    const first = await agents.create(command);
    await agents.respond(first.interactionId, { selectedOptionId: 'ever', submittedBy: 'ann' });
    expect(await agents.create(command)).toMatchObject({
      status: 'resolved',
      response: {
        decision: 'accepted',
        selectedOptionId: 'once',
        submittedBy: 'grant',
        metadata: { automatic: 'grant', grantId: expect.any(String) },
      },
    });
    expect(await agents.create({ ...command, origin: { type: 'tool', reference: 'other' } })).toMatchObject({
      status: 'pending',
    });
  });

  test('[G20] with an always is no answer to another question, whatever key it is under', async () => {
    const shown = (text: string) => ({ title: 'Run this?', content: [{ type: 'text', text }] });
    const command = { options: fourOptions, scope: 'org', metadata: { grantKey: 'spec-shell' }, prompt: shown('ls') };
    const first = await agents.create(command);
    await agents.respond(first.interactionId, { selectedOptionId: 'ever', submittedBy: 'ann' });
    for (const other of [
      { prompt: shown('rm -rf /') },
      { prompt: { ...shown('ls'), description: 'In /etc' } },
      { origin: { type: 'policy' } },
      { options: fourOptions.slice(0, 2) },
    ])
      expect(await agents.create({ ...command, ...other })).toMatchObject({ status: 'pending' });
    const noted = { ...shown('ls'), metadata: { trace: 1 } };
    expect(await agents.create({ ...command, prompt: noted })).toMatchObject({ status: 'resolved' });
  });
});

test('cancelling withdraws the question, with a word or without', async () => {
  for (const command of [{}, { expectedVersion: 1, reason: 'Moot' }]) {
    const { interactionId } = await agents.create();
    const cancelled = resourceIn(await agents.tryCancel(interactionId, command));
    expect(cancelled).toMatchObject({ status: 'cancelled', version: 2, resolvedAt: cancelled.updatedAt });
    expect(cancelled).not.toHaveProperty('response');
  }
});

test('a deadline that passes expires it', async () => {
  const deadlineAt = new Date(Date.now() + 60_000).toISOString();
  const { interactionId } = await agents.create({ deadlineAt });
  server.clock.offsetMs = 120_000;
  try {
    const { body } = await native.get<Interaction>(`/v1/interactions/${interactionId}/wait`);
    expect(body.status).toBe('expired');
  } finally {
    server.clock.offsetMs = 0;
  }
  expect(await agents.get(interactionId)).toMatchObject({ status: 'expired', deadlineAt });
});

describe('one record', () => {
  test('what is asked here is answered natively, and the reason comes along', async () => {
    const { interactionId } = await agents.create({ kind: 'input', prompt: { title: 'Name?' } });
    await native.made(`/v1/interactions/${interactionId}/decline`, { reason: 'Not telling' });
    expect((await agents.get(interactionId)).response).toMatchObject({
      decision: 'declined',
      metadata: { reason: 'Not telling' },
    });
  });

  test('what is asked natively is answered here, by the payloadSchema that is shown', async () => {
    const fields = [
      { name: 'host', type: 'text', required: true },
      { name: 'pin', type: 'password', required: true },
    ];
    const { id } = await native.ask({ options: undefined, fields, body: 'Where to?' });
    const shown = await agents.get(id);
    expect(shown).toMatchObject({
      runId: id,
      attemptId: '1',
      kind: 'form',
      prompt: { title: 'Deploy?', description: 'Where to?' },
      payloadSchema: { required: ['host', 'pin'], properties: { pin: { writeOnly: true } } },
    });
    const answered = await agents.respond(id, { payload: { host: 'a.example', pin: '1234' } });
    expect(answered.response).toMatchObject({ payload: { host: 'a.example' }, metadata: { secretFields: ['pin'] } });
    expect(JSON.stringify(answered)).not.toContain('1234');
  });

  test('what an approval is about is shown, wherever it was asked', async () => {
    const approval = { kind: 'approval', options: undefined, arguments: { cmd: 'ls' } };
    const { id } = await native.ask({ ...approval, fields: [{ name: 'cmd', type: 'text' }] });
    expect(await agents.get(id)).toMatchObject({
      prompt: { content: [{ type: 'data', data: { cmd: 'ls' } }] },
      // The decision is in the properties, but an option's id may say it.
      payloadSchema: { required: [], properties: { decision: {}, cmd: { default: 'ls' } } },
    });
    const { response } = await agents.respond(id, { decision: 'accepted', payload: { cmd: 'ls -l' } });
    expect(response).toMatchObject({ selectedOptionId: 'allow', payload: { decision: 'allow', cmd: 'ls -l' } });
  });

  test('[U4] new words that are given natively are shown here', async () => {
    const { interactionId, prompt } = await agents.create({ prompt: { title: 'Old', metadata: { a: 1 } } });
    await native.patch(`/v1/interactions/${interactionId}`, { metadata: { b: 1 } });
    expect(await agents.get(interactionId)).toMatchObject({ prompt, metadata: { b: 1 }, version: 2 });
    await native.patch(`/v1/interactions/${interactionId}`, { title: 'New' });
    expect((await agents.get(interactionId)).prompt).toEqual({ title: 'New' });
  });
});

describe('listing', () => {
  test('goes by offset, the oldest first, and says how many there are', async () => {
    const { id: threadId } = await native.newThread();
    const asked = [];
    for (let i = 0; i < 5; i++) asked.push(await agents.create({ threadId }));
    const page = await agents.list({ threadId, offset: '1', limit: '3' });
    expect(page).toEqual({ total: 5, offset: 1, limit: 3, list: asked.slice(1, 4) });
    expect(await agents.list({ threadId, offset: '4' })).toEqual({
      total: 5,
      offset: 4,
      limit: 50,
      list: asked.slice(4),
    });
    expect(await agents.list({ threadId, offset: '9' })).toEqual({ total: 5, offset: 9, limit: 50, list: [] });
  });

  test('can be narrowed', async () => {
    const { id: threadId } = await native.newThread();
    const open = await agents.create({ threadId, runId: 'list-a' });
    const { interactionId } = await agents.create({ threadId, runId: 'list-b', kind: 'input' });
    const closed = await agents.respond(interactionId, { payload: 'x' });
    const found = async (query: object) => (await agents.list({ threadId, ...query })).list;
    expect(await found({ status: 'pending' })).toEqual([open]);
    expect(await found({ status: 'resolved' })).toEqual([closed]);
    expect(await found({ runId: 'list-a' })).toEqual([open]);
    expect(await found({ kind: 'input' })).toEqual([closed]);
    expect(await found({ status: 'expired' })).toEqual([]);
  });
});

test('events contain the current resource, under the names of the spec', async () => {
  const org = await native.withOrg('spec-events');
  const theirs = new AgentServiceClient(org);
  const reader = await EventReader.open(org, '/spec/v1/events');
  const { interactionId } = await theirs.create();
  const answered = await theirs.respond(interactionId, { decision: 'accepted' });
  const second = await theirs.create();
  const cancelled = resourceIn(await theirs.tryCancel(second.interactionId));
  const events = (await reader.take(4)) as unknown as { type: string; data: unknown; eventId: string }[];
  expect(events.map(({ type }) => type)).toEqual([
    'interaction.requested',
    'interaction.responded',
    'interaction.requested',
    'interaction.updated',
  ]);
  expect(events[1]?.data).toEqual(answered);
  expect(events[3]?.data).toEqual(cancelled);
  expect(reader.lastId).toBe(events[3]?.eventId);
  await reader.close();
});
