/** The calls of a worker for the batches that it has claimed. */
import type { Batch, HoldpointService, Run } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import { agent } from '../src/agent.ts';
import { runAgents } from '../src/worker/run-agents.ts';
import { MemoryService } from './memory-service.ts';

type Call = [verb: string, input: Record<string, unknown>];

/** Hands out a batch for each of so many claims, and then none. */
function batchesOf(memory: MemoryService, count: number) {
  const calls: Call[] = [];
  let claims = 0;
  const record = (verb: string) => async (input: object) => void calls.push([verb, { ...input }]);
  const service = {
    ...memory.service,
    claimBatches: async ({ workerId, signal }: Parameters<HoldpointService['claimBatches']>[0]) => {
      const attempt = ++claims;
      if (attempt <= count) return { data: [{ id: 'b', threadId: 't', workerId, attempt } as Batch] };
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('stopped'))));
    },
    beginRun: async (lease: { workerId: string }): Promise<{ run?: Run }> => {
      calls.push(['begin', lease]);
      return { run: memory.resume() };
    },
    completeBatch: record('complete'),
    failBatch: record('fail'),
    heartbeatBatch: async () => ({ leasedUntil: '' }),
  } as unknown as HoldpointService;
  return { service, calls };
}

test('[DA10] the run of a worker that stops is released, which is no failed attempt', async () => {
  const memory = new MemoryService();
  const { service, calls } = batchesOf(memory, 1);
  const begun = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const slow = agent('a', async (ctx) => {
    await ctx.step('slow', () => {
      begun.resolve();
      return go.promise;
    });
    await ctx.say('later');
  });
  const worker = runAgents({ service, agents: [slow] });
  await begun.promise;
  const stopped = worker.stop();
  go.resolve();
  await stopped;
  expect(calls).toMatchObject([
    ['begin', {}],
    ['fail', { released: true, reason: 'The worker stops.' }],
  ]);
});

test('[DA10] the run of a worker that is cut off after two seconds is released as well', async () => {
  const { service, calls } = batchesOf(new MemoryService(), 1);
  const begun = Promise.withResolvers<void>();
  const endless = agent('a', (ctx) =>
    ctx.step('endless', () => {
      begun.resolve();
      return new Promise(() => {});
    }),
  );
  const worker = runAgents({ service, agents: [endless] });
  await begun.promise;
  await worker.stop();
  expect(calls).toMatchObject([
    ['begin', {}],
    ['fail', { released: true }],
  ]);
});

test('[DA10] a run that a worker could not save is a failed attempt', async () => {
  const { service, calls } = batchesOf(new MemoryService(), 1);
  const away = () => Promise.reject(new Error('The service is away.'));
  const errors: unknown[] = [];
  const worker = runAgents({
    service: { ...service, advanceRun: away },
    agents: [agent('a', async () => 1)],
    onError: (error) => errors.push(error),
  });
  await expect.poll(() => calls).toHaveLength(2);
  await worker.stop();
  expect(calls[1]).toEqual(['fail', expect.not.objectContaining({ released: true })]);
  expect(errors).toHaveLength(1);
});

test('[DA10] each claim is by a name of its own, so that a worker that lost a batch cannot end its later attempt', async () => {
  const { service, calls } = batchesOf(new MemoryService(), 2);
  const beginRun: HoldpointService['beginRun'] = async (lease) => {
    await service.beginRun(lease);
    return {};
  };
  const worker = runAgents({ service: { ...service, beginRun }, agents: [agent('a', async () => 1)], workerId: 'w' });
  await expect.poll(() => calls.filter(([verb]) => verb === 'complete')).toHaveLength(2);
  await worker.stop();
  const names = (verb: string) => calls.filter(([each]) => each === verb).map(([, { workerId }]) => workerId);
  expect(new Set(names('begin')).size).toBe(2);
  expect(names('complete').sort()).toEqual(names('begin').sort());
});
