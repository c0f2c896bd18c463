/** Works on one batch: keeps its lease, executes its run, then completes the batch or gives it back. */
import { type Batch, HoldpointError, type HoldpointService, limits, type Run } from '@holdpoint/protocol';
import type { Agent } from '../agent.ts';
import { Superseded } from '../engine/errors.ts';
import { executeRun } from '../engine/execute-run.ts';

export interface Work {
  /** Never rejects. */
  done: Promise<void>;
  /** Begins nothing more. */
  stop(): void;
  /** Ends it at once. */
  abort(): void;
}

interface WorkOn {
  service: HoldpointService;
  byName: ReadonlyMap<string, Agent>;
  batch: Batch;
  onError(error: unknown): void;
}

export function workOn({ service, byName, batch, onError }: WorkOn): Work {
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

  /** If somebody ended the run, nothing is left to do. Otherwise another worker continues it. */
  async function brokenOff(error: unknown): Promise<void> {
    if (signal.aborted) return void (await release());
    if (!(error instanceof Superseded)) onError(error);
    else if (run && (await hasEnded(service, run.id))) return void (await complete());
    await giveBack(error instanceof Error ? error.message : String(error));
  }

  const beats = beatEvery({ service, lease, runId: () => run?.id, onLost: () => ending.abort() });
  const done = work()
    .catch(brokenOff)
    // The lease ends by itself. A worker that has lost it, or cannot reach the service, can do nothing more.
    .catch((error: unknown) => {
      if (!(error instanceof HoldpointError && ['lease-lost', 'batch-not-found'].includes(error.code))) onError(error);
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

/** The clock of the server: a time for which it woke the run has come here too. */
function clockOf({ updatedAt }: Run): () => number {
  const offset = Date.parse(updatedAt) - performance.now();
  return () => Math.floor(performance.now() + offset);
}

async function hasEnded(service: HoldpointService, runId: string): Promise<boolean> {
  const { endedAt } = await service.getRun({ runId });
  return endedAt !== undefined;
}

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
      if (id !== undefined && (await service.getRun({ runId: id })).endedAt !== undefined) onLost();
    } catch (error) {
      // While the service is away the work goes on. Its outcome is reported when the service is back.
      if (error instanceof HoldpointError && ['lease-lost', 'batch-not-found'].includes(error.code)) onLost();
    }
  }
  const timer = setInterval(beat, leaseMs / 3);
  return { stop: () => clearInterval(timer) };
}
