import { fail, type HoldpointService, type Run } from '@holdpoint/protocol';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { beatEvery, leaseMs } from '../src/worker/run-agents.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Counts the beats of two leases, and whether the batch was noticed to be lost. */
async function beat(service: Partial<HoldpointService>) {
  const seen = { beats: 0, lost: 0 };
  const heartbeatBatch: HoldpointService['heartbeatBatch'] = async (input) => {
    seen.beats++;
    return service.heartbeatBatch?.(input) ?? { leasedUntil: '' };
  };
  const getRun = async () => ({}) as Run;
  const beats = beatEvery({
    service: { getRun, ...service, heartbeatBatch } as HoldpointService,
    lease: { batchId: 'b', workerId: 'w' },
    runId: () => 'run',
    onLost: () => {
      seen.lost++;
      beats.stop();
    },
  });
  await vi.advanceTimersByTimeAsync(2 * leaseMs);
  beats.stop();
  await vi.advanceTimersByTimeAsync(2 * leaseMs);
  return seen;
}

test('[DA10] a lease is kept by three heartbeats in its time, until the work is done', async () => {
  expect(await beat({})).toEqual({ beats: 6, lost: 0 });
});

test('[DA10] the work ends when somebody else has the batch, or when the run has ended', async () => {
  expect(await beat({ heartbeatBatch: async () => fail('lease-lost', 'Another has it.') })).toEqual({
    beats: 1,
    lost: 1,
  });
  expect(await beat({ getRun: async () => ({ endedAt: 'now' }) as Run })).toEqual({ beats: 1, lost: 1 });
});

test('[DA10] the work goes on while the service is away', async () => {
  expect(await beat({ heartbeatBatch: async () => fail('busy', 'Not now.') })).toEqual({ beats: 6, lost: 0 });
});
