/** Keeps a lease while its batch is worked on, and notices when there is nothing left to work on. */
import { HoldpointError, type HoldpointService } from '@holdpoint/protocol';

/** Short, because a worker that died gives its work back only by the end of it. */
export const leaseMs = 6_000;

interface Beats {
  service: HoldpointService;
  lease: { batchId: string; workerId: string };
  runId(): string | undefined;
  /** Somebody else has the batch, or the run has ended. */
  onLost(): void;
}

export function beatEvery({ service, lease, runId, onLost }: Beats): { stop(): void } {
  async function beat(): Promise<void> {
    try {
      await service.heartbeatBatch(lease);
      const id = runId();
      if (id !== undefined && (await service.getRun({ runId: id })).endedAt !== undefined) onLost();
    } catch (error) {
      // While the service is away the work goes on; what it comes to is told when it is back.
      if (error instanceof HoldpointError && ['lease-lost', 'batch-not-found'].includes(error.code)) onLost();
    }
  }
  const timer = setInterval(beat, leaseMs / 3);
  return { stop: () => clearInterval(timer) };
}
