/** What a server refused, as the error that a caller in its process would have met. */
import { defined, type Fault, type FreeObject, HoldpointError, type Problem } from '@holdpoint/protocol';
import { ConnectionLost } from './connection-lost.ts';

interface Told {
  code: string;
  detail: string;
  retryable: boolean;
  errors: readonly Problem[];
  current: FreeObject;
}

export async function readProblem(response: Response): Promise<HoldpointError> {
  const { status, headers } = response;
  const told: Partial<Told> = Object(await response.json().catch(() => {}));
  const detail = told.detail ?? `Something else answered with status ${status}.`;
  const waitMs = Number(headers.get('retry-after')) * 1_000;
  const facts = { status, ...defined({ retryAfterMs: waitMs > 0 ? waitMs : undefined }) };
  // Of something between us, such as a proxy whose node is gone: nobody knows what the node did before.
  if (!told.code && status >= 500) return new ConnectionLost(detail, facts);
  const isLimit = status === 429;
  const { code = isLimit ? 'rate-limited' : 'internal', retryable = isLimit, errors, current } = told;
  // A newer server may have codes that are not in our table.
  return new HoldpointError({ ...facts, code, detail, retryable, problems: errors, current } as Fault);
}
