/** ask_human as a task: that of 2025-11-25, by the official client, and that of the extension of 2026-07-28. */
import type { Interaction } from '@holdpoint/protocol';
import { type Client, specTypeSchemas } from '@modelcontextprotocol/client';
import { afterAll, describe, expect, test } from 'vitest';
import { adminKey, startTestServer } from '../test-server.ts';
import { type AskResult, connectMcp, legacy, modern, waitersAt } from './mcp-client.ts';

const server = await startTestServer();
afterAll(() => server[Symbol.asyncDispose]());

const question = { title: 'Where to?', options: ['staging', 'production'] };
const answer = (id: string, choice = 'staging') =>
  server.admin.post(`/v1/interactions/${id}/answers`, { values: { choice } });
const read = async (id: string) => (await server.admin.get<Interaction>(`/v1/interactions/${id}`)).body;

const waiters = () => waitersAt(server);

describe('version 2025-11-25', () => {
  const connect = (key = adminKey) => connectMcp(server.url, legacy('2025-11-25'), key);

  async function start(client: Client, input: object = question) {
    const params = { name: 'ask_human', arguments: { ...input }, task: { ttl: 60_000 } };
    return (await client.request({ method: 'tools/call', params }, specTypeSchemas.CreateTaskResult)).task;
  }
  const get = (client: Client, taskId: string) =>
    client.request({ method: 'tasks/get', params: { taskId } }, specTypeSchemas.GetTaskResult);
  const cancel = (client: Client, taskId: string) =>
    client.request({ method: 'tasks/cancel', params: { taskId } }, specTypeSchemas.CancelTaskResult);
  const result = async (client: Client, taskId: string) => {
    const result = await client.request({ method: 'tasks/result', params: { taskId } }, specTypeSchemas.CallToolResult);
    expect(result._meta).toMatchObject({ 'io.modelcontextprotocol/related-task': { taskId } });
    return result.structuredContent as unknown as AskResult;
  };

  test('[AH9] is said of the tool, and of the server', async () => {
    await using client = await connect();
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === 'ask_human')?.execution).toEqual({ taskSupport: 'optional' });
    expect(client.getServerCapabilities()?.tasks).toEqual({ cancel: {}, requests: { tools: { call: {} } } });
  });

  test('[AH9] the call returns at once, and the result when somebody has answered', async () => {
    await using client = await connect();
    const task = await start(client);
    expect(task).toMatchObject({ status: 'working', ttl: null });
    expect(await get(client, task.taskId)).toMatchObject({ taskId: task.taskId, status: 'working' });
    const waiting = result(client, task.taskId);
    await answer(task.taskId);
    expect(await waiting).toMatchObject({ status: 'answered', values: { choice: 'staging' } });
    expect(await get(client, task.taskId)).toMatchObject({ status: 'completed' });
    expect(await result(client, task.taskId)).toMatchObject({ status: 'answered' });
  });

  test('[AH9] a caller whose key was revoked meanwhile gets no result', async () => {
    const made = await server.admin.post<{ id: string; secret: string }>('/v1/keys', { name: 'short', role: 'agent' });
    await using client = await connect(made.body.secret);
    const { taskId } = await start(client);
    const before = await waiters();
    const refused = expect(result(client, taskId)).rejects.toThrow('A valid API key or token is required.');
    await expect.poll(waiters).toBe(before + 1);
    await server.admin.post(`/v1/keys/${made.body.id}/revoke`, {});
    const headers = { authorization: `Bearer ${made.body.secret}` };
    await expect.poll(async () => (await fetch(`${server.url}/v1/threads`, { headers })).status).toBe(401);
    await answer(taskId);
    await refused;
  });

  test('[AH9] declined and expired, it is completed, and the result says so', async () => {
    await using client = await connect();
    const declined = await start(client);
    await server.admin.post(`/v1/interactions/${declined.taskId}/decline`, {});
    expect(await result(client, declined.taskId)).toMatchObject({ status: 'declined' });
    const expires_at = new Date(server.clock.now() + 60_000).toISOString();
    const expired = await start(client, { ...question, expires_at });
    server.clock.offsetMs += 120_000;
    expect(await result(client, expired.taskId)).toMatchObject({ status: 'expired' });
    expect(await get(client, expired.taskId)).toMatchObject({ status: 'completed' });
  });

  test('[AH9] cancelled, so is the question, and it is too late for what is over', async () => {
    await using client = await connect();
    const { taskId } = await start(client);
    expect(await cancel(client, taskId)).toMatchObject({ taskId, status: 'cancelled' });
    expect((await read(taskId)).status).toBe('cancelled');
    expect(await result(client, taskId)).toMatchObject({ status: 'cancelled' });
    await expect(cancel(client, taskId)).rejects.toMatchObject({ code: -32_602 });
  });

  test('[AH9] its state is that of the question: it goes on after a restart', async () => {
    const before = await connect();
    const { taskId } = await start(before);
    const cutShort = expect(result(before, taskId)).rejects.toThrow('stopping');
    await expect.poll(waiters).toBe(1);
    await server.restart();
    await cutShort;
    await before.close();
    await using client = await connect();
    expect(await get(client, taskId)).toMatchObject({ status: 'working' });
    await answer(taskId, 'production');
    expect(await result(client, taskId)).toMatchObject({ status: 'answered', values: { choice: 'production' } });
  });

  test('[AH9] one that is not there, or of another org, is not known', async () => {
    await using client = await connect();
    const { taskId } = await start(client);
    await expect(get(client, 'no-such-task')).rejects.toMatchObject({ code: -32_602 });
    const org = await server.admin.post<{ adminKey: { secret: string } }>('/v1/orgs', { id: 'another-org' });
    await using stranger = await connect(org.body.adminKey.secret);
    await expect(get(stranger, taskId)).rejects.toMatchObject({ code: -32_602 });
    await expect(cancel(stranger, taskId)).rejects.toMatchObject({ code: -32_602 });
    expect((await read(taskId)).status).toBe('pending');
  });

  test('[AH9] a question that is refused is no task', async () => {
    await using client = await connect();
    const params = { name: 'ask_human', arguments: { title: ' ' }, task: {} };
    const refused = await client.request({ method: 'tools/call', params }, specTypeSchemas.CallToolResult);
    expect(refused).toMatchObject({ isError: true });
  });
});

/** The client of the SDK takes no task for a result in this version, so this is what one would send. */
describe('version 2026-07-28, by the extension', () => {
  const tasks = { extensions: { 'io.modelcontextprotocol/tasks': {} } };

  async function send(method: string, params: Record<string, unknown>, capabilities: object = tasks) {
    const response = await fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${adminKey}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        'mcp-name': String(params.taskId ?? params.name),
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method,
        params: {
          ...params,
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientCapabilities': capabilities,
          },
        },
      }),
    });
    return (await response.json()) as { result?: Record<string, unknown>; error?: { code: number; data?: unknown } };
  }
  const start = async (input: object = question, capabilities?: object) =>
    (await send('tools/call', { name: 'ask_human', arguments: input }, capabilities)).result ?? {};

  test('[AH9] is said of the server, and the tool says nothing of it', async () => {
    await using client = await connectMcp(server.url, modern);
    expect(client.getServerCapabilities()).toMatchObject(tasks);
    expect(client.getServerCapabilities()).not.toHaveProperty('tasks');
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === 'ask_human')).not.toHaveProperty('execution');
  });

  test('[AH9] who speaks it gets a task, and its result by looking', async () => {
    const { taskId, ...task } = await start();
    expect(task).toMatchObject({ resultType: 'task', status: 'working', ttlMs: null, pollIntervalMs: 2_000 });
    expect((await send('tasks/get', { taskId })).result).toMatchObject({ resultType: 'complete', status: 'working' });
    expect((await send('tasks/update', { taskId, inputResponses: {} })).result).toMatchObject({
      resultType: 'complete',
    });
    await answer(String(taskId));
    expect((await send('tasks/get', { taskId })).result).toMatchObject({
      status: 'completed',
      result: { structuredContent: { status: 'answered', values: { choice: 'staging' } } },
    });
    expect((await send('tasks/cancel', { taskId })).result).not.toHaveProperty('status');
  });

  test('[AH9] cancelled, so is the question', async () => {
    const { taskId } = await start();
    expect((await send('tasks/cancel', { taskId })).result).toMatchObject({ resultType: 'complete' });
    expect((await send('tasks/get', { taskId })).result).toMatchObject({ status: 'cancelled' });
    expect((await send('tasks/get', { taskId: 'no-such-task' })).error?.code).toBe(-32_602);
    expect((await send('tasks/result', { taskId })).error?.code).toBe(-32_601);
  });

  test('[AH9] who does not speak it gets none, and may ask for none', async () => {
    const plain = await start({ ...question, wait_seconds: 0 }, {});
    expect(plain).toMatchObject({ resultType: 'complete', structuredContent: { status: 'pending' } });
    const { taskId } = await start();
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel'])
      expect((await send(method, { taskId }, {})).error, method).toMatchObject({
        code: -32_021,
        data: { requiredCapabilities: tasks },
      });
  });

  test('[AH9] who can ask its user is let do so first, and takes a task for a page that was opened', async () => {
    const capabilities = { ...tasks, elicitation: { url: {} } };
    const first = await start(question, capabilities);
    expect(first).toMatchObject({ resultType: 'input_required' });
    const params = { name: 'ask_human', arguments: question, requestState: first.requestState };
    const opened = await send(
      'tools/call',
      { ...params, inputResponses: { answer: { action: 'accept' } } },
      capabilities,
    );
    expect(opened.result).toMatchObject({ resultType: 'task', status: 'working' });
  });
});
