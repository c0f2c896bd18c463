/** Measures dispatch: batches per second, the delay after an answer, and the cost of old inputs. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchStore, Place } from './bench-store.ts';
import type { Result } from './jobs.ts';
import type { Load } from './load.ts';
import { processorMs } from './process-usage.ts';
import { benchKey } from './request-bytes.ts';
import { median, type Row } from './rows.ts';
import { seedInputs } from './seed-inputs.ts';
import { type Spawned, spawnHoldpoint } from './spawn-server.ts';

const workers = 20;
const threads = 1_000;
/** More than the workers take in a round, so that they never wait. */
const perRoundAndMs = 8;

interface DispatchPlan {
  past: readonly number[];
  rounds: number;
  durationMs: number;
  warmUpMs: number;
  wakeMs: number;
}

interface Subject {
  past: number;
  place: Place;
  server: Spawned;
  threadIds: string[];
  worked: (Result & { processorUs: number })[];
}

export async function measureDispatch(store: BenchStore, load: Load, plan: DispatchPlan): Promise<Row[]> {
  const subjects: Subject[] = [];
  for (const past of plan.past) subjects.push(await open(store, load, past));
  for (const subject of subjects) await work(load, subject, plan.warmUpMs);
  for (let round = 0; round < plan.rounds; round++)
    for (const subject of subjects) subject.worked.push(await work(load, subject, plan.durationMs));
  const rows: Row[] = [];
  for (const subject of subjects) rows.push(workRow(subject), await answerRow(load, subject, plan.wakeMs));
  for (const { server, place } of subjects) {
    await server.stop();
    await place.remove();
  }
  return rows.toSorted((a, b) => b.operation.localeCompare(a.operation));
}

/** Workers have completed all of its old inputs. */
async function open(store: BenchStore, load: Load, past: number): Promise<Subject> {
  const place = await store.emptyPlace();
  const threadIds = await seedInputs(place, { inputs: past, threads });
  const server = await spawnHoldpoint(place);
  await settings(server, { mode: 'batched_sequential', debounceMs: 0, from: 'start' });
  await load.run({ type: 'work', port: server.port, workers, durationMs: Number.POSITIVE_INFINITY });
  return { past, place, server, threadIds, worked: [] };
}

async function work(load: Load, { server, threadIds }: Subject, durationMs: number) {
  const { port, pid } = server;
  await settings(server, { mode: 'sequential' });
  await load.run({ type: 'say', port, clients: 64, threadIds, count: durationMs * perRoundAndMs });
  await calm(pid);
  const before = processorMs(pid);
  const result = await load.run({ type: 'work', port, workers, durationMs });
  const processorUs = ((processorMs(pid) - before) * 1_000) / result.count;
  await load.run({ type: 'work', port, workers, durationMs: Number.POSITIVE_INFINITY });
  return { ...result, processorUs };
}

const workRow = ({ past, worked }: Subject): Row => ({
  operation: 'claim and complete',
  clients: workers,
  stored: past,
  perSecond: median(worked.map(({ perSecond }) => perSecond)),
  p50Ms: median(worked.map(({ p50 }) => p50)),
  p99Ms: median(worked.map(({ p99 }) => p99)),
  processorUs: median(worked.map(({ processorUs }) => processorUs)),
});

/** One worker that waits, at low load. */
async function answerRow(load: Load, { past, server, threadIds }: Subject, durationMs: number): Promise<Row> {
  await settings(server, { mode: 'immediate' });
  const job = { type: 'claim-cycle', port: server.port, threadIds } as const;
  await load.run({ ...job, durationMs: 1_000 });
  const { fromAnswerSent } = await load.run({ ...job, durationMs });
  const { p50, p99 } = fromAnswerSent;
  return { operation: 'answer sent → claimed', clients: 1, stored: past, p50Ms: p50, p99Ms: p99 };
}

/** Waits until the server is idle: it has enqueued every input. */
async function calm(pid: number): Promise<void> {
  for (let before = processorMs(pid), busy = true; busy; ) {
    await sleep(300);
    const now = processorMs(pid);
    busy = now - before > 30;
    before = now;
  }
}

async function settings({ port }: Spawned, body: object): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/dispatch`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${benchKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`the settings were refused: ${await response.text()}`);
}
