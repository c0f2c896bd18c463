/** A signal may live for longer than what it could end. */
import { expect, test, vi } from 'vitest';
import { Holdpoint, type HoldpointService, input } from '../src/index.ts';

test('[CL6] a call that fails at once leaves nothing at the signal', async () => {
  const createInteraction = () => {
    throw new Error('No promise of this.');
  };
  const service = { createInteraction } as unknown as HoldpointService;
  const hp = new Holdpoint({ service, events: async function* () {} });
  const { signal } = new AbortController();
  const added = vi.spyOn(signal, 'addEventListener');
  const removed = vi.spyOn(signal, 'removeEventListener');
  await expect(hp.ask('t', input(), { signal })).rejects.toThrow('No promise of this.');
  expect(added.mock.calls).toHaveLength(1);
  await expect.poll(() => removed.mock.calls).toEqual(added.mock.calls);
});
