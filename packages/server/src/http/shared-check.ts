/** Runs a check that anybody may ask for at most ten times a second. */
import { setTimeout as sleep } from 'node:timers/promises';

const betweenChecksMs = 100;

/** Does not keep a stopping process alive. */
const pause = (): Promise<void> => sleep(betweenChecksMs, undefined, { ref: false });

/** Callers share a running check. Later callers wait until the next one may begin: no result outlives its check. */
export function sharedCheck(check: () => Promise<void>, pauseBetween = pause): () => Promise<void> {
  let shared: Promise<void> | undefined;
  let mayBegin = Promise.resolve();
  return () => {
    shared ??= mayBegin.then(check).finally(() => {
      mayBegin = pauseBetween();
      shared = undefined;
    });
    return shared;
  };
}
