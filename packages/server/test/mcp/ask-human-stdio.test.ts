/** ask_human over standard input and output: the same tool, in a process that calls the server by HTTP. */
import { Client, type ClientOptions, specTypeSchemas } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, describe, expect, test } from 'vitest';
import { cli } from '../spawned-server.ts';
import { adminKey, startTestServer } from '../test-server.ts';
import {
  type AskResult,
  ask,
  firstRound,
  legacy,
  modern,
  nextRound,
  onceWaitedAt,
  powers,
  versions,
  waitersAt,
  waitOn,
} from './mcp-client.ts';

const server = await startTestServer();
afterAll(() => server[Symbol.asyncDispose]());

const question = { title: 'Where to?', options: ['staging', 'production'] };
const said = { action: 'accept', content: { choice: 'staging' } };

async function connect(options: ClientOptions, key = adminKey) {
  const client = new Client({ name: 'a test', version: '1' }, options);
  const env = { PATH: process.env.PATH ?? '', HOLDPOINT_URL: server.url, HOLDPOINT_API_KEY: key };
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [cli, 'mcp'], env }));
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}

const waiters = () => waitersAt(server);
const newKey = async (role: string) =>
  (await server.admin.post<{ secret: string }>('/v1/keys', { name: 'another', role })).body.secret;

const onceWaited = (work: (id: string) => Promise<unknown>) => onceWaitedAt(server, work);

describe.each(versions)('version %s', (_version, version) => {
  test('[AH7] [AH10] waits for an answer, for a while, and again by the handle', async () => {
    await using client = await connect({ ...version });
    const asking = ask(client, question);
    await onceWaited((id) => server.admin.post(`/v1/interactions/${id}/answers`, { values: { choice: 'staging' } }));
    expect(await asking).toMatchObject({ status: 'answered', values: { choice: 'staging' } });
    const declined = ask(client, question);
    await onceWaited((id) => server.admin.post(`/v1/interactions/${id}/decline`, {}));
    expect(await declined).toMatchObject({ status: 'declined' });
    const expires_at = new Date(server.clock.now() + 60_000).toISOString();
    const left = await ask(client, { ...question, expires_at, wait_seconds: 0 });
    expect(left).toMatchObject({ status: 'pending' });
    const expired = waitOn(client, left.interaction_id);
    await onceWaited(async () => {
      server.clock.offsetMs += 120_000;
    });
    expect(await expired).toMatchObject({ status: 'expired' });
  });

  test('[AH7] [AH10] a call that is taken back ends the wait, and the question stays', async () => {
    await using client = await connect({ ...version });
    const stop = new AbortController();
    const call = client.callTool({ name: 'ask_human', arguments: question }, { signal: stop.signal });
    const takenBack = expect(call).rejects.toThrow();
    await onceWaited(async (id) => {
      stop.abort();
      await expect.poll(waiters).toBe(0);
      expect((await server.admin.post(`/v1/interactions/${id}/cancel`, {})).status).toBe(200);
    });
    await takenBack;
  });
});

test('[AH10] asks in the client, and a state is good for once and in this process alone', async () => {
  await using client = await connect({ ...modern, capabilities: powers.form });
  const { requestState } = await firstRound(client, question);
  await using other = await connect({ ...modern, capabilities: powers.form });
  const back = { input: question, requestState, said };
  await expect(nextRound(other, back)).rejects.toMatchObject({ code: -32_602 });
  const answered = (await nextRound(client, back)) as { structuredContent: AskResult };
  expect(answered.structuredContent).toMatchObject({ status: 'answered', answered_by: { type: 'human' } });
  await expect(nextRound(client, back)).rejects.toMatchObject({ code: -32_602 });
});

test('[AH5] [AH6] [AH10] it finds out what its key may do: an agent leads its user to where one signs in', async () => {
  await using client = await connect({ ...modern, capabilities: powers.both }, await newKey('agent'));
  const { inputRequests } = await firstRound(client, { ...question, assignees: ['ana'] });
  const { url = '' } = inputRequests.answer?.params ?? {};
  expect(url).toMatch(new RegExp(`^${server.url}/#/inbox/`));
  await using admin = await connect({ ...modern, capabilities: powers.url });
  const asked = await firstRound(admin, { ...question, assignees: ['ana'] });
  expect(asked.inputRequests.answer?.params.url).toContain('/a/#hpr_');
});

test('[AH9] [AH10] as a task', async () => {
  await using client = await connect(legacy('2025-11-25'));
  const params = { name: 'ask_human', arguments: question, task: {} };
  const { task } = await client.request({ method: 'tools/call', params }, specTypeSchemas.CreateTaskResult);
  const { taskId } = task;
  const waiting = client.request({ method: 'tasks/result', params: { taskId } }, specTypeSchemas.CallToolResult);
  await server.admin.post(`/v1/interactions/${taskId}/answers`, { values: { choice: 'staging' } });
  expect((await waiting).structuredContent).toMatchObject({ status: 'answered', values: { choice: 'staging' } });
});
