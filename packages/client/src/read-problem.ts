/** What a server refused, as the error that a caller in its process would have met. */
import { type ErrorCode, errorTable, HoldpointError, isObject, type Problem } from '@holdpoint/protocol';

export async function readProblem(response: Response): Promise<HoldpointError> {
  const told: unknown = await response.json().catch(() => undefined);
  const waits = Number(response.headers.get('retry-after') ?? Number.NaN);
  const retry = Number.isFinite(waits) ? { retryAfterMs: waits * 1_000 } : {};
  if (!isObject(told) || typeof told.code !== 'string' || !Object.hasOwn(errorTable, told.code))
    return new HoldpointError({ code: codeOf(response.status), detail: strangerSaid(response.status), ...retry });
  const { code, detail, errors, current } = told;
  return new HoldpointError({
    code: code as ErrorCode,
    detail: String(detail),
    ...(Array.isArray(errors) ? { problems: errors as Problem[] } : {}),
    ...(isObject(current) ? { current } : {}),
    ...retry,
  });
}

/** Something between us and the server, such as a proxy whose node is gone. */
const codeOf = (status: number): ErrorCode => (status === 429 ? 'rate-limited' : status >= 502 ? 'busy' : 'internal');
const strangerSaid = (status: number) => `Something that is not a Holdpoint server answered with status ${status}.`;
