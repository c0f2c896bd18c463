/** The server, or the way to it, was not there: whether it has heard the call is unknown. */
import { type Fault, HoldpointError } from '@holdpoint/protocol';

export class ConnectionLost extends HoldpointError {
  constructor(detail: string, more?: Partial<Fault>, options?: { cause?: unknown }) {
    super({ ...more, code: 'busy', detail, retryable: true }, options);
  }
}
