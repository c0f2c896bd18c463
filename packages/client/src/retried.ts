/** Tries again, for a while, what failed for want of a server. */
import { type Fault, HoldpointError, type StopSignal } from '@holdpoint/protocol';
import { ConnectionLost } from './connection-lost.ts';
import { pause } from './linked-stop.ts';

const firstPauseMs = 100;
const maxPauseMs = 2_000;

export async function retried<T>(
  tryOnce: () => Promise<T>,
  forMs: number,
  /** Done twice it is as done once. */
  mayRepeat: boolean,
  signal?: StopSignal,
): Promise<T> {
  const endAt = performance.now() + forMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
    try {
      return await tryOnce();
    } catch (error) {
      if (signal?.aborted) throw new HoldpointError({ code: 'shutting-down', detail: 'The caller stopped the call.' });
      const { code, status, retryAfterMs = pauseMs }: Partial<Fault> = (error as Partial<HoldpointError>).fault ?? {};
      // What a server refuses for now has changed nothing; a lost connection, or a lost storage, leaves that open.
      const isUnknown = error instanceof ConnectionLost || code === 'storage-unavailable';
      const isSafe = isUnknown ? mayRepeat : status === 429 || status === 503;
      if (!isSafe || performance.now() + retryAfterMs > endAt) throw error;
      await pause(retryAfterMs, signal);
    }
  }
}
