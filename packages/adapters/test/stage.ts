/** The real server, a thread of its own, and a model, for one test. */
import { Holdpoint } from '@holdpoint/client';
import type { Interaction } from '@holdpoint/protocol';
import { expect } from 'vitest';
import { startFakeModel } from './fake-model.ts';
import { adminKey, processesOfATest } from './spawned.ts';

/** A process may take long to start on a busy machine. */
export const patience = { timeout: 120_000 };

/** Once for each file or suite. */
export function stageOfATest() {
  const processes = processesOfATest();
  return async function openStage() {
    const server = await processes.serverUrl();
    const model = await startFakeModel();
    const hp = new Holdpoint({ url: server, key: adminKey });
    const thread = await hp.createThread({});
    const everything = async () => (await hp.listInteractions({ threadId: thread.id, order: 'oldest' })).data;
    return {
      processes,
      server,
      model,
      hp,
      thread,
      everything,
      /** All of them, once so many are asked. */
      async asked(count: number): Promise<Interaction[]> {
        await expect.poll(async () => (await everything()).length, patience).toBe(count);
        return everything();
      },
      [Symbol.asyncDispose]: () => model[Symbol.asyncDispose](),
    };
  };
}
