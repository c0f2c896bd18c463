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
import { moved, type Places, placeOf, rewording } from '../pointers.ts';
import { requestType, textField } from './question-codec.ts';
import type { RequestType, ShownRequest } from './schemas.ts';

const invalidCursor = 'Invalid cursor value.';
export const notUnique = 'selectedOptionIds must be unique.';
const emptyKey = 'Idempotency-Key cannot be empty.';

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
  const fault = ours.problems ? { ...ours, problems: ours.problems.map(inTheirWords) } : ours;
  const { status, code } = codes[fault.code];
  const details = detailsOf(fault);
  return { status, body: { error: { code, message: sentence(fault), ...defined({ details: details || undefined }) } } };
}

/** What a refusal that is late knows of the request; `shown` is its status there, where a route has looked it up. */
interface Met {
  id?: string;
  status?: string;
  decision?: string;
  closedBy?: Actor;
  closedAt?: string;
  shown?: ShownRequest['status'];
  /** What the call would have done to it. */
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

function shownStatus({ shown, status, decision }: Met): ShownRequest['status'] {
  if (shown) return shown;
  if (status === 'pending') return status;
  return status === 'answered' && decision === 'accepted' ? 'resolved' : 'cancelled';
}

const inTheirWords = (problem: Problem): Problem =>
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
  // Says what to send instead, which the message of Opengram does not.
  if (code === 'unauthenticated') return { reason: detail };
  if (!code.startsWith('interaction-') || current?.id === undefined) return undefined;
  const { closedBy, closedAt } = current;
  return {
    ...{ requestId: current.id, status: shownStatus(current) },
    ...defined({ closedBy: closedBy || undefined, closedAt: closedAt || undefined }),
  };
}

/** The place as it is written there: `config.options[0].id`, and a parameter by its name alone. */
function fieldOf({ pointer }: Problem): string {
  const [first = '', ...more] = pointer.split('/').slice(1).map(unescaped);
  if (first === 'headers') return 'Idempotency-Key';
  const names = first === 'query' || first === 'path' ? more : [first, ...more];
  return names.map((name, index) => (index === 0 ? name : /^\d+$/.test(name) ? `[${name}]` : `.${name}`)).join('');
}

const unescaped = (token: string) => token.replaceAll('~1', '/').replaceAll('~0', '~');

const asked: Places = [
  [/^\/label$/, '/title'],
  [/^\/(fields|submitLabel|payloadSchema)(?=\/|$)/, '/config/$1'],
  [/^\/original(\/sent(\/config)?)?/, '/config'],
  [/^\/deadline(\/at)?$/, '/expiresAt'],
];

export const placesOfConfig: Record<RequestType, Places> = {
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

export function placesOfAnswer(question: Pick<Question, 'kind' | 'fields'>): Places {
  const type = requestType(question);
  if (type === 'form') return [];
  const name = (type === 'choice' ? pickField(question) : textField(question.fields))?.name ?? '';
  return [[beginsWith(pointer('/values', name)), type === 'choice' ? '/selectedOptionIds' : '/text']];
}

const beginsWith = (path: string) => new RegExp(`^${path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?=/|$)`);

export const placesOfChat: Places = [[/^\/metadata(\/chat)?(?=\/|$)/, '']];

export const placesOfMessage: Places = [
  [/^\/text$/, '/content'],
  [/^\/files(\/\d+)?$/, '/trace/mediaIds'],
  [/^\/metadata(\/chat(\/trace)?)?(?=\/|$)/, '/trace'],
];

/** Does it, and tells what was wrong in the places of what was sent. */
export const inPlaces = <T>(places: Places, call: () => Promise<T>): Promise<T> =>
  rewording((fault) => moved(fault, (ours) => placeOf(ours, places)), call);

const problems = [{ pointer: '/query/cursor', code: 'cursor', message: invalidCursor }];

export const inList = <T>(call: () => Promise<T>): Promise<T> =>
  rewording(
    (fault) => (fault.code === 'invalid-cursor' ? { code: 'invalid-input', detail: invalidCursor, problems } : fault),
    call,
  );
