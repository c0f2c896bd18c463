/** ask_human with a client that can do nothing of the kind: a wait that has an end, and a handle to wait again. */
import type { Interaction } from '@holdpoint/protocol';
import { afterAll, describe, expect, test } from 'vitest';
import { startTestServer } from '../test-server.ts';
import { ask, connectMcp, modern, onceWaitedAt, versions, waitersAt, waitOn } from './mcp-client.ts';

const server = await startTestServer();
afterAll(() => server[Symbol.asyncDispose]());

const question = { title: 'Where to?', options: ['staging', 'production'] };

const newKey = async (role: string) =>
  (await server.admin.post<{ secret: string }>('/v1/keys', { name: 'another', role })).body.secret;
const pending = async () =>
  (await server.admin.get<{ data: Interaction[] }>('/v1/interactions?status=pending')).body.data;
const waiters = () => waitersAt(server);

const onceWaited = (work: (id: string) => Promise<unknown>) => onceWaitedAt(server, work);

describe.each(versions)('version %s', (_version, version) => {
  test('[AH7] the answer ends the wait', async () => {
    await using client = await connectMcp(server.url, { ...version });
    const asking = ask(client, question);
    await onceWaited((id) => server.admin.post(`/v1/interactions/${id}/answers`, { values: { choice: 'staging' } }));
    expect(await asking).toMatchObject({
      status: 'answered',
      values: { choice: 'staging' },
      answered_by: { type: 'human', id: 'key:admin' },
    });
  });

  test('[AH7] so do a decline, a cancel and the deadline', async () => {
    await using client = await connectMcp(server.url, { ...version });
    const declined = ask(client, question);
    await onceWaited((id) => server.admin.post(`/v1/interactions/${id}/decline`, { reason: 'not today' }));
    expect(await declined).toMatchObject({ status: 'declined', reason: 'not today' });
    const cancelled = ask(client, question);
    await onceWaited((id) => server.admin.post(`/v1/interactions/${id}/cancel`, {}));
    expect(await cancelled).toMatchObject({ status: 'cancelled' });
    const expires_at = new Date(server.clock.now() + 60_000).toISOString();
    const expired = ask(client, { ...question, expires_at });
    await onceWaited(async () => {
      server.clock.offsetMs += 120_000;
    });
    expect(await expired).toMatchObject({ status: 'expired' });
  });

  test('[AH7] nobody in time: it is pending, and the handle waits on', async () => {
    await using client = await connectMcp(server.url, { ...version });
    const asked = await ask(client, { ...question, wait_seconds: 1 });
    expect(asked).toMatchObject({ status: 'pending' });
    expect(await waitOn(client, asked.interaction_id, 0)).toEqual(asked);
    const waiting = waitOn(client, asked.interaction_id);
    await onceWaited((id) => server.admin.post(`/v1/interactions/${id}/answers`, { values: { choice: 'production' } }));
    expect(await waiting).toMatchObject({ status: 'answered', values: { choice: 'production' } });
  });

  test('[AH7] who hangs up no longer waits, and the question stays', async () => {
    const client = await connectMcp(server.url, { ...version });
    const call = client.callTool({ name: 'ask_human', arguments: question });
    const hungUp = expect(call).rejects.toThrow();
    await onceWaited(() => client.close());
    await hungUp;
    await expect.poll(waiters).toBe(0);
    const [left] = await pending();
    expect(left?.title).toBe(question.title);
    await server.admin.post(`/v1/interactions/${left?.id}/cancel`, {});
  });
});

test('[AH7] so does who takes the call back', async () => {
  await using client = await connectMcp(server.url, modern);
  const stop = new AbortController();
  const call = client.callTool({ name: 'ask_human', arguments: question }, { signal: stop.signal });
  const takenBack = expect(call).rejects.toThrow();
  await onceWaited(async (id) => {
    stop.abort();
    await expect.poll(waiters).toBe(0);
    await server.admin.post(`/v1/interactions/${id}/cancel`, {});
  });
  await takenBack;
});

test('[AH8] without a thread it is asked in one of the caller’s own, the same each time', async () => {
  const key = await newKey('agent');
  await using client = await connectMcp(server.url, {}, key);
  await using other = await connectMcp(server.url, {}, await newKey('agent'));
  const input = { ...question, wait_seconds: 0 };
  const [first, second, elsewhere] = [await ask(client, input), await ask(client, input), await ask(other, input)];
  expect(second.thread_id).toBe(first.thread_id);
  expect(second.interaction_id).not.toBe(first.interaction_id);
  expect(elsewhere.thread_id).not.toBe(first.thread_id);
  const { body } = await server.admin.post<{ id: string }>('/v1/threads');
  expect(await ask(client, { ...input, thread_id: body.id })).toMatchObject({ thread_id: body.id });
  await expect(ask(client, { ...input, thread_id: 'no-such-thread' })).rejects.toThrow('thread-not-found');
});

test('[AH8] asked again with the same key it is the same question, and another question is refused', async () => {
  await using client = await connectMcp(server.url, {});
  const input = { ...question, wait_seconds: 0, idempotency_key: 'deploy/7' };
  const asked = await ask(client, input);
  expect(await ask(client, input)).toEqual(asked);
  await server.admin.post(`/v1/interactions/${asked.interaction_id}/answers`, { values: { choice: 'staging' } });
  expect(await ask(client, input)).toMatchObject({ status: 'answered', interaction_id: asked.interaction_id });
  await expect(ask(client, { ...input, title: 'Another?' })).rejects.toThrow('idempotency-key-reused');
});

test('[AH8] what is no question is refused, with the place of what is wrong', async () => {
  await using client = await connectMcp(server.url, {});
  for (const [input, words] of [
    [{ title: ' ' }, 'The title has no visible characters'],
    [{ title: 'x', fields: [{ name: 'a', type: 'colour' }] }, '/fields/0'],
    [{ title: 'x'.repeat(10_000) }, '/title'],
    [{ title: 'x', surprise: true }, 'Invalid arguments'],
    [{ title: 'x', wait_seconds: 51 }, 'Invalid arguments'],
    [{ title: 'x', thread_id: '\u0000' }, 'Invalid arguments'],
    [{}, 'Invalid arguments'],
  ] as const)
    await expect(ask(client, input), words).rejects.toThrow(words);
  await expect(waitOn(client, 'no-such-question')).rejects.toThrow('interaction-not-found');
});

test('[X31] of 300,000 wrong options a bounded number is reported', async () => {
  await using client = await connectMcp(server.url, {});
  const input = { title: 'x', options: Array.from({ length: 300_000 }, () => ({})) };
  const refused = await client.callTool({ name: 'ask_human', arguments: input });
  const [{ text } = { text: '' }] = refused.content as { text: string }[];
  expect(text.length).toBeLessThan(100_000);
  const { error } = JSON.parse(text) as { error: { code: string; details: { code: string }[] } };
  expect(error.code).toBe('invalid-input');
  expect(error.details.length).toBeLessThanOrEqual(200);
  expect(error.details.at(-1)?.code).toBe('more');
});
