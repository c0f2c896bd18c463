/** Failures of calls: reads them from responses, and tries again where that can help. */
import { defined, type Fault, HoldpointError, type StopSignal } from '@holdpoint/protocol';
import { pause } from './linked-stop.ts';

/** The connection failed, so nobody knows whether the server has received the call. */
export class ConnectionLost extends HoldpointError {
  constructor(detail: string, more?: Partial<Fault>, options?: { cause?: unknown }) {
    super({ ...more, code: 'busy', detail, retryable: true }, options);
  }
}

type Refusal = Fault & { errors: Fault['problems'] };

/** Reads a refusal as the error that a caller in the process of the server would get. */
export async function readProblem(response: Response): Promise<HoldpointError> {
  const { status, headers } = response;
  const refusal: Partial<Refusal> = Object(await response.json().catch(() => {}));
  const detail = refusal.detail ?? `HTTP status ${status}.`;
  const waitMs = Number(headers.get('retry-after')) * 1_000;
  const facts = { status, ...defined({ retryAfterMs: waitMs > 0 ? waitMs : undefined }) };
  // A proxy whose node is gone answers so. Nobody knows what the node did before.
  if (!refusal.code && status >= 500) return new ConnectionLost(detail, facts);
  const isLimit = status === 429;
  const { code = isLimit ? 'rate-limited' : 'internal', retryable = isLimit, errors, current } = refusal;
  // A newer server may have codes that are not in our table.
  return new HoldpointError({ ...facts, code, detail, retryable, problems: errors, current } as Fault);
}

/** Reports whether another try may help. Over HTTP the server decides; in process these two codes are temporary. */
export const isPassing = (error: unknown): boolean =>
  error instanceof HoldpointError && (error.fault.retryable ?? /^(busy|storage-unavailable)$/.test(error.code));

const firstPauseMs = 100;
const maxPauseMs = 2_000;

/** Calls again, for a while, after a failure that a later call may not have. */
export async function retried<T>(
  tryOnce: () => Promise<T>,
  forMs: number,
  /** Whether a second call changes nothing more. */
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
      // A temporary refusal has changed nothing. After a lost connection or a lost storage, that is unknown.
      const isUnknown = error instanceof ConnectionLost || code === 'storage-unavailable';
      const isSafe = isUnknown ? mayRepeat : status === 429 || status === 503;
      if (!isSafe || performance.now() + retryAfterMs > endAt) throw error;
      await pause(retryAfterMs, signal);
    }
  }
}
