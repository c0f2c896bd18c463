/** A worker: claims batches for its agents and executes their runs, for many threads at a time. */
import { type Batch, type HoldpointService, limits } from '@holdpoint/protocol';
import type { Agent } from '../agent.ts';
import { leaseMs, type Work, workOn } from './work-on.ts';

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
  const works = new Map<Work, Promise<void>>();

  function begin(batch: Batch): void {
    const work = workOn({ service, byName, batch, onError });
    works.set(
      work,
      work.done.finally(() => works.delete(work)),
    );
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
        await pause(pausesMs[Math.min(failures++, pausesMs.length - 1)] ?? 0, stopping.signal);
      }
    }
  }

  const serving = serve();
  return {
    async stop() {
      stopping.abort();
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

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
    if (signal.aborted) done();
  });
}

// biome-ignore lint/suspicious/noConsole: a worker that cannot work must not be silent
const warn = (error: unknown) => console.error(error);
