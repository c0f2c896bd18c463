/** Servers that die while runs run, wait and sleep: saved data is there, and each run continues. */
import { expect, test } from 'vitest';
import { claim, complete, say, settings } from './http/dispatch/dispatcher.ts';
import { advanced, begun, claimFor, getRun, helper, journalOf, turnOf, work } from './http/dispatch/run-worker.ts';
import { readLog } from './read-everything.ts';
import { serversOfATest } from './servers-of-a-test.ts';
import type { SpawnedServer } from './spawned-server.ts';

const servers = serversOfATest();

async function kill(server: SpawnedServer): Promise<void> {
  servers.running.delete(server);
  await server.kill('SIGKILL');
}

async function startWithThread(): Promise<SpawnedServer> {
  const server = await servers.start();
  await settings(server.admin, { debounceMs: 0, from: 'start' });
  await server.admin.post('/v1/threads', { id: 'one', agent: helper });
  await say(server.admin, 'one', 'Hello');
  return server;
}

const entry = { call: 1, type: 'step', name: 'send', state: 'done', data: { id: 4 } };

test('[S1][RU7][RU8] kill -9 after an advance: the run and its journal are there, and the batch continues with it', async () => {
  const first = await startWithThread();
  const batch = await claimFor(first.admin, { leaseMs: 1_000 });
  const run = await advanced(first.admin, await begun(first.admin, batch), { entries: [entry] });
  await kill(first);
  const { admin } = await servers.start();
  expect(await getRun(admin, run.id)).toEqual(run);
  expect((await journalOf(admin, run.id)).data).toMatchObject([{ index: 1, ...entry }]);
  const again = await claimFor(admin, { workerId: 'bob' });
  expect(again).toMatchObject({ id: batch.id, attempt: 2 });
  const continued = await begun(admin, again);
  expect(continued).toEqual({ ...run, version: run.version + 1, updatedAt: continued.updatedAt });
});

test('[RU10] kill -9 while a run sleeps, until its time has passed: it wakes once', async () => {
  const first = await startWithThread();
  const until = new Date(Date.now() + 500).toISOString();
  const asleep = await work(first.admin, { status: 'waiting', waitingFor: [{ type: 'time', until }] });
  await kill(first);
  const second = await servers.start();
  const batch = await claimFor(second.admin, { leaseMs: 1_000 });
  expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(until));
  expect(batch.inputs.map(({ type }) => type)).toEqual(['wake']);
  await kill(second);
  const { admin } = await servers.start();
  expect(await claimFor(admin)).toMatchObject({ id: batch.id, attempt: 2 });
  const woken = (await readLog(admin, 'one')).filter(({ type }) => type === 'run.woken');
  expect(woken).toHaveLength(1);
  expect(await getRun(admin, asleep.id)).toMatchObject({ status: 'running', version: asleep.version + 1 });
});

test('[RU1][RU14] kill -9 while a run waits for an answer: the answer continues it, and the wait for the turn ends', async () => {
  const first = await startWithThread();
  const batch = await claimFor(first.admin);
  const run = await begun(first.admin, batch);
  const question = { title: 'Deploy?', options: ['yes', 'no'], run: { id: run.id } };
  const { body: asked } = await first.admin.post('/v1/threads/one/interactions', question);
  const waitingFor = [{ type: 'interaction', interactionId: asked.id }];
  await advanced(first.admin, run, { status: 'waiting', waitingFor });
  await complete(first.admin, batch);
  await kill(first);
  const { admin } = await servers.start();
  expect(await turnOf(admin, 'one')).toMatchObject({ isSettled: true, run: { status: 'waiting', waitingFor } });
  await admin.post(`/v1/interactions/${asked.id}/answers`, { values: { choice: 'yes' } });
  const turn = turnOf(admin, 'one');
  const done = await work(admin, { status: 'completed' });
  expect(await turn).toEqual({ isSettled: true, run: done });
  expect(await claim(admin, { agents: [helper], waitMs: 0 })).toEqual([]);
});
