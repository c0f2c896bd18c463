/** Renders faults in the shape of Opengram, with pointers into the request. */
import {
  type Actor,
  defined,
  type ErrorCode,
  type Fault,
  type Problem,
  pickField,
  pointer,
  type Question,
  sentenceOf,
} from '@holdpoint/protocol';
import { movePointers, type PointerRules, translateFault, translatePointer } from '../pointers.ts';
import { requestType, textField } from './question-codec.ts';
import type { RequestStatus, RequestType } from './schemas.ts';

const invalidCursor = 'Invalid cursor value.';
export const notUnique = 'selectedOptionIds must be unique.';
const emptyKey = 'Idempotency-Key cannot be empty.';

const invalid = { status: 400, code: 'VALIDATION_ERROR' };
const forbidden = { status: 403, code: 'FORBIDDEN' };
const missing = { status: 404, code: 'NOT_FOUND' };
const conflict = { status: 409, code: 'CONFLICT' };
const unavailable = { status: 503, code: 'SERVICE_UNAVAILABLE' };

/** In Opengram, resolving or cancelling a closed request is a mistake and not a conflict. */
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
  'callback-not-found': missing,
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
  'file-type-refused': { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' },
  'range-not-satisfiable': { status: 416, code: 'RANGE_NOT_SATISFIABLE' },
  'unsupported-media-type': { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' },
  'rate-limited': { status: 429, code: 'RATE_LIMITED' },
  'headers-too-large': { status: 431, code: 'HEADERS_TOO_LARGE' },
  internal: { status: 500, code: 'INTERNAL_ERROR' },
  'storage-unavailable': unavailable,
  busy: unavailable,
  'shutting-down': unavailable,
};

export function renderFault(ours: Fault): { status: number; body: object } {
  const fault = ours.problems ? { ...ours, problems: ours.problems.map(translateFaults) } : ours;
  const { status, code } = codes[fault.code];
  const details = detailsOf(fault);
  return { status, body: { error: { code, message: sentence(fault), ...defined({ details: details || undefined }) } } };
}

/** The request that a late call met. `shown` is its status in Opengram, if a route has looked it up. */
interface Met {
  id?: string;
  status?: string;
  decision?: string;
  closedBy?: Actor;
  closedAt?: string;
  shown?: RequestStatus;
  /** The attempted change. */
  tried?: Tried;
}

export type Tried = 'resolved' | 'cancelled' | 'declined' | 'updated';

export const lateCodes: readonly ErrorCode[] = [
  'interaction-already-answered',
  'interaction-cancelled',
  'interaction-expired',
];

const onlyPending = ({ tried = 'resolved' }: Met): string => `Only pending requests can be ${tried}.`;

/** The messages of Opengram, word for word. */
const sentences: Partial<Record<ErrorCode, (met: Met) => string>> = {
  unauthenticated: () => 'Missing or invalid instance secret.',
  'thread-not-found': () => 'Chat not found.',
  'message-not-found': () => 'Message not found.',
  'interaction-not-found': () => 'Request not found.',
  'batch-not-found': () => 'Dispatch batch not found.',
  'file-not-found': () => 'Media not found.',
  'message-not-streaming': () => 'Message is not in streaming state.',
  'lease-lost': () => 'Dispatch lease is no longer owned by this worker.',
  'idempotency-key-reused': () => 'Idempotency-Key already used with a different request payload.',
  'invalid-cursor': () => 'cursor event id was not found.',
  'interaction-already-answered': onlyPending,
  'interaction-cancelled': onlyPending,
  'interaction-expired': onlyPending,
  'interaction-has-votes': () => 'A request that somebody has voted on keeps its words; cancel it and ask anew.',
};

function shownStatus({ shown, status, decision }: Met): RequestStatus {
  if (shown) return shown;
  if (status === 'pending') return status;
  return status === 'answered' && decision === 'accepted' ? 'resolved' : 'cancelled';
}

const translateFaults = (problem: Problem): Problem =>
  problem.pointer === '/headers/idempotency-key' && problem.code === 'min-length'
    ? { ...problem, message: emptyKey }
    : problem;

function sentence({ code, detail, problems = [], current = {} }: Fault): string {
  return problems.length > 0 ? sentenceOf(problems, nameOf) : (sentences[code]?.(current) ?? detail);
}

/** Messages of Opengram stand alone, without the place before them. */
const whole: ReadonlySet<string> = new Set([emptyKey, invalidCursor, notUnique]);

const nameOf = (problem: Problem): string => (whole.has(problem.message) ? '' : fieldOf(problem));

function detailsOf({ code, detail, problems = [], current }: Fault): object | undefined {
  const [first] = problems;
  if (first) {
    const field = fieldOf(first);
    return { ...defined({ field: field || undefined }), problems };
  }
  if (code === 'idempotency-key-reused') return { field: 'Idempotency-Key' };
  if (code === 'invalid-cursor') return { field: 'cursor' };
  // Unlike the message of Opengram, ours says what to send instead.
  if (code === 'unauthenticated') return { reason: detail };
  if (!code.startsWith('interaction-') || current?.id === undefined) return undefined;
  const { closedBy, closedAt } = current;
  return {
    ...{ requestId: current.id, status: shownStatus(current) },
    ...defined({ closedBy: closedBy || undefined, closedAt: closedAt || undefined }),
  };
}

/** The path as Opengram writes it: `config.options[0].id`. A parameter is its name. */
function fieldOf({ pointer }: Problem): string {
  const [first = '', ...more] = pointer.split('/').slice(1).map(unescaped);
  if (first === 'headers') return 'Idempotency-Key';
  const names = first === 'query' || first === 'path' ? more : [first, ...more];
  return names.map((name, index) => (index === 0 ? name : /^\d+$/.test(name) ? `[${name}]` : `.${name}`)).join('');
}

const unescaped = (token: string) => token.replaceAll('~1', '/').replaceAll('~0', '~');

const asked: PointerRules = [
  [/^\/label$/, '/title'],
  [/^\/(fields|submitLabel|payloadSchema)(?=\/|$)/, '/config/$1'],
  [/^\/original(\/sent(\/config)?)?/, '/config'],
  [/^\/deadline(\/at)?$/, '/expiresAt'],
];

export const configPointers: Record<RequestType, PointerRules> = {
  choice: [
    [/^\/options\/(\d+)\/value$/, '/config/options/$1/id'],
    [/^\/(options|minSelections|maxSelections)(?=\/|$)/, '/config/$1'],
    ...asked,
  ],
  text_input: [
    [/^\/fields\/0\/label$/, '/title'],
    [/^\/fields\/0\/(minLength|maxLength|pattern)$/, '/config/validation/$1'],
    [/^\/fields(\/0)?(?=\/|$)/, '/config'],
    ...asked,
  ],
  form: asked,
};

export function answerPointers(question: Pick<Question, 'kind' | 'fields'>): PointerRules {
  const type = requestType(question);
  if (type === 'form') return [];
  const name = (type === 'choice' ? pickField(question) : textField(question.fields))?.name ?? '';
  return [[beginsWith(pointer('/values', name)), type === 'choice' ? '/selectedOptionIds' : '/text']];
}

const beginsWith = (path: string) => new RegExp(`^${path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?=/|$)`);

export const chatPointers: PointerRules = [[/^\/metadata(\/chat)?(?=\/|$)/, '']];

export const messagePointers: PointerRules = [
  [/^\/text$/, '/content'],
  [/^\/files(\/\d+)?$/, '/trace/mediaIds'],
  [/^\/metadata(\/chat(\/trace)?)?(?=\/|$)/, '/trace'],
];

/** Makes native calls, and translates the pointers of their faults. */
export const withPointers = <T>(places: PointerRules, call: () => Promise<T>): Promise<T> =>
  translateFault((fault) => movePointers(fault, (ours) => translatePointer(ours, places)), call);

const problems = [{ pointer: '/query/cursor', code: 'cursor', message: invalidCursor }];

export const inList = <T>(call: () => Promise<T>): Promise<T> =>
  translateFault(
    (fault) => (fault.code === 'invalid-cursor' ? { code: 'invalid-input', detail: invalidCursor, problems } : fault),
    call,
  );
