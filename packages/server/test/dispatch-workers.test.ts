/** Many workers on many threads, at one server or at three that share a database. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Batch } from '@holdpoint/protocol';
import { expect, inject, test } from 'vitest';
import { claim, complete, say, settings } from './http/dispatch/dispatcher.ts';
import { serversOfATest } from './servers-of-a-test.ts';
import type { SpawnedServer } from './spawned-server.ts';

const servers = serversOfATest();
const threadCount = 1_000;
const saidPerThread = 3;
const workerCount = 20;
const dyingWorkers = 5;
const nodeCount = inject('store') === 'postgres' ? 3 : 1;

/** The state that all workers have seen together. */
class Watched {
  readonly seen = new Map<string, number[]>();
  readonly faults: string[] = [];
  /** Batches of workers that died, until another worker has claimed them. */
  readonly orphans = new Map<string, Batch>();
  takenOver = 0;
  readonly #leased = new Map<string, Batch>();

  begin(batch: Batch): void {
    const other = this.#leased.get(batch.threadId);
    const orphan = this.orphans.get(batch.id);
    if (other) this.faults.push(`${batch.threadId} is leased to ${other.workerId} and to ${batch.workerId}`);
    this.#leased.set(batch.threadId, batch);
    const seqs = batch.inputs.map(({ seq }) => seq);
    if (orphan) {
      if (Date.now() < Date.parse(orphan.leasedUntil)) this.faults.push(`${batch.id} was taken before its lease ended`);
      if (`${seqs}` !== `${orphan.inputs.map(({ seq }) => seq)}`) this.faults.push(`${batch.id} has other inputs now`);
      this.orphans.delete(batch.id);
      this.takenOver++;
    } else this.seen.set(batch.threadId, [...(this.seen.get(batch.threadId) ?? []), ...seqs]);
  }

  /** Call it before the batch is completed, because another worker may claim the thread right after that. */
  end(batch: Batch): void {
    this.#leased.delete(batch.threadId);
  }

  die(batch: Batch): void {
    this.end(batch);
    this.orphans.set(batch.id, batch);
  }

  count(): number {
    return [...this.seen.values()].reduce((sum, seqs) => sum + seqs.length, 0);
  }
}

test('[DI2][DI5][DI10][N1] 20 workers on 1,000 threads: never two leases in a thread, every input in order, and dead workers are replaced', {
  timeout: 600_000,
}, async () => {
  const nodes = await Promise.all(Array.from({ length: nodeCount }, () => servers.start()));
  const node = (index: number) => nodes[index % nodes.length] as SpawnedServer;
  const threads = Array.from({ length: threadCount }, (_, index) => `thread-${index}`);
  await Promise.all(threads.map((id, index) => node(index).admin.post('/v1/threads', { id })));
  await settings(node(0).admin, { debounceMs: 20, from: 'start' });

  const watched = new Watched();
  const expected = threadCount * saidPerThread;
  const isOver = () => watched.count() >= expected && watched.orphans.size === 0;
  const work = async (index: number) => {
    const { admin } = node(index);
    let isMortal = index < dyingWorkers;
    for (let life = 0; !isOver(); life++) {
      const workerId = `worker-${index}-${life}`;
      const leaseMs = isMortal ? 2_000 : 60_000;
      const batches = await claim(admin, { workerId, leaseMs, limit: 1 + (index % 4), waitMs: 500 });
      for (const batch of batches) watched.begin(batch);
      // The work takes a while, in which others could get the same thread.
      await pause(Math.random() * 10);
      for (const batch of batches) {
        if (isMortal) watched.die(batch);
        else {
          watched.end(batch);
          expect((await complete(admin, batch)).status).toBe(200);
        }
      }
      if (batches.length > 0) isMortal = false;
    }
  };
  const saying = async () => {
    for (let round = 0; round < saidPerThread; round++)
      for (let from = 0; from < threadCount; from += 50)
        await Promise.all(threads.slice(from, from + 50).map((id, index) => say(node(index).admin, id, `${round}`)));
  };
  await Promise.all([saying(), ...Array.from({ length: workerCount }, (_, index) => work(index))]);

  expect(watched.faults).toEqual([]);
  expect(watched.takenOver).toBeGreaterThanOrEqual(dyingWorkers);
  // thread.created is the first of each log.
  const inOrder = Array.from({ length: saidPerThread }, (_, index) => index + 2);
  expect([...watched.seen.keys()].sort()).toEqual([...threads].sort());
  for (const [id, seqs] of watched.seen) expect(seqs, id).toEqual(inOrder);
});
