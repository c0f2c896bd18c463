import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { HoldpointService } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import type { RouteInput } from '../../routes/route.ts';
import { chatRequests } from './routes.ts';

const page = readFileSync(new URL('../../../../../docs/dialects/chat-requests.md', import.meta.url), 'utf8');

test('the page lists every call, and no other', () => {
  const { routes, stream, documents = {} } = chatRequests;
  const calls = routes.map(({ method, path }) => `${method} ${path}`);
  const read = [stream?.path, ...Object.keys(documents)].map((path) => `GET ${path}`);
  const listed = [...page.matchAll(/^\| `((?:GET|POST|PATCH|DELETE) \S+)` \|/gm)].map(([, call]) => call);
  expect(listed.toSorted(), 'the table of docs/dialects/chat-requests.md').toEqual([...calls, ...read].toSorted());
});

/** Returns the input that the verb gets. */
async function called(verb: keyof HoldpointService, path: string, body: object): Promise<unknown> {
  const given: unknown[] = [];
  const service = { [verb]: async (input: object) => given.push(input) && { data: [] } } as unknown as HoldpointService;
  const input = { params: {}, query: {}, body, write: {}, signal: () => undefined };
  const route = chatRequests.routes.find((one) => one.path === `/api/v1/dispatch/${path}`);
  await route?.handle(service, input as unknown as RouteInput<unknown, unknown, unknown>);
  return given[0];
}

test('a number that is out of bounds is the nearest that is not', async () => {
  const many = { workerId: 'w', limit: 999, leaseMs: 0, waitMs: 1e9 };
  expect(await called('claimBatches', 'claim-many', many)).toMatchObject({ limit: 50, leaseMs: 1_000, waitMs: 60_000 });
  expect(await called('claimBatches', 'claim-many', { workerId: 'w' })).toEqual({ workerId: 'w', limit: 10 });
  expect(await called('claimBatches', 'claim', many)).toMatchObject({ limit: 1 });
  const long = { workerId: 'w', extendMs: 1e9 };
  expect(await called('heartbeatBatch', ':batchId/heartbeat', long)).toEqual({ workerId: 'w', extendMs: 3_600_000 });
  const fail = { workerId: 'w', reason: 'x'.repeat(3_000), retryable: true, retryDelayMs: 1e9 };
  const failed = { reason: 'x'.repeat(2_000), retryDelayMs: 3_600_000, retryable: true };
  expect(await called('failBatch', ':batchId/fail', fail)).toMatchObject(failed);
});

test('a list of chats is loaded a few at a time, and other calls get a turn in between', async () => {
  const at = '2030-01-01T00:00:00.000Z';
  const threads = Array.from({ length: 25 }, (_, n) => ({ id: `${n}`, createdAt: at, updatedAt: at, version: 1 }));
  const turns: number[] = [];
  const limits = new Set<number>();
  let turn = 0;
  const service = {
    listThreads: async () => ({ data: threads }),
    countInteractions: async () => ({ count: 0 }),
    listMessages: async ({ limit }: { limit: number }) => {
      limits.add(limit);
      turns[turn] = (turns[turn] ?? 0) + 1;
      return { data: [] };
    },
  } as unknown as HoldpointService;
  const input = { params: {}, query: { limit: 100 }, write: {} } as unknown as RouteInput<unknown, unknown, unknown>;
  const route = chatRequests.routes.find(({ method, path }) => method === 'GET' && path === '/api/v1/chats');
  let isDone = false;
  const others = (async () => {
    for (; !isDone; turn++) await setImmediate();
  })();
  const list = (await route?.handle(service, input)) as { data: object[] };
  isDone = true;
  await others;
  expect(list.data).toHaveLength(25);
  expect(turns.filter(Boolean)).toEqual([10, 10, 5]);
  expect([...limits]).toEqual([10]);
});
