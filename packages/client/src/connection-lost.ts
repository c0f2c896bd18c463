/** The server, or the way to it, was not there: whether it has heard the call is unknown. */
import { HoldpointError } from '@holdpoint/protocol';

export class ConnectionLost extends HoldpointError {
  constructor(detail: string, { cause, retryAfterMs }: { cause?: unknown; retryAfterMs?: number } = {}) {
    super({ code: 'busy', detail, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }, { cause });
  }
}
