/** Waiting runs: the memory of many runs in a server that has just started, and the delay until one continues after its answer. */
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { BenchStore, Place } from './bench-store.ts';
import { residentKb } from './process-usage.ts';
import { benchKey } from './request-bytes.ts';
import { percentile, type Row } from './rows.ts';
import { type Spawned, spawnHoldpoint } from './spawn-server.ts';

export interface WaitingRuns {
  count: number;
  memoryMb: number;
  memoryMbOfNone: number;
  /** From the return of the call that answers to the next line of the function. */
  resumeMs: { p50: number; p99: number };
}

interface RunsPlan {
  waiting: number;
  resumed: number;
}

const clients = 32;
const agentFile = fileURLToPath(new URL('./waiting-agent.ts', import.meta.url));
const spawnWithAgent = (place: Place) => spawnHoldpoint(place, ['--agent', agentFile]);

export async function measureRuns(store: BenchStore, plan: RunsPlan): Promise<{ runs: WaitingRuns; row: Row }> {
  const [full, none] = [await store.emptyPlace(), await store.emptyPlace()];
  await makeWaiting(full, plan.waiting);
  const memoryMbOfNone = await freshMemoryMb(none);
  const memoryMb = await freshMemoryMb(full);
  const server = await spawnWithAgent(full);
  const times = await resume(server, plan.resumed);
  await server.stop();
  for (const place of [full, none]) await place.remove();
  const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)];
  const { waiting: count } = plan;
  return {
    runs: { count, memoryMb, memoryMbOfNone, resumeMs: { p50, p99 } },
    row: { operation: 'answer → next line', clients: 1, stored: count, p50Ms: p50, p99Ms: p99, memoryMb },
  };
}

async function makeWaiting(place: Place, count: number): Promise<void> {
  const server = await spawnWithAgent(place);
  let left = count;
  const client = async () => {
    while (left-- > 0) {
      const { id } = await call<{ id: string }>(server, '/v1/threads', { agent: 'waiting' });
      await call(server, `/v1/threads/${id}/messages`, { text: 'Go', role: 'user' });
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const waiting = () => call<{ data: unknown[] }>(server, '/v1/runs?status=running&limit=1');
  const asked = () => call<{ count: number }>(server, '/v1/interactions/count?status=pending');
  while ((await asked()).count < count || (await waiting()).data.length > 0) await sleep(200);
  await server.stop();
}

/** A server that has started and is idle. */
async function freshMemoryMb(place: Place): Promise<number> {
  const server = await spawnWithAgent(place);
  await sleep(3_000);
  const kb = await residentKb(server.pid);
  await server.stop();
  return kb / 1024;
}

async function resume(server: Spawned, count: number): Promise<number[]> {
  const { data } = await call<{ data: { id: string; threadId: string }[] }>(
    server,
    `/v1/interactions?status=pending&limit=${count}`,
  );
  const times: number[] = [];
  for (const { id, threadId } of data) {
    await call(server, `/v1/interactions/${id}/answers`, { values: { reply: 'yes' } });
    const answeredMs = Number(process.hrtime.bigint()) / 1e6;
    const { run } = await call<{ run: { result: { wentOnMs: number } } }>(server, `/v1/threads/${threadId}/turn`);
    times.push(run.result.wentOnMs - answeredMs);
  }
  return times;
}

async function call<T>({ port }: Spawned, path: string, body?: object): Promise<T> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { authorization: `Bearer ${benchKey}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
  });
  if (!response.ok) throw new Error(`${path} was refused: ${await response.text()}`);
  return (await response.json()) as T;
}
