/** Stopping as a supervisor does it: waits and streams end, acknowledged writes are kept, and it exits with 0 in time. */
import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import type { Interaction } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import { followEvents, listInteractions } from './read-everything.ts';
import { serversOfATest } from './servers-of-a-test.ts';
import { type SpawnedServer, serveCommand } from './spawned-server.ts';
import { adminKey } from './test-server.ts';

const patience = { timeout: 30_000 };
const servers = serversOfATest();
const { start } = servers;

async function ask({ admin }: SpawnedServer): Promise<Interaction> {
  await admin.post('/v1/threads', { id: 'one' });
  return (await admin.post<Interaction>('/v1/threads/one/interactions', { title: 'Go on?' })).body;
}

async function metric({ admin }: SpawnedServer, name: string): Promise<number> {
  const response = await fetch(`${admin.url}/metrics`);
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(await response.text())?.[1]);
}

/** Sends the signal and returns how the server ended. The protocol allows five seconds. */
async function stopInTime(server: SpawnedServer, signal: NodeJS.Signals): Promise<void> {
  const since = performance.now();
  expect(await server.kill(signal)).toEqual({ code: 0, signal: null });
  expect(performance.now() - since).toBeLessThan(5_000);
}

test('[H7][W3][S1] SIGTERM with open waits, a stream and writes ends them all and keeps what it acknowledged', async () => {
  const server = await start();
  const { id } = await ask(server);
  const waiting = Array.from({ length: 200 }, () =>
    server.admin.get<Interaction>(`/v1/interactions/${id}/wait?timeoutMs=60000`),
  );
  const streamed: string[] = [];
  const streaming = (async () => {
    for await (const { type } of followEvents(server.admin, 'start')) streamed.push(type);
  })();
  await expect.poll(() => metric(server, 'holdpoint_waiters'), patience).toBe(200);
  await expect.poll(() => streamed.length, patience).toBe(2);

  const acknowledged: string[] = [];
  let isStopping = false;
  const writing = Array.from({ length: 16 }, async (_, writer) => {
    for (let turn = 0; ; turn++) {
      const title = `${writer}-${turn}`;
      try {
        const { status } = await server.admin.post('/v1/threads/one/interactions', { title });
        if (status !== 201) return expect(isStopping && status === 503).toBe(true);
        acknowledged.push(title);
      } catch {
        return expect(isStopping).toBe(true);
      }
    }
  });
  await expect.poll(() => acknowledged.length, patience).toBeGreaterThan(100);
  isStopping = true;
  await stopInTime(server, 'SIGTERM');
  await Promise.all(writing);
  await streaming;
  for (const { status, body } of await Promise.all(waiting)) {
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, status: 'pending' });
  }
  const { admin } = await start();
  const titles = (await listInteractions(admin)).map(({ title }) => title);
  expect(titles.filter((title) => acknowledged.includes(title)).sort()).toEqual(acknowledged.sort());
});

test('[H7][W3] SIGINT does the same', async () => {
  const server = await start();
  const { id } = await ask(server);
  const waiting = server.admin.get<Interaction>(`/v1/interactions/${id}/wait?timeoutMs=60000`);
  await expect.poll(() => metric(server, 'holdpoint_waiters'), patience).toBe(1);
  await stopInTime(server, 'SIGINT');
  expect((await waiting).body.status).toBe('pending');
});

test('[H7][W3] the connection of a waiting caller closes with the response', async () => {
  const server = await start();
  const { id } = await ask(server);
  const { hostname, port } = new URL(server.url);
  const waiting = connect(Number(port), hostname);
  let received = '';
  waiting.on('data', (data) => {
    received += data;
  });
  const ended = new Promise((resolve) => waiting.once('end', resolve));
  waiting.write(`GET /v1/interactions/${id}/wait HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${adminKey}\r\n\r\n`);
  await expect.poll(() => metric(server, 'holdpoint_waiters'), patience).toBe(1);
  await stopInTime(server, 'SIGTERM');
  await ended;
  expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n[^{]*\r\nconnection: close\r\n[^{]*\{/i);
});

test('[H7] open connections do not delay it, and more signals do not cut it short', async () => {
  const server = await start();
  const { id } = await ask(server);
  const { hostname, port } = new URL(server.url);
  const silent = connect(Number(port), hostname);
  const halfway = connect(Number(port), hostname);
  const stalled = connect(Number(port), hostname);
  const sockets = [silent, halfway, stalled];
  for (const socket of sockets) socket.on('error', () => {});
  halfway.write(
    `POST /v1/threads HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${adminKey}\r\ncontent-length: 9\r\n\r\n{`,
  );
  stalled.pause();
  stalled.write(`GET /v1/events?after=start HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${adminKey}\r\n\r\n`);
  await expect.poll(() => metric(server, 'holdpoint_streams'), patience).toBe(1);
  const waiting = server.admin.get<Interaction>(`/v1/interactions/${id}/wait?timeoutMs=60000`);
  await expect.poll(() => metric(server, 'holdpoint_waiters'), patience).toBe(1);

  const stopping = stopInTime(server, 'SIGTERM');
  expect((await waiting).body.status).toBe('pending');
  server.process.kill('SIGTERM');
  server.process.kill('SIGINT');
  await stopping;
  expect(await servers.place.isClosedInOrder()).toBe(true);
  for (const socket of sockets) socket.destroy();
});

test('[H7] SIGTERM during the start stops it, exit 0', async () => {
  const [program = '', ...args] = serveCommand(servers.place);
  const child = spawn(program, args, { env: { ...process.env, HOLDPOINT_API_KEY: adminKey }, stdio: 'pipe' });
  let printed = '';
  child.stderr.on('data', (data) => {
    printed += data;
  });
  const ended = new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal })));
  await expect.poll(() => servers.place.isOpened(), { ...patience, interval: 1 }).toBe(true);
  child.kill('SIGTERM');
  expect(await ended).toEqual({ code: 0, signal: null });
  expect(printed).toBe('');
  expect((await (await start()).admin.get('/readyz')).status).toBe(200);
});
