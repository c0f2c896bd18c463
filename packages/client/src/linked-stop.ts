/** A signal of our own that also comes with the caller's, or when the time is up. */
import type { StopSignal } from '@holdpoint/protocol';

export interface LinkedStop {
  signal: AbortSignal;
  abort(): void;
  /** Lets go of the caller's signal, which may live for long, and of the timer. */
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
  // A timer for longer than this would be due at once.
  const timer = afterMs < 2 ** 31 ? setTimeout(abort, afterMs) : undefined;
  signal?.addEventListener('abort', abort);
  if (signal?.aborted) abort();
  return { signal: controller.signal, abort, release };
}

/** Ends when the time is up or the signal comes. */
export const pause = (ms: number, signal?: StopSignal): Promise<void> =>
  new Promise((resolve) => {
    linkedStop(signal, ms, resolve);
  });

/** The signal ends the waiting for a call, whatever becomes of the call. */
export const unlessAborted = <T>(signal: AbortSignal | undefined, call: () => Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const stop = linkedStop(signal, undefined, () => reject(signal?.reason));
    // A call that throws before it has a promise is let go of, too.
    if (!stop.signal.aborted) (async () => call())().then(resolve, reject).finally(stop.release);
  });
