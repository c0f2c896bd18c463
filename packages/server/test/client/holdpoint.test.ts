/** A Holdpoint over HTTP: its stories, and what only a connection can do to it. */
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Holdpoint, input } from '@holdpoint/client';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { serversOfATest } from '../servers-of-a-test.ts';
import { adminKey, startTestServer, type TestServer } from '../test-server.ts';
import { holdpointStories } from './holdpoint.suite.ts';

describe('its stories', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server[Symbol.asyncDispose]());
  holdpointStories(async () => new Holdpoint({ url: server.url, key: adminKey }));
});

describe('if the server or the requester dies', () => {
  const servers = serversOfATest();

  test('[CL5] ask goes on waiting while the server is killed and comes back', async () => {
    const first = await servers.start();
    const hp = new Holdpoint({ url: first.url, key: adminKey });
    const { id: threadId } = await hp.createThread({});
    const asking = hp.ask(threadId, input());
    const asked = async () => (await hp.listInteractions({ threadId })).data[0];
    await expect.poll(asked).toBeDefined();
    const question = (await asked()) ?? expect.fail();
    await first.kill('SIGKILL');
    await servers.start({ args: ['--port', new URL(first.url).port] });
    await hp.answer(question, { text: 'Still here.' });
    expect(await asking).toMatchObject({ status: 'answered', values: { text: 'Still here.' } });
  });

  test('[CL5] who waits for a while hears pending from a server that is away', async () => {
    const server = await servers.start();
    const hp = new Holdpoint({ url: server.url, key: adminKey });
    const { id: threadId } = await hp.createThread({});
    const asked = await hp.create(threadId, input());
    await server.kill('SIGKILL');
    expect((await hp.wait(asked, { timeoutMs: 100 })).status).toBe('pending');
  });

  test('[CL5] a killed requester finds its question and the answer after a restart', async () => {
    const server = await servers.start();
    const hp = new Holdpoint({ url: server.url, key: adminKey });
    const { id: threadId } = await hp.createThread({});
    const env = { ...process.env, HOLDPOINT_URL: server.url, HOLDPOINT_API_KEY: adminKey, THREAD_ID: threadId };
    const start = () => {
      const requester = spawn(process.execPath, [fileURLToPath(new URL('./requester.ts', import.meta.url))], {
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      servers.running.add(requester);
      return requester;
    };
    const questions = async () => (await hp.listInteractions({ threadId })).data;
    const first = start();
    await expect.poll(questions).toHaveLength(1);
    const ended = new Promise((resolve) => first.once('close', resolve));
    first.kill('SIGKILL');
    await ended;
    const [question] = await questions();
    await hp.answer(question ?? expect.fail(), { text: 'While you were gone.' });
    let printed = '';
    for await (const piece of start().stdout) printed += piece;
    expect(JSON.parse(printed)).toEqual({ status: 'answered', values: { text: 'While you were gone.' } });
    expect(await questions()).toHaveLength(1);
  });
});

test('[CL10] an upload that is refused for now is sent again, whole and with its length', async () => {
  const seen: { length: string | undefined; body: string }[] = [];
  const stand = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    seen.push({ length: request.headers['content-length'], body });
    if (seen.length === 1) response.writeHead(429, { 'retry-after': '0' }).end('{"code":"rate-limited"}');
    else response.end('{"file_id":"file_1"}');
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void stand.close());
  await new Promise((resolve) => stand.once('listening', resolve));
  const hp = new Holdpoint({ url: `http://127.0.0.1:${(stand.address() as AddressInfo).port}`, key: 'k' });
  expect(await hp.upload('int_1', 'notes', new Blob(['all of it']))).toEqual({ file_id: 'file_1' });
  expect(seen).toEqual([1, 2].map(() => ({ length: '9', body: 'all of it' })));
});

test('[CL4] a question whose answer was lost on the way is asked once', async () => {
  await using server = await startTestServer();
  const { port } = new URL(server.url);
  let connections = 0;
  // Hands everything on, but cuts the first connection when the server answers.
  const between = createTcpServer((near) => {
    const isFirst = ++connections === 1;
    const far = connect(Number(port), '127.0.0.1');
    near.pipe(far).on('error', () => near.destroy());
    far.on('data', (data) => (isFirst ? near.destroy() : near.write(data)));
    near.on('error', () => far.destroy()).on('close', () => far.destroy());
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void between.close());
  await new Promise((resolve) => between.once('listening', resolve));
  const { body: thread } = await server.admin.post<{ id: string }>('/v1/threads', {});
  const url = `http://127.0.0.1:${(between.address() as AddressInfo).port}`;
  await new Holdpoint({ url, key: adminKey }).create(thread.id, input());
  expect(connections).toBe(2);
  const { body } = await server.admin.get<{ data: unknown[] }>(`/v1/interactions?threadId=${thread.id}`);
  expect(body.data).toHaveLength(1);
});
