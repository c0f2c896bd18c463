/** Waits until a question is closed, for as long as the caller has patience, and through restarts of the server. */
import type { HoldpointService, Interaction } from '@holdpoint/protocol';
import { isPassing } from './is-passing.ts';
import { linkedStop, pause } from './linked-stop.ts';

export interface Waiting {
  /** For ever, without it. */
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Somebody has voted, or the server is away, or back. */
  onProgress?(told: { votes?: Interaction; isAway?: boolean }): void;
}

/** Longer than a proxy lets a quiet request live would be cut off. */
const longestWaitMs = 25_000;
/** So much later than the end of its time a server may answer; one that is away is not waited for. */
const graceMs = 1_000;
const pauseMs = 1_000;
/** Something between us, or a server that drains, may answer at once: a round takes at least so long. */
const shortestRoundMs = 250;

/** The question as it is then: closed, or still pending when the time is up or the signal came. */
export async function waitUntilClosed(
  service: Pick<HoldpointService, 'waitForInteraction'>,
  interaction: Interaction,
  { timeoutMs = Number.POSITIVE_INFINITY, signal, onProgress = () => {} }: Waiting = {},
): Promise<Interaction> {
  const endAt = performance.now() + timeoutMs;
  let latest = interaction;
  let isAway = false;
  while (latest.status === 'pending' && !signal?.aborted) {
    const leftMs = Math.ceil(endAt - performance.now());
    if (leftMs <= 0) break;
    const stop = linkedStop(signal, leftMs + graceMs);
    const shortestRound = pause(Math.min(shortestRoundMs, leftMs), stop.signal);
    try {
      const call = { interactionId: latest.id, timeoutMs: Math.min(leftMs, longestWaitMs) };
      const next = await service.waitForInteraction({ ...call, signal: stop.signal });
      if (isAway) onProgress({ isAway: false });
      isAway = false;
      if (next.status !== 'pending') return next;
      if (next.votes.length > latest.votes.length) onProgress({ votes: next });
      latest = next;
      await shortestRound;
    } catch (error) {
      if (signal?.aborted) break;
      if (!stop.signal.aborted && !isPassing(error)) throw error;
      if (!isAway) onProgress({ isAway: true });
      isAway = true;
      await pause(Math.min(pauseMs, leftMs), signal);
    } finally {
      stop.abort();
    }
  }
  return latest;
}
