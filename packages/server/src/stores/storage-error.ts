import { HoldpointError } from '@holdpoint/protocol';

const unavailable = (detail: string, cause: unknown): HoldpointError =>
  new HoldpointError({ code: 'storage-unavailable', detail, retryAfterMs: 1_000 }, { cause });

/** Nothing was changed, because the disk or the database is full, read-only or missing. A retry may succeed later. */
export const storageError = (why: string, cause?: unknown): HoldpointError =>
  unavailable(`Nothing was changed: ${why}.`, cause);

/** The writer was lost during the change. A retry with the same idempotency key finds the result. */
export const outcomeUnknown = (why: string, cause?: unknown): HoldpointError =>
  unavailable(`The change may or may not be stored: ${why}.`, cause);

/** No successful write takes this long. */
const stuckMs = 3_000;

/** Throws if the oldest write has been running for too long. `since` is a time of `performance.now()`. */
export function refuseIfStuck(oldest: { since: number } | undefined): void {
  const waitedMs = oldest ? performance.now() - oldest.since : 0;
  if (waitedMs >= stuckMs) throw storageError(`writes have been stuck for ${Math.round(waitedMs / 1_000)} s`);
}
