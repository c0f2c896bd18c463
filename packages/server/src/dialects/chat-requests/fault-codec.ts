/** What went wrong, in the envelope there: `{"error": {code, message, details?}}`. */
import { type Actor, type ErrorCode, type Fault, type Problem, sentenceOf } from '@holdpoint/protocol';
import type { ShownRequest } from './request-schemas.ts';

const invalid = { status: 400, code: 'VALIDATION_ERROR' };
const forbidden = { status: 403, code: 'FORBIDDEN' };
const missing = { status: 404, code: 'NOT_FOUND' };
const conflict = { status: 409, code: 'CONFLICT' };
const unavailable = { status: 503, code: 'SERVICE_UNAVAILABLE' };

/** What is not pending cannot be resolved or cancelled, which is a mistake there and no conflict. */
const codes: Record<ErrorCode, { status: number; code: string }> = {
  'malformed-request': invalid,
  'malformed-body': invalid,
  'invalid-input': invalid,
  'invalid-cursor': invalid,
  'invalid-answer': invalid,
  'interaction-already-answered': invalid,
  'interaction-cancelled': invalid,
  'interaction-expired': invalid,
  unauthenticated: { status: 401, code: 'UNAUTHORIZED' },
  forbidden,
  'admin-key-needed': forbidden,
  'origin-not-allowed': forbidden,
  'key-disabled': forbidden,
  'wrong-responder': forbidden,
  'route-not-found': missing,
  'thread-not-found': missing,
  'message-not-found': missing,
  'interaction-not-found': missing,
  'grant-not-found': missing,
  'secrets-not-found': missing,
  'batch-not-found': missing,
  'run-not-found': missing,
  'file-not-found': missing,
  'webhook-not-found': missing,
  'delivery-not-found': missing,
  'key-not-found': missing,
  'method-not-allowed': { status: 405, code: 'METHOD_NOT_ALLOWED' },
  'request-timeout': { status: 408, code: 'REQUEST_TIMEOUT' },
  'interaction-has-votes': conflict,
  'interaction-not-due': conflict,
  'already-voted': conflict,
  'version-conflict': conflict,
  'question-changed': conflict,
  'message-not-streaming': conflict,
  'org-exists': conflict,
  'thread-exists': conflict,
  'grant-revoked': conflict,
  'lease-lost': conflict,
  'run-waiting': conflict,
  'run-ended': conflict,
  'run-open': conflict,
  'run-superseded': conflict,
  'delivery-pending': conflict,
  'idempotency-key-reused': conflict,
  'replay-under-way': conflict,
  'too-many-webhooks': conflict,
  'secrets-taken': { status: 410, code: 'GONE' },
  'body-too-large': { status: 413, code: 'PAYLOAD_TOO_LARGE' },
  'file-too-large': { status: 413, code: 'PAYLOAD_TOO_LARGE' },
  'file-type-refused': invalid,
  'range-not-satisfiable': { status: 416, code: 'RANGE_NOT_SATISFIABLE' },
  'unsupported-media-type': { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' },
  'rate-limited': { status: 429, code: 'RATE_LIMITED' },
  'headers-too-large': { status: 431, code: 'HEADERS_TOO_LARGE' },
  internal: { status: 500, code: 'INTERNAL_ERROR' },
  'storage-unavailable': unavailable,
  busy: unavailable,
  'shutting-down': unavailable,
};

export function renderFault(fault: Fault): { status: number; body: object } {
  const { status, code } = codes[fault.code];
  const details = detailsOf(fault);
  return { status, body: { error: { code, message: sentence(fault), ...(details ? { details } : {}) } } };
}

/** What a refusal that is late knows of the request; `shown` is its status there, where a route has looked it up. */
interface Met {
  id?: string;
  status?: string;
  decision?: string;
  closedBy?: Actor;
  closedAt?: string;
  shown?: ShownRequest['status'];
}

/** What is told in words of ours elsewhere, in theirs. */
const sentences: Partial<Record<ErrorCode, (met: Met) => string>> = {
  'thread-not-found': () => 'There is no such chat.',
  'message-not-found': () => 'There is no such message.',
  'interaction-not-found': () => 'There is no such request.',
  'batch-not-found': () => 'There is no such batch.',
  'interaction-already-answered': (met) =>
    `The request was ${shownStatus(met) === 'resolved' ? 'resolved' : 'declined'}${when(met)}.`,
  'interaction-cancelled': (met) => `The request was cancelled${when(met)}.`,
  'interaction-expired': (met) => `The request expired${met.closedAt ? ` at ${met.closedAt}` : ''}.`,
  'interaction-has-votes': () => 'A request that somebody has voted on keeps its words; cancel it and ask anew.',
};

const when = ({ closedBy, closedAt }: Met): string =>
  `${closedBy ? ` by ${closedBy.type} ${closedBy.id}` : ''}${closedAt ? ` at ${closedAt}` : ''}`;

function shownStatus({ shown, status, decision }: Met): ShownRequest['status'] {
  if (shown) return shown;
  if (status === 'pending') return status;
  return status === 'answered' && decision === 'accepted' ? 'resolved' : 'cancelled';
}

function sentence({ code, detail, problems = [], current = {} }: Fault): string {
  return problems.length > 0 ? sentenceOf(problems, fieldOf) : (sentences[code]?.(current) ?? detail);
}

function detailsOf({ code, problems = [], current }: Fault): object | undefined {
  const [first] = problems;
  if (first) {
    const field = fieldOf(first);
    return { ...(field ? { field } : {}), problems };
  }
  if (code === 'idempotency-key-reused') return { field: 'Idempotency-Key' };
  if (!code.startsWith('interaction-') || current?.id === undefined) return undefined;
  return { requestId: current.id, status: shownStatus(current) };
}

/** The place as it is written there: `config.options[0].id`, and a parameter by its name alone. */
function fieldOf({ pointer }: Problem): string {
  const [first = '', ...more] = pointer.split('/').slice(1).map(unescaped);
  if (first === 'headers') return 'Idempotency-Key';
  const names = first === 'query' || first === 'path' ? more : [first, ...more];
  return names.map((name, index) => (index === 0 ? name : /^\d+$/.test(name) ? `[${name}]` : `.${name}`)).join('');
}

const unescaped = (token: string) => token.replaceAll('~1', '/').replaceAll('~0', '~');
