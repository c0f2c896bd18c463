/** Waits until a question is closed, for as long as the caller has patience, and through restarts of the server. */
import { setTimeout as sleep } from 'node:timers/promises';
import { errorTable, HoldpointError, type HoldpointService, type Interaction } from '@holdpoint/protocol';

export interface Waiting {
  service: HoldpointService;
  interaction: Interaction;
  /** For ever, without it. */
  timeoutMs: number | undefined;
  signal: AbortSignal;
  /** Somebody has voted, or the server is away, or back. */
  onProgress(told: { votes?: Interaction; isAway?: boolean }): void;
}

/** Longer than a proxy lets a quiet request live would be cut off. */
const longestWaitMs = 25_000;
const pauseMs = 1_000;

/** The question as it is then: closed, or still pending when the time is up or the signal came. */
export async function waitForAnswer({
  service,
  interaction,
  timeoutMs,
  signal,
  onProgress,
}: Waiting): Promise<Interaction> {
  const endAt = timeoutMs === undefined ? Number.POSITIVE_INFINITY : performance.now() + timeoutMs;
  let latest = interaction;
  let isAway = false;
  while (latest.status === 'pending' && !signal.aborted) {
    const leftMs = Math.ceil(endAt - performance.now());
    if (leftMs <= 0) break;
    try {
      const waitMs = Math.min(leftMs, longestWaitMs);
      const next = await service.waitForInteraction({ interactionId: latest.id, timeoutMs: waitMs, signal });
      if (isAway) onProgress({ isAway: false });
      isAway = false;
      if (next.status === 'pending' && next.votes.length > latest.votes.length) onProgress({ votes: next });
      latest = next;
    } catch (error) {
      if (signal.aborted) break;
      if (!(error instanceof HoldpointError && errorTable[error.code].retryable)) throw error;
      if (!isAway) onProgress({ isAway: true });
      isAway = true;
      await sleep(Math.min(pauseMs, leftMs), undefined, { signal }).catch(() => {});
    }
  }
  return latest;
}
