/** Renders faults as `{"error": {message, code}}`. */
import { type ErrorCode, errorTable, type Fault, type Problem, sentenceOf, tokensOf } from '@holdpoint/protocol';

/** One code for each status. */
const codes: Readonly<Record<number, string>> = {
  400: 'validation_error',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'request_timeout',
  409: 'conflict',
  410: 'gone',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  429: 'throttled',
  431: 'headers_too_large',
  500: 'internal_server_error',
  503: 'service_unavailable',
};

const statuses: Partial<Record<ErrorCode, number>> = { 'invalid-answer': 400 };

const sentences: Partial<Record<ErrorCode, string>> = { 'thread-not-found': 'There is no such chat.' };

export function renderFault({ code, detail, problems = [] }: Fault): { status: number; body: object } {
  const known = statuses[code] ?? errorTable[code].status;
  const status = known in codes ? known : 400;
  const message = problems.length > 0 ? sentenceOf(problems, nameOf) : (sentences[code] ?? detail);
  return { status, body: { error: { message, code: codes[status] } } };
}

/** The pointer in dots: `values.colors`. */
const nameOf = ({ pointer }: Problem): string =>
  tokensOf(pointer)
    .slice(/^\/(query|path)\//.test(pointer) ? 1 : 0)
    .join('.');
