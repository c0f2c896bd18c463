import { Agent, get } from 'node:http';
import type { Interaction } from '@holdpoint/protocol';
import { afterAll, expect, test, vi } from 'vitest';
import { adminKey } from '../../test-server.ts';
import { startSpecServer } from '../openapi/spec-server.ts';

const server = await startSpecServer();
const { admin } = server;
afterAll(() => server[Symbol.asyncDispose]());

const waiters = (n: number) => vi.waitFor(async () => expect(await admin.metric('holdpoint_waiters')).toBe(n), 20_000);
const wait = (id: string, query = '') => admin.get<Interaction>(`/v1/interactions/${id}/wait${query}`);

test('[W1] wait returns at once where the question is closed', async () => {
  const { id } = await admin.ask();
  const { body } = await admin.answer(id);
  expect((await wait(id)).body).toEqual(body);
});

test.each([
  ['answers', { values: { choice: 'yes' } }, 'answered'],
  ['decline', {}, 'declined'],
  ['cancel', {}, 'cancelled'],
])('[W1] wait returns when the question closes by %s', async (verb, body, closedReason) => {
  const { id } = await admin.ask();
  const waiting = [wait(id), wait(id), wait(id)];
  await waiters(3);
  await admin.post(`/v1/interactions/${id}/${verb}`, body);
  for (const reply of await Promise.all(waiting)) expect(reply.body).toMatchObject({ closedReason, version: 2 });
  await waiters(0);
});

test('[W1] wait ends with its time, the question still pending', async () => {
  const { id } = await admin.ask();
  expect((await wait(id, '?timeoutMs=0')).body).toMatchObject({ status: 'pending' });
  const before = performance.now();
  expect((await wait(id, '?timeoutMs=80')).body).toMatchObject({ status: 'pending', version: 1 });
  expect(performance.now() - before).toBeGreaterThan(75);
});

test('[W1] a vote or a change that does not close the question ends no wait', async () => {
  const { id } = await admin.ask({ resolution: { mode: 'quorum', count: 2 } });
  const vote = (who: string) =>
    admin.post(`/v1/interactions/${id}/answers`, {
      values: { choice: 'yes' },
      responder: { type: 'human', id: who },
    });
  const waiting = wait(id);
  await waiters(1);
  await admin.patch(`/v1/interactions/${id}`, { metadata: { seen: true } });
  await vote('ada');
  await waiters(1);
  await vote('bob');
  expect((await waiting).body).toMatchObject({ status: 'answered', version: 4 });
});

test.each(['-1', '60001', 'soon', '1.5'])('[W1] a time of %s is refused with its place', async (timeoutMs) => {
  const { id } = await admin.ask();
  expect(await wait(id, `?timeoutMs=${timeoutMs}`)).toMatchObject({
    status: 400,
    body: { errors: [{ pointer: '/query/timeoutMs' }] },
  });
});

test('[W1] one cannot wait for what is not there', async () => {
  expect(await wait('never-was')).toMatchObject({ status: 404, body: { code: 'interaction-not-found' } });
  await waiters(0);
});

test('[W2] an answer given between two waits is found by the second', async () => {
  const { id } = await admin.ask();
  expect((await wait(id, '?timeoutMs=10')).body).toMatchObject({ status: 'pending' });
  await admin.answer(id);
  expect((await wait(id)).body).toMatchObject({ status: 'answered' });
});

test('[W2] a waiter that goes away frees its place, and may come back', async () => {
  const { id } = await admin.ask();
  const gone = new AbortController();
  const waiting = Array.from({ length: 5 }, () =>
    admin.get(`/v1/interactions/${id}/wait`, { signal: gone.signal }).catch(() => 'gone'),
  );
  await waiters(5);
  gone.abort();
  expect(await Promise.all(waiting)).toEqual(Array.from({ length: 5 }, () => 'gone'));
  await waiters(0);
  const again = wait(id);
  await waiters(1);
  await admin.answer(id);
  expect((await again).body).toMatchObject({ status: 'answered' });
});

test('[W2] many waits over one connection leave no listeners behind on it', async () => {
  const warned = vi.fn();
  process.on('warning', warned);
  const { id } = await admin.ask();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const options = { agent, headers: { authorization: `Bearer ${adminKey}` } };
  const ports = new Set<number | undefined>();
  for (let i = 0; i < 15; i++)
    await new Promise<void>((resolve, reject) =>
      get(`${server.url}/v1/interactions/${id}/wait?timeoutMs=1`, options, (response) => {
        ports.add(response.socket.localPort);
        response.resume().on('end', resolve);
      }).on('error', reject),
    );
  agent.destroy();
  // Warnings are emitted in a later turn.
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', warned);
  expect(ports.size).toBe(1);
  expect(warned).not.toHaveBeenCalled();
});

test('[W3] when the server stops, waiters get the question as it is', async () => {
  await using stopping = await startSpecServer();
  const { id } = await stopping.admin.ask();
  const waiting = Array.from({ length: 3 }, () => stopping.admin.get<Interaction>(`/v1/interactions/${id}/wait`));
  await vi.waitFor(async () => expect(await stopping.admin.metric('holdpoint_waiters')).toBe(3), 20_000);
  const stopped = stopping.stop();
  for (const { status, body } of await Promise.all(waiting)) {
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, status: 'pending' });
  }
  await stopped;
});
