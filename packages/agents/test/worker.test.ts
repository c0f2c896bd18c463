/** What a worker tells the service of the batches it has claimed. */
import type { Batch, HoldpointService, Run } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import { agent } from '../src/agent.ts';
import { runAgents } from '../src/worker/run-agents.ts';
import { MemoryService } from './memory-service.ts';

type Told = [verb: string, input: Record<string, unknown>];

/** Hands out a batch for each of so many claims, and then none. */
function batchesOf(memory: MemoryService, count: number) {
  const told: Told[] = [];
  let claims = 0;
  const tell = (verb: string) => async (input: object) => void told.push([verb, { ...input }]);
  const service = {
    ...memory.service,
    claimBatches: async ({ workerId, signal }: Parameters<HoldpointService['claimBatches']>[0]) => {
      const attempt = ++claims;
      if (attempt <= count) return { data: [{ id: 'b', threadId: 't', workerId, attempt } as Batch] };
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('stopped'))));
    },
    beginRun: async (lease: { workerId: string }): Promise<{ run?: Run }> => {
      told.push(['begin', lease]);
      return { run: memory.resume() };
    },
    completeBatch: tell('complete'),
    failBatch: tell('fail'),
    heartbeatBatch: async () => ({ leasedUntil: '' }),
  } as unknown as HoldpointService;
  return { service, told };
}

test('[DA10] the run of a worker that stops is released, which is no failed attempt', async () => {
  const memory = new MemoryService();
  const { service, told } = batchesOf(memory, 1);
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
  expect(told).toMatchObject([
    ['begin', {}],
    ['fail', { released: true, reason: 'The worker stops.' }],
  ]);
});

test('[DA10] the run of a worker that is cut off after two seconds is released as well', async () => {
  const { service, told } = batchesOf(new MemoryService(), 1);
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
  expect(told).toMatchObject([
    ['begin', {}],
    ['fail', { released: true }],
  ]);
});

test('[DA10] a run that a worker could not save is a failed attempt', async () => {
  const { service, told } = batchesOf(new MemoryService(), 1);
  const away = () => Promise.reject(new Error('The service is away.'));
  const errors: unknown[] = [];
  const worker = runAgents({
    service: { ...service, advanceRun: away },
    agents: [agent('a', async () => 1)],
    onError: (error) => errors.push(error),
  });
  await expect.poll(() => told).toHaveLength(2);
  await worker.stop();
  expect(told[1]).toEqual(['fail', expect.not.objectContaining({ released: true })]);
  expect(errors).toHaveLength(1);
});

test('[DA10] each claim is by a name of its own, so that a worker that lost a batch cannot end its later attempt', async () => {
  const { service, told } = batchesOf(new MemoryService(), 2);
  const beginRun: HoldpointService['beginRun'] = async (lease) => {
    await service.beginRun(lease);
    return {};
  };
  const worker = runAgents({ service: { ...service, beginRun }, agents: [agent('a', async () => 1)], workerId: 'w' });
  await expect.poll(() => told.filter(([verb]) => verb === 'complete')).toHaveLength(2);
  await worker.stop();
  const names = (verb: string) => told.filter(([each]) => each === verb).map(([, { workerId }]) => workerId);
  expect(new Set(names('begin')).size).toBe(2);
  expect(names('complete').sort()).toEqual(names('begin').sort());
});
