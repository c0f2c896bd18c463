/** Errors as RFC 9457 problems. Unexpected errors are logged with their cause, and rendered only as an id. */
import { defined, errorTable, type Fault, HoldpointError } from '@holdpoint/protocol';
import type { FastifyRequest } from 'fastify';

export const problemType = 'application/problem+json; charset=utf-8';

export function renderProblem({ code, detail, problems, current }: Fault, requestId: string): string {
  const { status, title, retryable } = errorTable[code];
  return JSON.stringify({
    type: `/docs#error-${code}`,
    title,
    status,
    code,
    detail,
    retryable,
    instance: requestId,
    ...defined({ errors: problems, current }),
  });
}

/** Errors of Fastify itself. */
const frameworkFaults: Record<string, Fault> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { code: 'body-too-large', detail: 'The body is larger than this server takes.' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    code: 'unsupported-media-type',
    detail: 'Send JSON with the content type application/json.',
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    code: 'malformed-body',
    detail: 'The body does not have the length of its content-length.',
  },
  FST_ERR_BAD_URL: { code: 'route-not-found', detail: 'The path is not a valid URL path.' },
  FST_ERR_MAX_PARAM_LENGTH: { code: 'route-not-found', detail: 'A part of the path is too long.' },
};

export function toFault(error: unknown, request: FastifyRequest): Fault {
  if (error instanceof HoldpointError) {
    const { status } = errorTable[error.code];
    if (status >= 500 && error.code !== 'shutting-down')
      request.log.error({ reqId: request.id, err: error, cause: error.cause }, error.fault.detail);
    return error.fault;
  }
  const known = error instanceof Error && 'code' in error ? frameworkFaults[String(error.code)] : undefined;
  if (known) return known;
  // A caller that closed the connection while sending its body never reads this, and it is not worth a log line.
  if (request.raw.destroyed && !request.raw.complete)
    return { code: 'malformed-body', detail: 'The body ended too early.' };
  request.log.error({ reqId: request.id, err: error }, 'unforeseen');
  return { code: 'internal', detail: `Something went wrong. The server's log has it under ${request.id}.` };
}
