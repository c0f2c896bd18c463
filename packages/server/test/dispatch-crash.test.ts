/** Servers and workers that die at the worst time: every input gets to a worker, and none is tried for ever. */
import { expect, test } from 'vitest';
import { allTakenIn, claim, claimOne, complete, say, settings, texts } from './http/dispatch/dispatcher.ts';
import { serversOfATest } from './servers-of-a-test.ts';
import type { SpawnedServer } from './spawned-server.ts';

const servers = serversOfATest();

async function kill(server: SpawnedServer): Promise<void> {
  servers.running.delete(server);
  await server.kill('SIGKILL');
}

async function startWithThreads(count: number): Promise<{ server: SpawnedServer; threads: string[] }> {
  const server = await servers.start();
  const threads = Array.from({ length: count }, (_, index) => `thread-${index}`);
  await Promise.all(threads.map((id) => server.admin.post('/v1/threads', { id })));
  await settings(server.admin, { debounceMs: 0, from: 'start' });
  await allTakenIn(server.admin);
  return { server, threads };
}

test('[DI10] kill -9 before committed inputs are enqueued: every input gets to a worker', async () => {
  const { server: first, threads } = await startWithThreads(20);
  const said: string[] = [];
  let server = first;
  // At a random time: some inputs are enqueued, some are not yet, and some were never acknowledged.
  for (let round = 0; round < 5; round++) {
    const acknowledged: Promise<void>[] = [];
    for (const id of threads)
      acknowledged.push(say(server.admin, id, `${round}`).then(() => void said.push(`${id} ${round}`)));
    await Promise.race(acknowledged);
    await kill(server);
    await Promise.allSettled(acknowledged);
    server = await servers.start();
  }
  const received: string[] = [];
  const missing = () => said.filter((one) => !received.includes(one));
  while (missing().length > 0)
    for (const batch of await claim(server.admin, { limit: 50, waitMs: 30_000 })) {
      received.push(...texts(batch).map((text) => `${batch.threadId} ${text}`));
      expect((await complete(server.admin, batch)).status).toBe(200);
    }
  for (const id of threads) {
    // A kill after inputs were enqueued and before the cursor was saved enqueues them again, so they come twice.
    const ofThread = [...new Set(received.filter((one) => one.startsWith(`${id} `)))];
    // A message that was not acknowledged may have been committed nevertheless.
    expect(ofThread).toEqual(ofThread.toSorted());
    expect(ofThread).toEqual(expect.arrayContaining(said.filter((one) => one.startsWith(`${id} `))));
  }
});

test('[DI10][DI5] kill -9 between claim and complete: the lease stays, and ends', async () => {
  const { server: first } = await startWithThreads(2);
  await say(first.admin, 'thread-0', 'a');
  await say(first.admin, 'thread-1', 'b');
  const kept = await claimOne(first.admin, { workerId: 'ann', leaseMs: 60_000 });
  const lost = await claimOne(first.admin, { workerId: 'mortal', leaseMs: 2_000 });
  await kill(first);
  const { admin } = await servers.start();
  // Its worker has ended. The other continues with the next server.
  const taken = await claimOne(admin, { workerId: 'ben' });
  expect(taken).toMatchObject({ id: lost.id, attempt: 2, inputs: lost.inputs });
  expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(lost.leasedUntil));
  expect((await complete(admin, lost)).status).toBe(409);
  expect((await complete(admin, taken)).status).toBe(200);
  expect((await complete(admin, kept)).status).toBe(200);
  expect(await claim(admin, { waitMs: 0 })).toEqual([]);
});
