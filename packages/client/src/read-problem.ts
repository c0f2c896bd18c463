/** What a server refused, as the error that a caller in its process would have met. */
import { type ErrorCode, errorTable, HoldpointError, isObject, type Problem } from '@holdpoint/protocol';
import { ConnectionLost } from './connection-lost.ts';

export async function readProblem(response: Response): Promise<HoldpointError> {
  const told: unknown = await response.json().catch(() => undefined);
  const waits = Number(response.headers.get('retry-after') ?? Number.NaN);
  const retry = Number.isFinite(waits) ? { retryAfterMs: waits * 1_000 } : {};
  if (!isObject(told) || typeof told.code !== 'string' || !Object.hasOwn(errorTable, told.code))
    return strangers(response.status, retry);
  const { code, detail, errors, current } = told;
  return new HoldpointError({
    code: code as ErrorCode,
    detail: String(detail),
    ...(Array.isArray(errors) ? { problems: errors as Problem[] } : {}),
    ...(isObject(current) ? { current } : {}),
    ...retry,
  });
}

/** Of something between us and the server, such as a proxy whose node is gone: nobody knows what the node did before. */
function strangers(status: number, retry: { retryAfterMs?: number }): HoldpointError {
  const detail = `Something that is not a Holdpoint server answered with status ${status}.`;
  if (status >= 500) return new ConnectionLost(detail, retry);
  return new HoldpointError({ code: status === 429 ? 'rate-limited' : 'internal', detail, ...retry });
}
