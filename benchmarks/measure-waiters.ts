/** Waiters: the delay until a waiter gets its answer, and the memory of ten thousand idle waiters. */
import type { Load } from './load.ts';
import { residentKb } from './process-usage.ts';
import type { Row } from './rows.ts';
import type { Spawned, Subject } from './spawn-server.ts';

export interface WakeTimes {
  stored: number;
  /** Between the two responses, which both follow the commit; negative where the waiter's is first. */
  afterAnswer: { p50: number; p99: number };
  /** From sending the answer: the commit lies within, so this bounds the time from the commit. */
  fromAnswerSent: { p50: number; p99: number };
}

/** Time until the wait is parked and the store is idle after the create. */
const parkMs = 20;

/** One client at low load, which may wait at another node than the one it answers at. */
export async function measureWake(
  load: Load,
  { stored, server, threadIds }: Subject,
  { durationMs, waiter = server }: { durationMs: number; waiter?: Spawned },
): Promise<WakeTimes> {
  const ports = { port: server.port, waiterPort: waiter.port };
  const job = { type: 'cycle', ...ports, clients: 1, threadIds, durationMs, parkMs } as const;
  await load.run({ ...job, durationMs: 1_000 });
  const { afterAnswer, fromAnswerSent } = await load.run(job);
  return { stored, afterAnswer, fromAnswerSent };
}

export interface IdleWaiters {
  count: number;
  kbEach: number;
  totalMb: number;
  wake: WakeTimes;
}

export async function measureIdleWaiters(
  load: Load,
  { stored, server, pendingIds, interactionIds }: Subject,
  { count, woken }: { count: number; woken: number },
): Promise<IdleWaiters> {
  // A server that has worked before: otherwise its first growth would count as the waiters'.
  const get = { type: 'loop', operation: 'get', clients: 64, ids: interactionIds, isOnce: false } as const;
  await load.run({ ...get, port: server.port, durationMs: 3_000 });
  const beforeKb = await residentKb(server.pid);
  const waiting = pendingIds.slice(0, count);
  if (waiting.length < count) throw new Error(`only ${waiting.length} interactions are pending`);
  await load.run({ type: 'hold', port: server.port, interactionIds: waiting });
  const afterKb = await residentKb(server.pid);
  const every = Math.floor(count / woken);
  const { afterAnswer, fromAnswerSent } = await load.run({
    type: 'wake',
    interactionIds: waiting.filter((_id, index) => index % every === 0).slice(0, woken),
  });
  await load.run({ type: 'release' });
  const wake = { stored, afterAnswer, fromAnswerSent };
  return { count, kbEach: (afterKb - beforeKb) / count, totalMb: afterKb / 1024, wake };
}

export const wakeRow = (operation: string, clients: number, { stored, fromAnswerSent }: WakeTimes): Row => ({
  operation,
  clients,
  stored,
  p50Ms: fromAnswerSent.p50,
  p99Ms: fromAnswerSent.p99,
});
