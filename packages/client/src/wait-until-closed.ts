/** Waits until a question closes, also through restarts of the server. */
import type { HoldpointService, Interaction } from '@holdpoint/protocol';
import { isPassing } from './failures.ts';
import { linkedStop, pause } from './linked-stop.ts';

export interface Waiting {
  /** Without it, waits forever. */
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Called when somebody has voted, and when the server is away or back. */
  onProgress?(progress: { votes?: Interaction; isAway?: boolean }): void;
}

/** Proxies cut off a request that is quiet for longer. */
const longestWaitMs = 25_000;
/** The server may answer this much after the end of its time. Then it counts as away. */
const graceMs = 1_000;
const pauseMs = 1_000;
/** The shortest time between two calls, because a proxy or a server that drains may answer at once. */
const shortestRoundMs = 250;

/** Returns the question: closed, or still pending if the time is up or the signal aborted. */
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
