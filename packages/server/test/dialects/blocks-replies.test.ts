import { runAgents } from '@holdpoint/agents';
import { httpService } from '@holdpoint/client';
import type { Page } from '@holdpoint/protocol';
import { afterAll, describe, expect, test } from 'vitest';
import { adminKey } from '../test-server.ts';
import { shop } from './blocks-agents.ts';
import { api, echoed, expectRefused, type ReplyOrError, said, startSite } from './blocks-client.ts';

const site = await startSite();
afterAll(() => site[Symbol.asyncDispose]());
const { admin, newKey, open, server } = site;

describe('replies', () => {
  test('[BL3] a turn that ends is completed, with what was said', async () => {
    const { say, conversationId } = await open();
    const reply = await say('hello');
    expect(reply).toEqual({
      executionId: expect.any(String),
      conversationId,
      status: 'completed',
      blocks: [
        { id: expect.any(String), type: 'message', payload: { role: 'agent', text: 'Hello.', format: 'plain' } },
        {
          id: expect.any(String),
          type: 'message',
          payload: { role: 'agent', text: '**What** now?', format: 'markdown' },
        },
      ],
      expectedInput: null,
      waitToken: null,
      waitExpiresAt: null,
    });
    expect(await say('nothing')).toMatchObject({ status: 'completed', blocks: [] });
    expect(said(await say('hello'))).toEqual(['Hello.', '**What** now?']);
  });

  test('[BL3] polling gives the same blocks with the same ids, and that of an earlier execution too', async () => {
    const { say, poll } = await open();
    const first = await say('hello');
    expect(await poll(first.executionId)).toEqual(first);
    const second = await say('choice');
    expect(second.executionId).not.toBe(first.executionId);
    expect(await poll(first.executionId)).toEqual(first);
    expect(await poll(second.executionId)).toEqual(second);
  });

  test('[BL3][I1] a message that is sent again with its key is said once', async () => {
    const { client, poll, conversationId } = await open();
    const send = () =>
      client.post<ReplyOrError>(`${api}/messages`, { text: 'hello' }, { 'idempotency-key': conversationId });
    const [first, again] = [await send(), await send()];
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(await poll(first.body.reply.executionId)).toEqual(first.body.reply);
    const { body } = await admin.get<Page<{ role: string }>>(`/v1/threads/${conversationId}/messages`);
    expect(body.data.filter(({ role }) => role === 'user')).toHaveLength(1);
  });

  test('[BL4] every type of block is shown, what could run is not, and what is streamed comes whole', async () => {
    const { say } = await open();
    const { blocks } = await say('blocks');
    expect(blocks.map(({ id: _id, ...rest }) => rest)).toEqual([
      { type: 'link', payload: { label: 'Shop', url: 'https://acme.com/shop' } },
      { type: 'image', payload: { url: 'https://acme.com/cat.png', alt: 'A cat', width: 200, height: 100 } },
      { type: 'hologram', payload: { depth: 3 }, meta: { source: 'test' } },
      { type: 'message', payload: { role: 'agent', text: 'Piece by piece', format: 'plain' } },
    ]);
    expect(new Set(blocks.map(({ id }) => id)).size).toBe(4);
  });

  test('[BL3] what no worker has begun yet is running, under a name that leads to the execution', async () => {
    const key = await newKey({ agent: 'late riser' });
    const { client, send, poll } = await open({ publicKey: key });
    const { reply } = (await send({ text: 'hello' }, '?waitMs=0')).body;
    expect(reply).toMatchObject({ status: 'running', blocks: [], waitToken: null });
    expect(await poll(reply.executionId)).toEqual(reply);
    const late = runAgents({
      service: httpService({ url: server.url, key: adminKey }),
      agents: [{ ...shop, name: 'late riser' }],
    });
    await expect.poll(() => poll(reply.executionId)).toMatchObject({ status: 'completed' });
    const done = await poll(reply.executionId);
    expect(said(done)).toEqual(['Hello.', '**What** now?']);
    expect(await poll(done.executionId)).toEqual(done);
    await late.stop();
    expectRefused(await client.get<ReplyOrError>(`${api}/executions/nothing`), 404, 'execution_not_found');
  });

  test('[BL3] a run that sleeps waits for a time, and is woken with all that it said', async () => {
    const { say, poll } = await open();
    const asleep = await say('sleep');
    expect(asleep).toMatchObject({ status: 'waiting_time', waitToken: null, expectedInput: null });
    expect(said(asleep)).toEqual(['Before']);
    server.clock.offsetMs += 61_000;
    await expect.poll(() => poll(asleep.executionId)).toMatchObject({ status: 'completed' });
    const awake = await poll(asleep.executionId);
    expect(said(awake)).toEqual(['Before', 'After']);
    expect(awake.blocks[0]).toEqual(asleep.blocks[0]);
  });

  test('[BL3] a run that fails says so, and not why', async () => {
    const { say, poll } = await open();
    const failed = await say('fail');
    expect(failed).toMatchObject({ status: 'failed', blocks: [], waitToken: null });
    expect(JSON.stringify(await poll(failed.executionId))).not.toContain('secret reason');
  });

  test('[BL3] an execution of another conversation does not exist', async () => {
    const mine = await open();
    const { executionId, waitToken } = await mine.say('choice');
    for (const other of [await open(), await open({ publicKey: await newKey() })]) {
      expectRefused(
        await other.client.get<ReplyOrError>(`${api}/executions/${executionId}`),
        404,
        'execution_not_found',
      );
      const stolen = await other.send({ executionId, waitToken, values: { choice: 'a' } });
      expectRefused(stolen, 404, 'execution_not_found');
      const upload = await other.client.post<ReplyOrError>(`${api}/uploads?executionId=${executionId}&field=a`, {});
      expectRefused(upload, 404, 'execution_not_found');
    }
    expect((await mine.poll(executionId)).status).toBe('waiting_input');
  });
});

describe('wait tokens', () => {
  test('[BL6] work once, also for the next message, though it says the same at the same time', async () => {
    const { resume, say } = await open();
    const waiting = await say('context');
    expect(waiting.waitToken).toMatch(/^message\./);
    const replies = await Promise.all([1, 2, 3, 4].map(() => resume(waiting, { text: 'go on' })));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
    for (const late of replies.filter(({ status }) => status === 409)) expectRefused(late, 409, 'invalid_wait_token');
  });

  test('[BL8] a text that resumes has as many characters as one that does not', async () => {
    const { resume, say } = await open();
    const wave = '\u{1F44B}';
    const waiting = await say('context');
    const long = expectRefused(await resume(waiting, { text: wave.repeat(4_001) }), 422, 'validation_failed');
    expect(long.details).toMatchObject([{ field: 'text' }]);
    expect((await resume(waiting, { text: wave.repeat(4_000) })).status).toBe(200);
  });

  test('[BL6] work once', async () => {
    const { say, resume } = await open();
    const asked = await say('choice');
    const both = await Promise.all([resume(asked, { choice: 'a' }), resume(asked, { choice: 'b' })]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expectRefused(await resume(asked, { choice: 'a' }), 409, 'invalid_wait_token');
  });

  test('[BL6] are refused where they are made up, or of another execution', async () => {
    const { say, send, resume } = await open();
    const first = await say('late');
    await resume(first, { reason: 'broken' });
    const second = await say('choice');
    const values = { choice: 'a' };
    const { executionId } = second;
    const interactions = await admin.post<{ id: string }>(`/v1/threads/${second.conversationId}/interactions`, {
      title: 'Else?',
      options: ['a'],
    });
    for (const waitToken of [
      'nonsense',
      first.waitToken,
      'question.nonsense',
      'message.1',
      `question.${interactions.body.id}`,
    ])
      expectRefused(await send({ waitToken, executionId, values }), 409, 'invalid_wait_token');
    const other = await send({ waitToken: second.waitToken, executionId: first.executionId, values });
    expectRefused(other, 409, 'invalid_wait_token');
    expect((await resume(second, values)).status).toBe(200);
  });

  test('[BL6] expire with their question', async () => {
    const { say, resume, poll } = await open();
    const asked = await say('soon');
    expect(Date.parse(asked.waitExpiresAt ?? '')).toBeGreaterThan(server.clock.now());
    server.clock.offsetMs += 61_000;
    expectRefused(await resume(asked, { choice: 'a' }), 409, 'invalid_wait_token');
    await expect.poll(() => poll(asked.executionId)).toMatchObject({ status: 'completed' });
    expect(echoed(await poll(asked.executionId))).toEqual({ status: 'expired' });
  });

  test('[BL6] are of no use once the execution was aborted', async () => {
    const { say, resume, poll } = await open();
    const asked = await say('choice');
    expect((await admin.post(`/v1/runs/${asked.executionId}/cancel`, { reason: 'Closed' })).status).toBe(200);
    expect(await poll(asked.executionId)).toMatchObject({ status: 'aborted', waitToken: null, expectedInput: null });
    expectRefused(await resume(asked, { choice: 'a' }), 410, 'execution_aborted');
  });

  test('[BL6] are given to nobody who was not asked', async () => {
    const { say, send } = await open({ customerId: 'boss' });
    const asked = await say('staff');
    expect(asked).toMatchObject({ status: 'waiting_time', blocks: [], waitToken: null });
    const { body } = await admin.get<{ waitingFor: { interactionId: string }[] }>(`/v1/runs/${asked.executionId}`);
    const waitToken = `question.${body.waitingFor[0]?.interactionId}`;
    const sent = await send({ waitToken, executionId: asked.executionId, values: { choice: 'a' } });
    expectRefused(sent, 403, 'wrong_responder');
  });
});
