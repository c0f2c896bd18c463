/** The one table of errors. Every transport renders them, and no code below a transport knows a status number. */
import type { Problem } from './problem.ts';

export const errorTable = {
  'malformed-request': { status: 400, retryable: false, title: 'The request is not valid HTTP' },
  'malformed-body': { status: 400, retryable: false, title: 'The body is not valid JSON' },
  'invalid-input': { status: 400, retryable: false, title: 'The input is invalid' },
  'invalid-cursor': { status: 400, retryable: false, title: 'The cursor is invalid' },
  unauthenticated: { status: 401, retryable: false, title: 'A valid API key or token is required' },
  forbidden: { status: 403, retryable: false, title: 'The key or token does not permit this call' },
  'admin-key-needed': { status: 403, retryable: false, title: 'The call needs an admin key' },
  'origin-not-allowed': { status: 403, retryable: false, title: 'The public key does not allow this origin' },
  'key-disabled': { status: 403, retryable: false, title: 'The public key is disabled' },
  'wrong-responder': { status: 403, retryable: false, title: 'The question is for another responder' },
  'not-requester': { status: 403, retryable: false, title: 'The requester may not answer this question' },
  'assurance-needed': { status: 403, retryable: false, title: 'The answer needs a higher assurance' },
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
  'person-not-found': { status: 404, retryable: false, title: 'There is no such person' },
  'group-not-found': { status: 404, retryable: false, title: 'There is no such group' },
  'passkey-not-found': { status: 404, retryable: false, title: 'There is no such passkey' },
  'session-not-found': { status: 404, retryable: false, title: 'There is no such session' },
  'provider-not-found': { status: 404, retryable: false, title: 'There is no such identity provider' },
  'key-not-found': { status: 404, retryable: false, title: 'There is no such API key' },
  'method-not-allowed': { status: 405, retryable: false, title: 'The path does not offer this method' },
  'request-timeout': { status: 408, retryable: true, title: 'The request did not arrive in time' },
  'interaction-already-answered': { status: 409, retryable: false, title: 'The interaction was already answered' },
  'interaction-cancelled': { status: 409, retryable: false, title: 'The interaction was cancelled' },
  'interaction-expired': { status: 409, retryable: false, title: 'The deadline of the interaction has passed' },
  'interaction-has-votes': { status: 409, retryable: false, title: 'The question already has votes' },
  'interaction-not-due': { status: 409, retryable: false, title: 'The deadline has not been reached' },
  'interaction-claimed': { status: 409, retryable: false, title: 'Another responder has claimed the interaction' },
  'interaction-not-claimed': { status: 409, retryable: false, title: 'The interaction is not claimed' },
  'already-voted': { status: 409, retryable: false, title: 'This responder has already voted' },
  'version-conflict': { status: 409, retryable: false, title: 'Another call has changed the record' },
  'question-changed': { status: 409, retryable: false, title: 'The question has changed since it was shown' },
  'message-not-streaming': { status: 409, retryable: false, title: 'The message is not being streamed' },
  'person-exists': { status: 409, retryable: false, title: 'A person with this email already exists' },
  'group-exists': { status: 409, retryable: false, title: 'A group with this id already exists' },
  'provider-exists': { status: 409, retryable: false, title: 'An identity provider with this id already exists' },
  'provider-read-only': { status: 409, retryable: false, title: 'The identity provider belongs to the configuration' },
  'too-many-providers': { status: 409, retryable: false, title: 'The org has reached its limit of identity providers' },
  'last-admin': { status: 409, retryable: false, title: 'The org needs an active admin' },
  'person-deactivated': { status: 409, retryable: false, title: 'The person is deactivated' },
  'link-used': { status: 410, retryable: false, title: 'The sign-in link was used or has expired' },
  'org-exists': { status: 409, retryable: false, title: 'An org with this id already exists' },
  'thread-exists': { status: 409, retryable: false, title: 'A thread with this id already exists' },
  'grant-revoked': { status: 409, retryable: false, title: 'The grant was already revoked' },
  'lease-lost': { status: 409, retryable: false, title: 'This worker does not hold the batch' },
  'run-waiting': { status: 409, retryable: false, title: 'The run is waiting' },
  'run-ended': { status: 409, retryable: false, title: 'The run has ended' },
  'run-open': { status: 409, retryable: false, title: 'The thread has an open run' },
  'run-superseded': { status: 409, retryable: false, title: 'The run can no longer be restarted' },
  'delivery-pending': { status: 409, retryable: false, title: 'The delivery is still being attempted' },
  'idempotency-key-reused': { status: 409, retryable: false, title: 'The idempotency key was used for another call' },
  'secrets-taken': { status: 410, retryable: false, title: 'The secret values were already read' },
  'body-too-large': { status: 413, retryable: false, title: 'The body is too large' },
  'file-too-large': { status: 413, retryable: false, title: 'The file is too large' },
  'unsupported-media-type': { status: 415, retryable: false, title: 'The content type is not supported' },
  'range-not-satisfiable': { status: 416, retryable: false, title: 'The file has none of the requested bytes' },
  'file-type-refused': { status: 422, retryable: false, title: 'The field does not accept this type of file' },
  'invalid-answer': { status: 422, retryable: false, title: 'The answer is invalid' },
  'rate-limited': { status: 429, retryable: true, title: 'Too many requests' },
  'headers-too-large': { status: 431, retryable: false, title: 'The headers are too large' },
  internal: { status: 500, retryable: false, title: 'The server had an unexpected error' },
  'storage-unavailable': { status: 503, retryable: true, title: 'The storage is unavailable' },
  'provider-unavailable': { status: 503, retryable: true, title: 'The identity provider cannot be reached' },
  'replay-under-way': { status: 409, retryable: true, title: 'A replay of this webhook is running' },
  'too-many-webhooks': { status: 409, retryable: false, title: 'The org has reached its limit of webhooks' },
  busy: { status: 503, retryable: true, title: 'Too many concurrent changes to the same record' },
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

/** Reports whether an error is a fault with one of these codes. */
export const hasCode = (error: unknown, ...codes: readonly ErrorCode[]): error is HoldpointError =>
  error instanceof HoldpointError && codes.includes(error.code);

/** Makes a call, and handles a fault with one of these codes. Any other error is thrown. */
export async function onFault<Result, Instead>(
  codes: ErrorCode | readonly ErrorCode[],
  call: () => Result | Promise<Result>,
  handle: (error: HoldpointError) => Instead | Promise<Instead>,
): Promise<Result | Instead> {
  try {
    return await call();
  } catch (error) {
    if (hasCode(error, ...[codes].flat())) return handle(error);
    throw error;
  }
}

/** The codes of an answer that came too late. */
export const closedCodes = [
  'interaction-already-answered',
  'interaction-cancelled',
  'interaction-expired',
] as const satisfies readonly ErrorCode[];

export function fail(code: ErrorCode, detail: string, more: Omit<Fault, 'code' | 'detail'> = {}): never {
  throw new HoldpointError({ code, detail, ...more });
}
