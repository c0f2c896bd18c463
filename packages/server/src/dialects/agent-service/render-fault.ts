/** Errors in the envelope of the spec. The number is the HTTP status; `error` says what ours says. */
import { defined, errorTable, type Fault, type Interaction } from '@holdpoint/protocol';
import { statuses } from './to-resource.ts';

export function renderFault({ code, detail, problems = [], current }: Fault, requestId: string) {
  const { status, retryable } = errorTable[code];
  const met = current && currentState(current);
  return {
    status,
    body: {
      code: status,
      message: detail,
      data: null,
      error: { code, retryable, requestId, problems, ...defined({ current: met }) },
    },
  };
}

/** The state that was met, as far as it is one of an interaction. */
function currentState({ id, status, version, closedAt, decision }: NonNullable<Fault['current']>) {
  if (typeof version !== 'number' || typeof status !== 'string' || !(status in statuses)) return undefined;
  return {
    interactionId: id,
    status: statuses[status as Interaction['status']],
    version,
    ...defined({ resolvedAt: closedAt, decision }),
  };
}
