/** Whether trying again may help: as the server said over HTTP; in process these two mend themselves. */
import { HoldpointError } from '@holdpoint/protocol';

export const isPassing = (error: unknown): boolean =>
  error instanceof HoldpointError && (error.fault.retryable ?? /^(busy|storage-unavailable)$/.test(error.code));
