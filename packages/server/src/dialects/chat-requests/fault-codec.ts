/** Renders faults in the shape of Opengram, with pointers into the request. */
import {
  type ActorRef,
  defined,
  type ErrorCode,
  errorTable,
  type Fault,
  type Problem,
  pickField,
  pointer,
  type Question,
  sentenceOf,
  tokensOf,
} from '@holdpoint/protocol';
import { type PointerRules, pathOf } from '../pointers.ts';
import { requestType, textField } from './question-codec.ts';
import type { RequestStatus, RequestType } from './schemas.ts';

export const invalidCursor = 'Invalid cursor value.';
export const notUnique = 'selectedOptionIds must be unique.';
const emptyKey = 'Idempotency-Key cannot be empty.';

/** One code for each status. */
const codes: Readonly<Record<number, string>> = {
  400: 'VALIDATION_ERROR',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  408: 'REQUEST_TIMEOUT',
  409: 'CONFLICT',
  410: 'GONE',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  416: 'RANGE_NOT_SATISFIABLE',
  429: 'RATE_LIMITED',
  431: 'HEADERS_TOO_LARGE',
  500: 'INTERNAL_ERROR',
  503: 'SERVICE_UNAVAILABLE',
};

/** In Opengram, resolving or cancelling a closed request is a mistake and not a conflict. */
const statuses: Partial<Record<ErrorCode, number>> = {
  'invalid-answer': 400,
  'interaction-already-answered': 400,
  'interaction-cancelled': 400,
  'interaction-expired': 400,
  'file-type-refused': 415,
};

export function renderFault(ours: Fault): { status: number; body: object } {
  const fault = ours.problems ? { ...ours, problems: ours.problems.map(withOwnMessage) } : ours;
  const status = statuses[fault.code] ?? errorTable[fault.code].status;
  const details = detailsOf(fault);
  const error = { code: codes[status], message: sentence(fault), ...defined({ details }) };
  return { status, body: { error } };
}

/** The request of a late call. `shown` is its status in Opengram, if a route has looked it up. */
interface Met {
  id?: string;
  status?: string;
  decision?: string;
  closedBy?: ActorRef;
  closedAt?: string;
  shown?: RequestStatus;
  /** The attempted change. */
  tried?: Tried;
}

export type Tried = 'resolved' | 'cancelled' | 'declined' | 'updated';

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
  'interaction-has-votes': () => 'A request with votes cannot change. Cancel it and create a new one.',
};

function shownStatus({ shown, status, decision }: Met): RequestStatus {
  if (shown) return shown;
  if (status === 'pending') return status;
  return status === 'answered' && decision === 'accepted' ? 'resolved' : 'cancelled';
}

const withOwnMessage = (problem: Problem): Problem =>
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
  const { closedBy, closedAt }: Met = current;
  return {
    ...{ requestId: current.id, status: shownStatus(current) },
    ...(closedBy ? { closedBy: { type: closedBy.type, id: closedBy.id } } : {}),
    ...defined({ closedAt: closedAt || undefined }),
  };
}

/** The path as Opengram writes it: `config.options[0].id`. A parameter is its name. */
function fieldOf({ pointer }: Problem): string {
  const [first, ...more] = tokensOf(pointer);
  if (first === 'headers') return 'Idempotency-Key';
  return pathOf(first === 'query' || first === 'path' ? more : tokensOf(pointer));
}

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
