import { HoldpointError } from '@holdpoint/protocol';

/** The disk is full, read-only or gone, or the database is: nothing was changed, and it may work again later. */
export const storageError = (why: string, cause?: unknown): HoldpointError =>
  new HoldpointError(
    { code: 'storage-unavailable', detail: `Nothing was changed: ${why}.`, retryAfterMs: 1_000 },
    { cause },
  );

/** The writer is gone with the change in its hands. A repeat with the same idempotency key finds out, once it is back. */
export const outcomeUnknown = (why: string, cause?: unknown): HoldpointError =>
  new HoldpointError(
    { code: 'storage-unavailable', detail: `Whether it was changed is not known: ${why}.`, retryAfterMs: 1_000 },
    { cause },
  );

/** No successful write takes this long. */
const stuckMs = 3_000;

/** Throws if the oldest write has been running for too long. `since` is a time of `performance.now()`. */
export function refuseIfStuck(oldest: { since: number } | undefined): void {
  const waitedMs = oldest ? performance.now() - oldest.since : 0;
  if (waitedMs >= stuckMs) throw storageError(`writes have been stuck for ${Math.round(waitedMs / 1_000)} s`);
}
