import type { Batch } from '@holdpoint/protocol';
import { expect, onTestFinished, test } from 'vitest';
import { queueTimerKind } from '../../domain/dispatch/thread-queue.ts';
import type { WantedBatches } from '../../operations/context.ts';
import type { Claim } from '../../stores/store.ts';
import { ClaimQueue } from './claim-queue.ts';

/** A store in which queues fall due when the test says so, and a claim queue before it. */
function openClaimQueue() {
  const due: Claim[] = [];
  const calls = { claimDue: 0, givenBack: [] as string[], leased: [] as string[], freed: [] as string[] };
  const listeners = new Set<() => void>();
  const faults: unknown[] = [];
  const held: { isAway: boolean; leasing: Promise<void>; looking: Record<string, Promise<void>> } = {
    ...{ isAway: false, leasing: Promise.resolve(), looking: {} },
  };
  const claimQueue = new ClaimQueue({
    store: {
      claimDue: async ({ kind, limit }) => {
        calls.claimDue++;
        if (held.isAway) throw new Error('away');
        await held.looking[kind];
        const found = due.filter((claim) => claim.kind === kind).slice(0, limit);
        for (const claim of found) due.splice(due.indexOf(claim), 1);
        return found;
      },
      moveClaims: async ({ claims }) => {
        calls.freed.push(...claims.map(({ id }) => id));
        return [...claims];
      },
      nextDueAt: async () => undefined,
      onWritten: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    clock: { now: () => 0 },
    lease: async ({ id }, { workerId }) => {
      await held.leasing;
      if (id.startsWith('taken')) return undefined;
      calls.leased.push(`${id} by ${workerId}`);
      return { id, threadId: id } as Batch;
    },
    giveBack: async ({ batchId }) => void calls.givenBack.push(batchId),
    onError: (error) => faults.push(error),
  });
  onTestFinished(() => claimQueue.close());
  const claim = (workerId: string, more: Partial<WantedBatches> = {}) =>
    claimQueue.claim({ orgId: 'one', workerId, leaseMs: 1_000, waitMs: 60_000, limit: 1, ...more });
  const fallDueFor = (agent: string | undefined, ...ids: string[]) => {
    due.push(...ids.map((id): Claim => ({ kind: queueTimerKind(agent), orgId: 'one', id, until: 5_000 })));
    for (const listener of listeners) listener();
  };
  const fallDue = (...ids: string[]) => fallDueFor(undefined, ...ids);
  return { claimQueue, claim, fallDue, fallDueFor, calls, faults, held };
}

const ids = (batches: readonly Batch[]) => batches.map(({ id }) => id);
const turns = async (count = 20) => {
  for (let n = 0; n < count; n++) await new Promise((resolve) => setImmediate(resolve));
};

test('[DI11] one look serves a crowd, each in its turn', async () => {
  const { claim, fallDue, calls } = openClaimQueue();
  const waiting = Array.from({ length: 100 }, (_, index) => claim(`worker ${index}`));
  await turns();
  expect(calls.claimDue).toBeLessThanOrEqual(2);
  const before = calls.claimDue;
  fallDue(...Array.from({ length: 100 }, (_, index) => `queue ${index}`));
  // Woken by the write, not by a clock.
  await turns();
  expect(calls.leased).toHaveLength(100);
  expect((await Promise.all(waiting)).map(ids)).toEqual(Array.from({ length: 100 }, (_, index) => [`queue ${index}`]));
  expect(calls.claimDue - before).toBeLessThanOrEqual(2);
});

test('[DI11] every caller gets one before any gets two', async () => {
  const { claim, fallDue } = openClaimQueue();
  const waiting = [claim('ann', { limit: 3 }), claim('ben', { limit: 2 }), claim('cy')];
  await turns();
  fallDue('a', 'b', 'c', 'd', 'e');
  const [ann, ben, cy] = (await Promise.all(waiting)).map(ids);
  expect({ ann, ben, cy }).toEqual({ ann: ['a', 'd'], ben: ['b', 'e'], cy: ['c'] });
});

test('[DI11] a caller whose lease failed keeps waiting, and is served next', async () => {
  const { claim, fallDue } = openClaimQueue();
  const waiting = claim('ann');
  fallDue('taken by another');
  await turns();
  fallDue('a');
  expect(ids(await waiting)).toEqual(['a']);
});

test('[DI11] a batch that was leased for a caller that hung up is given back', async () => {
  const { claim, fallDue, calls, held } = openClaimQueue();
  let lease = () => {};
  held.leasing = new Promise((resolve) => {
    lease = resolve;
  });
  const gone = new AbortController();
  const waiting = claim('ann', { signal: gone.signal });
  fallDue('a');
  await turns();
  gone.abort();
  lease();
  expect(await waiting).toEqual([]);
  expect(calls.givenBack).toEqual(['a']);
});

test('[DI11] a queue that was found for a caller that left meanwhile is free at once', async () => {
  const { claimQueue, claim, fallDue, calls } = openClaimQueue();
  const waiting = claim('ann', { waitMs: 60_000 });
  fallDue('a');
  // Between the look for it and the finding of the queue.
  setImmediate(() => setImmediate(() => claimQueue.close()));
  const batches = await waiting;
  await turns();
  expect([...ids(batches), ...calls.freed]).toEqual(['a']);
});

test('[DI11][N4] callers keep waiting while the store is unavailable', async () => {
  const { claim, fallDue, faults, held } = openClaimQueue();
  held.isAway = true;
  const waiting = claim('ann');
  await turns();
  expect(faults.length).toBeGreaterThan(0);
  held.isAway = false;
  fallDue('a');
  expect(ids(await waiting)).toEqual(['a']);
});

test('[DI11] a claim that does not wait gets the ready batches', async () => {
  const { claim, fallDue } = openClaimQueue();
  fallDue('a');
  expect(ids(await claim('ann', { waitMs: 0 }))).toEqual(['a']);
  expect(await claim('ann', { waitMs: 0 })).toEqual([]);
});

test('[DI11] closing ends every claim, also later ones', async () => {
  const { claimQueue, claim } = openClaimQueue();
  const waiting = claim('ann');
  await turns();
  claimQueue.close();
  expect(await waiting).toEqual([]);
  expect(await claim('ben')).toEqual([]);
});

test('[RU4] a claim for several agents gets a batch of the first that has one, and of no other agent', async () => {
  const { claim, fallDue, fallDueFor } = openClaimQueue();
  const waiting = claim('ann', { agents: ['a', 'b'] });
  await turns();
  fallDue('of nobody');
  fallDueFor('c', 'of another');
  fallDueFor('b', 'mine');
  expect(ids(await waiting)).toEqual(['mine']);
});

test('[RU4] a claim for many agents gets at most its limit, and nothing is lost', async () => {
  const { claim, fallDueFor, calls } = openClaimQueue();
  const all = ['a1', 'a2', 'a3', 'b1', 'b2', 'b3'];
  fallDueFor('a', 'a1', 'a2', 'a3');
  fallDueFor('b', 'b1', 'b2', 'b3');
  const served: string[][] = [];
  while (served.flat().length + calls.freed.length < all.length) {
    served.push(ids(await claim('ann', { agents: ['a', 'b'], limit: 2 })));
    await turns();
  }
  expect([...served.flat(), ...calls.freed].toSorted()).toEqual(all);
  for (const got of served) {
    expect(got.length).toBeLessThanOrEqual(2);
    expect(new Set(got.map(([agent]) => agent)).size).toBe(1);
  }
});

test('[RU4] a claim for several agents that does not wait gets the ready batches of any of them', async () => {
  const { claim, fallDueFor } = openClaimQueue();
  fallDueFor('c', 'last');
  fallDueFor('a', 'taken by another');
  expect(ids(await claim('ann', { agents: ['a', 'b', 'c'], waitMs: 0 }))).toEqual(['last']);
  expect(await claim('ann', { agents: ['a', 'b', 'c'], waitMs: 0 })).toEqual([]);
});

test('[RU4] every poller looks for a claim that does not wait, even if one poller is slow', async () => {
  const { claim, fallDueFor, held } = openClaimQueue();
  let look = () => {};
  held.looking[queueTimerKind('b')] = new Promise((resolve) => {
    look = resolve;
  });
  fallDueFor('b', 'mine');
  const timeIsUp = new Promise((resolve) => setTimeout(resolve, 1));
  const waiting = claim('ann', { agents: ['a', 'b'], waitMs: 0 });
  await timeIsUp;
  await turns();
  fallDueFor('nobody', 'something else');
  await turns();
  look();
  expect(ids(await waiting)).toEqual(['mine']);
});

test('[RU4] one look serves a crowd that waits for the same agents', async () => {
  const { claim, fallDueFor, calls } = openClaimQueue();
  const waiting = Array.from({ length: 50 }, (_, index) => claim(`worker ${index}`, { agents: ['a', 'b'] }));
  await turns();
  const before = calls.claimDue;
  fallDueFor('a', ...Array.from({ length: 50 }, (_, index) => `queue ${index}`));
  await turns();
  expect(calls.leased).toHaveLength(50);
  await Promise.all(waiting);
  expect(calls.claimDue - before).toBeLessThanOrEqual(4);
});
