/** One batch: the run that it is for is executed while its lease is kept, and then it is done or given back. */
import { type Batch, HoldpointError, type HoldpointService, limits, type Run } from '@holdpoint/protocol';
import type { Agent } from '../agent.ts';
import { Superseded } from '../engine/breaks.ts';
import { executeRun } from '../engine/execute-run.ts';
import { beatEvery } from './heartbeat.ts';

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
  const tellOnce = { ...lease, idempotencyKey: `${batchId}:${batch.attempt}:${workerId}` };
  let run: Run | undefined;
  let isStopping = false;
  let stopExecution = () => {};

  const complete = () => service.completeBatch(tellOnce);
  const giveBack = (reason: string) =>
    service.failBatch({ ...tellOnce, reason: reason.slice(0, limits.reasonLength) || 'It failed.' });
  /** It did not fail, so this is none of the attempts that it has. */
  const release = () => service.failBatch({ ...tellOnce, reason: 'The worker stops.', released: true });

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

  /** Of a run that somebody ended there is nothing left to do; otherwise it is for whoever has the lease. */
  async function brokenOff(error: unknown): Promise<void> {
    if (signal.aborted) return void (await release());
    if (!(error instanceof Superseded)) onError(error);
    else if (run && (await hasEnded(service, run.id))) return void (await complete());
    await giveBack(error instanceof Error ? error.message : String(error));
  }

  const beats = beatEvery({ service, lease, runId: () => run?.id, onLost: () => ending.abort() });
  const done = work()
    .catch(brokenOff)
    // The lease ends by itself; who has lost it, or the service, can say nothing.
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

/** The clock of the server, so that a time it has woken a run for has come here too. */
function clockOf({ updatedAt }: Run): () => number {
  const offset = Date.parse(updatedAt) - performance.now();
  return () => Math.floor(performance.now() + offset);
}

async function hasEnded(service: HoldpointService, runId: string): Promise<boolean> {
  const { endedAt } = await service.getRun({ runId });
  return endedAt !== undefined;
}
