/** A worker: claims batches for its agents and executes their runs, for many threads at a time. */
import { type Batch, type HoldpointService, hasCode, limits, type Run } from '@holdpoint/protocol';
import type { Agent } from '../agent.ts';
import { messageOf, Superseded } from '../engine/errors.ts';
import { executeRun } from '../engine/execute-run.ts';

export interface RunAgents {
  service: HoldpointService;
  agents: readonly Agent[];
  /** Identifies this worker. */
  workerId?: string;
  /** Number of runs that it executes at a time (10). */
  concurrency?: number;
  /** Called with errors after which the worker tries again, and with the reason why a run failed. */
  onError?(error: unknown): void;
}

export interface AgentWorker {
  /** Gives calls that have begun two seconds to end. Another worker continues the rest. */
  stop(): Promise<void>;
}

const waitMs = 30_000;
/** Pauses after failed claims. */
const pausesMs = [200, 400, 800, 1_600, 3_000];
const stopMs = 2_000;

export function runAgents({ service, agents, concurrency = 10, onError = warn, ...rest }: RunAgents): AgentWorker {
  const byName = new Map(agents.map((agent) => [agent.name, agent]));
  const names = [...byName.keys()];
  if (names.length === 0 || names.length !== agents.length)
    throw new TypeError('Give agents, each with a name of its own.');
  const workerId = rest.workerId ?? `agents-${crypto.randomUUID()}`;
  let claims = 0;
  const stopping = new AbortController();
  let endPause = () => {};
  const works = new Map<Work, Promise<void>>();

  function begin(batch: Batch): void {
    const work = workOn({ service, onError }, byName, batch);
    const done = work.done.finally(() => works.delete(work));
    works.set(work, done);
    if (stopping.signal.aborted) work.stop();
  }

  async function claim(): Promise<void> {
    const limit = Math.min(concurrency - works.size, limits.claimedBatches);
    const { signal } = stopping;
    // A lost batch may be claimed here again, and only the later claim may report how it ended.
    const claimed = { workerId: `${workerId}:${++claims}`, agents: names, leaseMs, waitMs, limit };
    const { data } = await service.claimBatches({ ...claimed, signal });
    for (const batch of data) begin(batch);
  }

  async function serve(): Promise<void> {
    for (let failures = 0; !stopping.signal.aborted; ) {
      if (works.size >= concurrency) await Promise.race(works.values());
      try {
        await claim();
        failures = 0;
      } catch (error) {
        if (stopping.signal.aborted) return;
        onError(error);
        await pause(pausesMs[Math.min(failures++, pausesMs.length - 1)] ?? 0);
      }
    }
  }

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
      // `onError` may have stopped the worker.
      if (stopping.signal.aborted) endPause();
    });

  const serving = serve();
  return {
    async stop() {
      stopping.abort();
      endPause();
      for (const work of works.keys()) work.stop();
      const cutOff = setTimeout(() => {
        for (const work of works.keys()) work.abort();
      }, stopMs);
      await serving;
      await Promise.all(works.values());
      clearTimeout(cutOff);
    },
  };
}

// biome-ignore lint/suspicious/noConsole: a worker that cannot work must not be silent
const warn = (error: unknown) => console.error(error);

/** The work on one batch: keeps its lease, executes its run, then completes the batch or gives it back. */
interface Work {
  /** Never rejects. */
  done: Promise<void>;
  /** Begins nothing more. */
  stop(): void;
  /** Ends it at once. */
  abort(): void;
}

function workOn(
  { service, onError }: Required<Pick<RunAgents, 'service' | 'onError'>>,
  byName: ReadonlyMap<string, Agent>,
  batch: Batch,
): Work {
  const ending = new AbortController();
  const { signal } = ending;
  const { id: batchId, workerId } = batch;
  const lease = { batchId, workerId };
  const once = { ...lease, idempotencyKey: `${batchId}:${batch.attempt}:${workerId}` };
  let run: Run | undefined;
  let isStopping = false;
  let stopExecution = () => {};

  const complete = () => service.completeBatch(once);
  const giveBack = (reason: string) =>
    service.failBatch({ ...once, reason: reason.slice(0, limits.reasonLength) || 'It failed.' });
  /** The batch did not fail, so the attempt does not count. */
  const release = () => service.failBatch({ ...once, reason: 'The worker stops.', released: true });

  async function work(): Promise<void> {
    const begun = await service.beginRun(lease);
    run = begun.run;
    if (!run) return void (await complete());
    const agent = byName.get(run.agent);
    if (!agent) throw new Error(`This worker has no agent "${run.agent}".`);
    const { id } = run;
    const isDone = await executeRun({
      ...{ service, agent, run, now: clockOf(run), signal },
      onStarted: (stop) => {
        stopExecution = stop;
        if (isStopping) stop();
      },
      onFailed: (cause) => onError(new Error(`Run ${id} of agent "${agent.name}" has failed.`, { cause })),
    });
    await (isDone ? complete() : release());
  }

  /** Completes the batch of a run that was ended. Otherwise another worker continues the run. */
  async function brokenOff(error: unknown): Promise<void> {
    if (signal.aborted) return void (await release());
    if (!(error instanceof Superseded)) onError(error);
    else if (run && (await hasEnded(service, run.id))) return void (await complete());
    await giveBack(messageOf(error));
  }

  const beats = beatEvery({ service, lease, runId: () => run?.id, onLost: () => ending.abort() });
  const done = work()
    .catch(brokenOff)
    // The lease ends by itself. A worker that has lost it, or cannot reach the service, can do nothing more.
    .catch((error: unknown) => {
      if (!isLeaseLost(error)) onError(error);
    })
    .finally(() => beats.stop());
  return {
    done,
    stop() {
      isStopping = true;
      stopExecution();
    },
    abort: () => ending.abort(),
  };
}

/** The clock of the server: when the server wakes a run for a time, this clock has reached the time too. */
function clockOf({ updatedAt }: Run): () => number {
  const offset = Date.parse(updatedAt) - performance.now();
  return () => Math.floor(performance.now() + offset);
}

const hasEnded = async (service: HoldpointService, runId: string): Promise<boolean> =>
  (await service.getRun({ runId })).endedAt !== undefined;

const isLeaseLost = (error: unknown): boolean => hasCode(error, 'lease-lost', 'batch-not-found');

/** Short, because the work of a dead worker waits until its lease ends. */
export const leaseMs = 6_000;

interface Beats {
  service: HoldpointService;
  lease: { batchId: string; workerId: string };
  runId(): string | undefined;
  /** Called when another worker has the batch, or the run has ended. */
  onLost(): void;
}

/** Keeps a lease by heartbeats, and notices when there is nothing left to work on. */
export function beatEvery({ service, lease, runId, onLost }: Beats): { stop(): void } {
  async function beat(): Promise<void> {
    try {
      await service.heartbeatBatch(lease);
      const id = runId();
      if (id !== undefined && (await hasEnded(service, id))) onLost();
    } catch (error) {
      // While the service is away the work goes on. Its outcome is reported when the service is back.
      if (isLeaseLost(error)) onLost();
    }
  }
  const timer = setInterval(beat, leaseMs / 3);
  return { stop: () => clearInterval(timer) };
}
