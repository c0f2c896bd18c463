/** The one table of errors. Every transport renders them, and no code below a transport knows a status number. */
import type { Problem } from './problem.ts';

export const errorTable = {
  'malformed-request': { status: 400, retryable: false, title: 'The request is not valid HTTP' },
  'malformed-body': { status: 400, retryable: false, title: 'The body is not valid JSON' },
  'invalid-input': { status: 400, retryable: false, title: 'The input is not valid' },
  'invalid-cursor': { status: 400, retryable: false, title: 'The cursor is not one this server gave' },
  unauthenticated: { status: 401, retryable: false, title: 'A valid key or token is needed' },
  forbidden: { status: 403, retryable: false, title: 'This key or token may not do that' },
  'admin-key-needed': { status: 403, retryable: false, title: 'This needs an admin key' },
  'origin-not-allowed': { status: 403, retryable: false, title: 'The key is not for pages of this origin' },
  'key-disabled': { status: 403, retryable: false, title: 'The public key is switched off' },
  'wrong-responder': { status: 403, retryable: false, title: 'Somebody else was asked' },
  'route-not-found': { status: 404, retryable: false, title: 'There is no such route' },
  'thread-not-found': { status: 404, retryable: false, title: 'There is no such thread' },
  'message-not-found': { status: 404, retryable: false, title: 'There is no such message' },
  'interaction-not-found': { status: 404, retryable: false, title: 'There is no such interaction' },
  'grant-not-found': { status: 404, retryable: false, title: 'There is no such grant' },
  'callback-not-found': { status: 404, retryable: false, title: 'The question has no callback' },
  'secrets-not-found': { status: 404, retryable: false, title: 'The answer has no secret values' },
  'batch-not-found': { status: 404, retryable: false, title: 'There is no such batch' },
  'run-not-found': { status: 404, retryable: false, title: 'There is no such run' },
  'file-not-found': { status: 404, retryable: false, title: 'There is no such file' },
  'webhook-not-found': { status: 404, retryable: false, title: 'There is no such webhook' },
  'delivery-not-found': { status: 404, retryable: false, title: 'There is no such delivery' },
  'key-not-found': { status: 404, retryable: false, title: 'There is no such API key' },
  'method-not-allowed': { status: 405, retryable: false, title: 'That method is not offered here' },
  'request-timeout': { status: 408, retryable: true, title: 'The request did not arrive in time' },
  'interaction-already-answered': { status: 409, retryable: false, title: 'The interaction was already answered' },
  'interaction-cancelled': { status: 409, retryable: false, title: 'The interaction was cancelled' },
  'interaction-expired': { status: 409, retryable: false, title: 'The deadline of the interaction has passed' },
  'interaction-has-votes': { status: 409, retryable: false, title: 'Somebody has already voted on this question' },
  'interaction-not-due': { status: 409, retryable: false, title: 'The deadline has not come yet' },
  'already-voted': { status: 409, retryable: false, title: 'This responder has already voted' },
  'version-conflict': { status: 409, retryable: false, title: 'It has changed since that version' },
  'question-changed': { status: 409, retryable: false, title: 'The question has changed since it was shown' },
  'message-not-streaming': { status: 409, retryable: false, title: 'The message is not being streamed' },
  'org-exists': { status: 409, retryable: false, title: 'An org with this id exists already' },
  'thread-exists': { status: 409, retryable: false, title: 'A thread with this id exists already' },
  'grant-revoked': { status: 409, retryable: false, title: 'The grant was already revoked' },
  'lease-lost': { status: 409, retryable: false, title: 'The batch is not leased to this worker' },
  'run-waiting': { status: 409, retryable: false, title: 'The run is waiting' },
  'run-ended': { status: 409, retryable: false, title: 'The run is over' },
  'run-open': { status: 409, retryable: false, title: 'The thread has a run that is not over' },
  'run-superseded': { status: 409, retryable: false, title: 'The thread has gone on without this run' },
  'delivery-pending': { status: 409, retryable: false, title: 'The delivery is still being attempted' },
  'idempotency-key-reused': { status: 409, retryable: false, title: 'The idempotency key was used for another call' },
  'secrets-taken': { status: 410, retryable: false, title: 'The secret values were already handed out' },
  'body-too-large': { status: 413, retryable: false, title: 'The body is too large' },
  'file-too-large': { status: 413, retryable: false, title: 'The file is too large' },
  'unsupported-media-type': { status: 415, retryable: false, title: 'The content type is not supported' },
  'range-not-satisfiable': { status: 416, retryable: false, title: 'The file has no such bytes' },
  'file-type-refused': { status: 422, retryable: false, title: 'A file of this type is not taken here' },
  'invalid-answer': { status: 422, retryable: false, title: 'The answer does not fit the question' },
  'rate-limited': { status: 429, retryable: true, title: 'Too many requests' },
  'headers-too-large': { status: 431, retryable: false, title: 'The headers are too large' },
  internal: { status: 500, retryable: false, title: 'Something went wrong on the server' },
  'storage-unavailable': { status: 503, retryable: true, title: 'The change could not be stored' },
  'replay-under-way': { status: 409, retryable: true, title: 'A replay of this webhook is under way' },
  'too-many-webhooks': { status: 409, retryable: false, title: 'The org has as many webhooks as it may have' },
  busy: { status: 503, retryable: true, title: 'Too many changes to the same thing at once' },
  'shutting-down': { status: 503, retryable: true, title: 'The server is stopping' },
} as const satisfies Record<string, { status: number; retryable: boolean; title: string }>;

export type ErrorCode = keyof typeof errorTable;

/** A refusal as data: the domain returns it, operations throw it, transports render it. */
export interface Fault {
  code: ErrorCode;
  detail: string;
  problems?: readonly Problem[];
  /** Facts about the current state, such as the status and version of an interaction. */
  current?: Readonly<Record<string, unknown>>;
  retryAfterMs?: number;
  /** As the server sent it over HTTP. A newer server may have codes that this table does not. */
  status?: number;
  retryable?: boolean;
}

/** Known to every copy of this package in a process: an app and the server in it may each have bundled one. */
const mark = Symbol.for('holdpoint.error');

export class HoldpointError extends Error {
  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: a class that extends this one has only its own instances.
    return this === HoldpointError ? mark in Object(value) : super[Symbol.hasInstance](value);
  }

  readonly fault: Fault;

  constructor(fault: Fault, options?: { cause?: unknown }) {
    super(fault.detail, options);
    this.name = 'HoldpointError';
    this.fault = fault;
  }

  get [mark](): true {
    return true;
  }

  get code(): ErrorCode {
    return this.fault.code;
  }
}

export function fail(code: ErrorCode, detail: string, more: Omit<Fault, 'code' | 'detail'> = {}): never {
  throw new HoldpointError({ code, detail, ...more });
}
