/** Runs of three nodes on one database: any of them begins, advances, wakes and waits, and none does it twice. */
import type { Run } from '@holdpoint/protocol';
import { expect, onTestFinished, test } from 'vitest';
import type { Client } from '../../client.ts';
import { claim, complete, say, settings } from '../../http/dispatch/dispatcher.ts';
import {
  advance,
  advanced,
  begin,
  begun,
  claimFor,
  getRun,
  helper,
  turnOf,
  work,
} from '../../http/dispatch/run-worker.ts';
import { readLog } from '../../read-everything.ts';
import { startTestServer, type TestServer } from '../../test-server.ts';
import { newDatabasePlace } from '../database-place.ts';

async function startNodes(): Promise<{ nodes: TestServer[]; callers: [Client, Client, Client] }> {
  const place = await newDatabasePlace();
  const nodes = await Promise.all(Array.from({ length: 3 }, () => startTestServer({ place })));
  onTestFinished(async () => {
    await Promise.all(nodes.map((node) => node.stop()));
    await place[Symbol.asyncDispose]();
  });
  const callers = nodes.map(({ admin }) => admin) as [Client, Client, Client];
  await settings(callers[0], { debounceMs: 0, from: 'start' });
  return { nodes, callers };
}

test('[RU14][N2] a wait for a turn at one node sees the work of a worker at another, across an answer', async () => {
  const { callers } = await startNodes();
  const [one, two, three] = callers;
  await one.post('/v1/threads', { id: 'one', agent: helper });
  await say(one, 'one', 'Hello');
  const first = turnOf(three, 'one');
  const batch = await claimFor(two);
  const run = await begun(two, batch);
  const { body: asked } = await two.post('/v1/threads/one/interactions', { title: 'Name?' });
  const waitingFor = [{ type: 'interaction', interactionId: asked.id }];
  const waiting = await advanced(one, run, { status: 'waiting', waitingFor });
  await complete(two, batch);
  expect(await first).toEqual({ isSettled: true, run: waiting });
  await three.post(`/v1/interactions/${asked.id}/answers`, { values: { text: 'Ada' } });
  const second = turnOf(one, 'one');
  const done = await work(two, { status: 'completed' });
  expect(await second).toEqual({ isSettled: true, run: done });
});

test('[RU8][RU3] of workers at three nodes that advance the same run, one continues at a time', async () => {
  const { callers } = await startNodes();
  const [one] = callers;
  await one.post('/v1/threads', { id: 'one', agent: helper });
  await say(one, 'one', 'Hello');
  const batch = await claimFor(one);
  const replies = await Promise.all([...callers, ...callers].map((caller) => begin(caller, batch)));
  const ids = new Set(replies.map(({ body }) => body.run?.id));
  expect(ids.size).toBe(1);
  const versions = replies.map(({ body }) => body.run?.version ?? 0);
  expect(versions.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6]);
  const run = await getRun(one, [...ids][0] ?? '');
  const advances = await Promise.all([...callers, ...callers].map((caller) => advance(caller, run, {})));
  expect(advances.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409, 409]);
});

test('[RU10][N3] many that sleep until the same time under three nodes are woken once each', async () => {
  const { nodes, callers } = await startNodes();
  const [one, two] = callers;
  const count = 60;
  const until = new Date(Date.now() + 3_600_000).toISOString();
  const threads = Array.from({ length: count }, (_, n) => `thread-${n}`);
  await Promise.all(threads.map((id) => one.post('/v1/threads', { id, agent: helper })));
  await Promise.all(threads.map((id) => say(two, id, 'Hello')));
  const asleep: Run[] = [];
  while (asleep.length < count)
    for (const batch of await claim(one, { agents: [helper], limit: 50, waitMs: 30_000 })) {
      const run = await begun(two, batch);
      asleep.push(await advanced(one, run, { status: 'waiting', waitingFor: [{ type: 'time', until }] }));
      await complete(two, batch);
    }
  for (const { clock } of nodes) clock.offsetMs += 3_600_000;
  const woken = new Set<string>();
  while (woken.size < count)
    for (const caller of callers)
      for (const batch of await claim(caller, { agents: [helper], limit: 50, waitMs: 1_000 })) {
        expect(batch.inputs.map(({ type }) => type)).toEqual(['wake']);
        expect(woken.has(batch.threadId)).toBe(false);
        woken.add(batch.threadId);
        await advanced(caller, await begun(caller, batch), { status: 'completed' });
        await complete(caller, batch);
      }
  for (const id of threads) expect((await readLog(one, id)).filter(({ type }) => type === 'run.woken')).toHaveLength(1);
  expect(await claim(one, { agents: [helper], waitMs: 0 })).toEqual([]);
});
