/** The pull queue between the chats and their workers, in the words of Opengram. */
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Client } from '../client.ts';
import { allTakenIn, settings } from '../http/dispatch/dispatcher.ts';
import { startTestServer, type TestServer } from '../test-server.ts';
import { ask, type DispatchBatch, fixture, newChat, refused, resolve } from './chat-requests.client.ts';

let server: TestServer;
let admin: Client;

beforeEach(async () => {
  server = await startTestServer();
  onTestFinished(() => server[Symbol.asyncDispose]());
  ({ admin } = server);
  await settings(admin, { debounceMs: 0, from: 'start' });
});

const claim = (more: object = {}) =>
  admin.post<DispatchBatch>('/api/v1/dispatch/claim', { workerId: 'w', waitMs: 30_000, ...more });
const say = (chatId: string, content: string) =>
  admin.post<{ id: string }>(`/api/v1/chats/${chatId}/messages`, { role: 'user', senderId: 'user:primary', content });
const of = ({ batchId }: DispatchBatch, what: string, body: object = {}) =>
  admin.post(`/api/v1/dispatch/${batchId}/${what}`, { workerId: 'w', ...body });

/** Lets all that was done come together, and then be ready. */
async function gathered(doing: () => Promise<unknown>): Promise<void> {
  await settings(admin, { debounceMs: 60_000 });
  await doing();
  await allTakenIn(admin);
  server.clock.offsetMs += 60_000;
}

describe('what a worker is given', () => {
  test('the words of the user', async () => {
    const chatId = await newChat(admin, { agentIds: ['deployer', 'tester'] });
    const trace = { kind: 'voice' };
    const body = { role: 'user', senderId: 'user:primary', content: 'Hello', trace };
    const { body: message } = await admin.post(`/api/v1/chats/${chatId}/messages`, body);
    const { status, body: batch } = await claim();
    expect(status).toBe(200);
    expect(batch).toStrictEqual({
      batchId: expect.any(String),
      chatId,
      kind: 'user_batch',
      agentIdHint: 'deployer',
      compiledContent: 'Hello',
      items: [
        {
          inputId: expect.any(String),
          sourceKind: 'user_message',
          sourceId: message.id,
          senderId: 'user:primary',
          content: 'Hello',
          traceKind: 'voice',
          mediaIds: [],
          attachmentNames: [],
        },
      ],
      attachments: [],
    });
  });

  test('what came of requests, as text and as it is', async () => {
    const chatId = await newChat(admin);
    const [choice, many, text, form] = [
      await ask(admin, chatId, fixture('choice-trace')),
      await ask(admin, chatId, fixture('choice-multi')),
      await ask(admin, chatId, fixture('text-input')),
      await ask(admin, chatId, fixture('form')),
    ];
    const values = { environment: 'production', version: '1.2.3', notify: true };
    await gathered(async () => {
      await resolve(admin, choice, { selectedOptionIds: ['yes'], resolvedBy: 'backend' });
      await resolve(admin, many, { selectedOptionIds: ['cheese', 'mushrooms'] });
      await resolve(admin, text, { text: ' Holdpoint ' });
      await resolve(admin, form, { values });
    });
    const { body: batch } = await claim();
    expect(batch).toMatchObject({ kind: 'request_batch', agentIdHint: 'deployer', attachments: [] });
    expect(batch.items.map(({ sourceId, senderId, content }) => ({ sourceId, senderId, content }))).toEqual([
      {
        sourceId: choice.id,
        senderId: 'backend',
        content: '[Request resolved: "Approve deployment?"] Selected: yes',
      },
      {
        sourceId: many.id,
        senderId: 'user:primary',
        content: '[Request resolved: "Which toppings?"] Selected: cheese, mushrooms',
      },
      {
        sourceId: text.id,
        senderId: 'user:primary',
        content: '[Request resolved: "What is the project name?"] Response: Holdpoint',
      },
      {
        sourceId: form.id,
        senderId: 'user:primary',
        content: `[Request resolved: "Deployment details"] Form values: ${JSON.stringify(values)}`,
      },
    ]);
    const numbered = batch.items.map(({ content }, index) => `[Message ${index + 1}]\n${content}`);
    expect(batch.compiledContent).toBe(numbered.join('\n\n'));
    expect(batch.items[0]?.request).toStrictEqual({
      id: choice.id,
      type: 'choice',
      status: 'resolved',
      resolution_payload: { selectedOptionIds: ['yes'] },
      trace: { workflow: 'deploy', step: 3 },
    });
    expect(batch.items[3]?.request).toMatchObject({ type: 'form', resolution_payload: { values }, trace: null });
  });

  test('that nobody will resolve them, unless the worker withdrew them itself', async () => {
    const chatId = await newChat(admin);
    const expiresAt = new Date(server.clock.now() + 60_000).toISOString();
    const [declined, silent, cancelled] = [
      await ask(admin, chatId, fixture('choice')),
      await ask(admin, chatId, fixture('choice')),
      await ask(admin, chatId, fixture('choice')),
    ];
    const expiring = await ask(admin, chatId, { ...JSON.parse(fixture('form')), expiresAt });
    await gathered(async () => {
      await admin.post(`/api/v1/requests/${declined.id}/decline`, { reason: 'Not now' });
      await admin.post(`/api/v1/requests/${silent.id}/decline`);
      await admin.post(`/api/v1/requests/${cancelled.id}/cancel`);
    });
    const first = (await claim()).body;
    expect(first.items).toMatchObject([
      {
        sourceKind: 'request_resolved',
        sourceId: declined.id,
        senderId: 'user:primary',
        content: '[Request cancelled: "How would you like to proceed?"] Declined: Not now',
        request: { status: 'cancelled', resolution_payload: null },
      },
      { sourceId: silent.id, content: '[Request cancelled: "How would you like to proceed?"] Declined' },
    ]);
    await of(first, 'complete');
    await settings(admin, { debounceMs: 0 });
    const { items, kind } = (await claim()).body;
    expect(kind).toBe('request_batch');
    expect(items).toMatchObject([
      {
        sourceId: expiring.id,
        senderId: 'backend',
        content: '[Request cancelled: "Deployment details"] Expired',
        request: { id: expiring.id, type: 'form', status: 'cancelled', resolution_payload: null, trace: null },
      },
    ]);
  });

  test('which option an approval was rejected by', async () => {
    const chatId = await newChat(admin);
    const { body: asked } = await admin.post<{ id: string }>(`/v1/threads/${chatId}/interactions`, {
      kind: 'approval',
      title: 'Delete?',
    });
    await admin.post(`/v1/interactions/${asked.id}/answers`, { values: { decision: 'deny' } });
    expect((await claim()).body.items).toMatchObject([
      {
        content: '[Request resolved: "Delete?"] Selected: deny',
        request: { status: 'resolved', resolution_payload: { selectedOptionIds: ['deny'] } },
      },
    ]);
  });

  test('words and outcomes together are a batch of the user', async () => {
    const chatId = await newChat(admin, { agentIds: ['a'] });
    const request = await ask(admin, chatId, fixture('choice'));
    await gathered(async () => {
      await resolve(admin, request, { selectedOptionIds: ['approve'] });
      await say(chatId, 'And quickly');
    });
    const { body } = await claim();
    expect(body).toMatchObject({
      kind: 'user_batch',
      compiledContent:
        '[Message 1]\n[Request resolved: "How would you like to proceed?"] Selected: approve\n\n[Message 2]\nAnd quickly',
      items: [{ sourceKind: 'request_resolved' }, { sourceKind: 'user_message' }],
    });
  });

  test('a thread of ours, where nobody is hinted at', async () => {
    await admin.post('/v1/threads', { id: 'ours' });
    await admin.post('/v1/threads/ours/messages', { text: 'Hello', role: 'user' });
    expect((await claim()).body).toMatchObject({
      chatId: 'ours',
      agentIdHint: null,
      items: [{ senderId: 'user:primary' }],
    });
  });
});

describe('the lease', () => {
  test('204 when nothing came', async () => {
    const none = await claim({ waitMs: 1 });
    expect([none.status, none.body]).toEqual([204, {}]);
    const many = await admin.post('/api/v1/dispatch/claim-many', { workerId: 'w', waitMs: 0 });
    expect([many.status, many.body]).toEqual([204, {}]);
  });

  test('a batch is kept, completed, and then unknown', async () => {
    await say(await newChat(admin), 'Hello');
    const { body: batch } = await claim({ leaseMs: 1 });
    for (const body of [{}, { extendMs: 0 }, { extendMs: 60_000 }])
      expect((await of(batch, 'heartbeat', body)).status).toBe(204);
    expect((await of(batch, 'complete')).status).toBe(204);
    refused(await of(batch, 'complete'), 'NOT_FOUND', 404);
    refused(await of(batch, 'heartbeat'), 'NOT_FOUND', 404);
  });

  test('a lease that another worker has is lost', async () => {
    await say(await newChat(admin), 'Hello');
    const { body: batch } = await claim({ leaseMs: 1_000 });
    server.clock.offsetMs += 2_000;
    const { body: again } = await claim({ workerId: 'v' });
    expect(again.batchId).toBe(batch.batchId);
    for (const [what, body] of [
      ['heartbeat', {}],
      ['complete', {}],
      ['fail', { reason: 'x', retryable: true }],
    ] as const)
      refused(await of(batch, what, body), 'CONFLICT', 409);
    expect((await of(again, 'complete', { workerId: 'v' })).status).toBe(204);
  });

  test('a batch that failed comes again, or is given up', async () => {
    const chatId = await newChat(admin);
    await say(chatId, 'Hello');
    const { body: batch } = await claim();
    expect((await of(batch, 'fail', { reason: 'It broke', retryable: true, retryDelayMs: 0 })).status).toBe(204);
    const { body: again } = await claim();
    expect(again.batchId).toBe(batch.batchId);
    expect((await of(again, 'fail', { reason: 'It broke', retryable: false })).status).toBe(204);
    const { body } = await admin.get<{ data: { role: string }[] }>(`/api/v1/chats/${chatId}/messages`);
    expect(body.data).toMatchObject([{ role: 'system', sender_id: 'system' }, { role: 'user' }]);
  });

  test('many chats are claimed at once, each in its order', async () => {
    const chats = [await newChat(admin), await newChat(admin), await newChat(admin)];
    await gathered(async () => {
      for (const chatId of chats) await say(chatId, chatId);
    });
    const many = (limit: number) =>
      admin.post<{ batches: DispatchBatch[] }>('/api/v1/dispatch/claim-many', { workerId: 'w', limit });
    const { batches } = (await many(2)).body;
    expect(batches).toHaveLength(2);
    const rest = (await many(999)).body.batches;
    expect([...batches, ...rest].map(({ chatId }) => chatId).toSorted()).toEqual(chats.toSorted());
    for (const { chatId, compiledContent } of [...batches, ...rest]) expect(compiledContent).toBe(chatId);
  });

  test.each([
    ['claim', {}, 'workerId'],
    ['claim', { workerId: 'w', leaseMs: -1 }, 'leaseMs'],
    ['claim', { workerId: 'w', waitMs: 'long' }, 'waitMs'],
    ['claim-many', { workerId: 'w', limit: 0 }, 'limit'],
    ['b/fail', { workerId: 'w', retryable: true }, 'reason'],
    ['b/fail', { workerId: 'w', reason: 'x' }, 'retryable'],
  ])('%s with %j is refused', async (what, body, field) => {
    const error = refused(await admin.post(`/api/v1/dispatch/${what}`, body), 'VALIDATION_ERROR', 400);
    expect(error.details?.field).toBe(field);
  });
});
