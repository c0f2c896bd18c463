/** Deadlines: the cost of many while none is due, and the delay until a thousand with the same time have fired. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchStore } from './bench-store.ts';
import { Connection } from './connection.ts';
import { processorMs } from './process-usage.ts';
import { benchKey, createDue, createThread } from './request-bytes.ts';
import { percentile, type Row } from './rows.ts';
import { type Spawned, spawnHoldpoint } from './spawn-server.ts';

export interface TimerCosts {
  pending: number;
  /** Processor time per second, for each of the two servers. */
  idleMs: number;
  idleMsOfNone: number;
  due: number;
  lastFiredMs: number;
}

interface TimerPlan {
  pending: number;
  idleForMs: number;
  due: number;
}

const connections = 64;
const yearMs = 31_536_000_000;
/** Time until the deadlines. By then the server has stored all questions and is idle. */
const aheadMs = 6_000;

export async function measureTimers(store: BenchStore, plan: TimerPlan): Promise<{ costs: TimerCosts; row: Row }> {
  const places = [await store.emptyPlace(), await store.emptyPlace()];
  const [full, none] = (await Promise.all(places.map((place) => spawnHoldpoint(place)))) as [Spawned, Spawned];
  const threadId = await newThread(full);
  await ask(full, threadId, plan.pending, Date.now() + yearMs);
  const [idleMs, idleMsOfNone] = (await idle([full, none], plan.idleForMs)) as [number, number];
  const lags = await firedAfter(full, threadId, plan.due);
  await Promise.all([full, none].map((server) => server.stop()));
  for (const place of places) await place.remove();
  const { pending, due } = plan;
  return {
    costs: { pending, idleMs, idleMsOfNone, due, lastFiredMs: Math.max(...lags) },
    row: {
      operation: 'deadline comes → fired, all at once',
      clients: due,
      stored: pending,
      p50Ms: percentile(lags, 0.5),
      p99Ms: percentile(lags, 0.99),
    },
  };
}

async function newThread({ port }: Spawned): Promise<string> {
  const connection = await Connection.open(port);
  const { id } = JSON.parse(await connection.ask(createThread(), 201)) as { id: string };
  connection.close();
  return id;
}

async function ask({ port }: Spawned, threadId: string, count: number, dueAt: number): Promise<void> {
  const request = createDue(threadId, new Date(dueAt).toISOString());
  let left = count;
  const client = async () => {
    const connection = await Connection.open(port);
    while (left-- > 0) await connection.ask(request, 201);
    connection.close();
  };
  await Promise.all(Array.from({ length: connections }, client));
}

/** Measures both in the same seconds, so that other load on the machine affects both alike. */
async function idle(servers: readonly Spawned[], forMs: number): Promise<number[]> {
  // Work left over from the creates, such as a checkpoint, is not a cost of waiting.
  await sleep(5_000);
  const before = servers.map(({ pid }) => processorMs(pid));
  await sleep(forMs);
  return servers.map(({ pid }, index) => ((processorMs(pid) - (before[index] ?? 0)) / forMs) * 1_000);
}

async function firedAfter(server: Spawned, threadId: string, count: number): Promise<number[]> {
  const dueAt = Date.now() + aheadMs;
  const lags: number[] = [];
  const stop = new AbortController();
  const stream = await fetch(`http://127.0.0.1:${server.port}/v1/events?types=interaction.expired`, {
    headers: { authorization: `Bearer ${benchKey}` },
    signal: stop.signal,
  });
  if (!stream.ok || !stream.body) throw new Error(`the stream was refused: ${stream.status} ${await stream.text()}`);
  await ask(server, threadId, count, dueAt);
  if (Date.now() >= dueAt) throw new Error('asking took longer than the deadline is ahead');
  for await (const chunk of stream.body.pipeThrough(new TextDecoderStream())) {
    const fired = chunk.match(/^data: /gm)?.length ?? 0;
    lags.push(...Array.from({ length: fired }, () => Date.now() - dueAt));
    if (lags.length >= count) break;
  }
  stop.abort();
  return lags;
}
