import { HoldpointError } from '@holdpoint/protocol';

/** The disk is full, read-only or gone, or the database is: nothing was changed, and it may work again later. */
export const storageError = (why: string, cause?: unknown): HoldpointError =>
  new HoldpointError(
    { code: 'storage-unavailable', detail: `Nothing was changed: ${why}.`, retryAfterMs: 1_000 },
    { cause },
  );
