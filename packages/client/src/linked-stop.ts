/** A signal of our own, which also aborts with the caller's signal or after a time. */
import type { StopSignal } from '@holdpoint/protocol';

export interface LinkedStop {
  signal: AbortSignal;
  abort(): void;
  /** Removes the timer, and the listener of the caller's signal, which may exist for long. */
  release(): void;
}

export function linkedStop(
  signal: StopSignal | undefined,
  afterMs = Number.POSITIVE_INFINITY,
  onStop?: () => void,
): LinkedStop {
  const controller = new AbortController();
  const abort = () => {
    release();
    controller.abort();
    onStop?.();
  };
  const release = () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  };
  // A longer timer would fire at once.
  const timer = afterMs < 2 ** 31 ? setTimeout(abort, afterMs) : undefined;
  signal?.addEventListener('abort', abort);
  if (signal?.aborted) abort();
  return { signal: controller.signal, abort, release };
}

/** Resolves after the time, or when the signal aborts. */
export const pause = (ms: number, signal?: StopSignal): Promise<void> =>
  new Promise((resolve) => {
    linkedStop(signal, ms, resolve);
  });

/** Stops waiting for a call when the signal aborts. The call itself continues. */
export const unlessAborted = <T>(signal: AbortSignal | undefined, call: () => Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const stop = linkedStop(signal, undefined, () => reject(signal?.reason));
    // The async function also catches a call that throws before it returns a promise.
    if (!stop.signal.aborted) (async () => call())().then(resolve, reject).finally(stop.release);
  });
