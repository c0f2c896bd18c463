import { fail, type HoldpointService } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import { ask } from '../../domain/asking.fixture.ts';
import { threadOfRun } from './request-codec.ts';
import { agentService } from './routes.ts';

const create = agentService.routes.find(({ method }) => method === 'POST');

/** A service in which somebody makes the thread between two of our calls, or cannot. */
function asking(createThread: HoldpointService['createThread']) {
  const calls: string[] = [];
  const service = {
    createInteraction: async ({ threadId }: { threadId: string }) => {
      calls.push(`ask in ${threadId}`);
      return calls.length === 1 ? fail('thread-not-found', 'There is no such thread.') : ask({});
    },
    createThread: async (input: Parameters<typeof createThread>[0]) => {
      calls.push(`make ${input.id}`);
      return createThread(input);
    },
  } as unknown as HoldpointService;
  const body = { runId: 'r', attemptId: '1', kind: 'approval', prompt: {} };
  const caller = { kind: 'key', orgId: 'org', keyId: 'k', role: 'agent' } as const;
  const signal = () => AbortSignal.abort();
  return { calls, asked: create?.handle(service, { params: {}, query: {}, body, caller, write: {}, signal }) };
}

test('a thread that somebody else has made for the run meanwhile is as good as our own', async () => {
  const { calls, asked } = asking(async () => fail('thread-exists', 'There is one.'));
  expect(await asked).toMatchObject({ code: 0 });
  const id = threadOfRun('r');
  expect(calls).toEqual([`ask in ${id}`, `make ${id}`, `ask in ${id}`]);
});

test('an error of creating the thread is passed on', async () => {
  const { calls, asked } = asking(async () => fail('storage-unavailable', 'No room.'));
  await expect(asked).rejects.toMatchObject({ code: 'storage-unavailable' });
  expect(calls).toHaveLength(2);
});
