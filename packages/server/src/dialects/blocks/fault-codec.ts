/** Renders faults as `{"error": "<code>", message, details?}`. */
import {
  type ErrorCode,
  errorTable,
  type Fault,
  HoldpointError,
  type Problem,
  sentenceOf,
  tokensOf,
} from '@holdpoint/protocol';
import { pathOf } from '../pointers.ts';

/** Errors that only this dialect has. */
const own = {
  intent_not_allowed: { status: 403, code: 'forbidden' },
  intent_not_matched: { status: 404, code: 'thread-not-found' },
  invalid_wait_token: { status: 409, code: 'interaction-not-found' },
  execution_aborted: { status: 410, code: 'interaction-cancelled' },
} as const satisfies Record<string, { status: number; code: ErrorCode }>;

export type OwnError = keyof typeof own;

export function refuse(error: OwnError, detail: string): never {
  throw new HoldpointError({ code: own[error].code, detail, current: { error } });
}

export const refuseToken = (): never => refuse('invalid_wait_token', lateAnswer.message);

const invalidInput = { status: 400, error: 'invalid_input' };
const noExecution = { status: 404, error: 'execution_not_found', message: 'There is no such execution.' };
const lateAnswer = {
  status: 409,
  error: 'invalid_wait_token',
  message: 'The wait token has expired, was already used, or belongs to another execution.',
};

/** Native codes that have another name in this dialect. The others keep their status, and their name with underscores. */
const words: Partial<Record<ErrorCode, { status: number; error: string; message?: string }>> = {
  'malformed-request': invalidInput,
  'malformed-body': invalidInput,
  'invalid-input': invalidInput,
  unauthenticated: { status: 401, error: 'invalid_session_token' },
  'origin-not-allowed': { status: 403, error: 'origin_not_allowed' },
  'key-disabled': { status: 403, error: 'widget_disabled' },
  'run-not-found': noExecution,
  'message-not-found': noExecution,
  'interaction-not-found': lateAnswer,
  'interaction-already-answered': lateAnswer,
  'interaction-cancelled': lateAnswer,
  'interaction-expired': lateAnswer,
  'already-voted': lateAnswer,
  'invalid-answer': { status: 422, error: 'validation_failed' },
};

export function renderFault({ code, detail, problems = [], current }: Fault): { status: number; body: object } {
  const ownError = current?.error as OwnError | undefined;
  const known = ownError && ownError in own ? { error: ownError, status: own[ownError].status } : words[code];
  const { status, error } = known ?? { status: errorTable[code].status, error: code.replaceAll('-', '_') };
  const message = known && 'message' in known && known.message ? known.message : detail;
  if (problems.length === 0) return { status, body: { error, message } };
  const details = problems.map((problem) => ({
    field: fieldOf(problem),
    code: problem.code,
    message: problem.message,
  }));
  return { status, body: { error, message: sentenceOf(problems, fieldOf), details } };
}

const parts = ['values', 'payload', 'query', 'path', 'headers'];

/** The name of the field of a value, else a path such as `events[0].name`. */
function fieldOf({ pointer }: Problem): string {
  const [first = '', ...more] = tokensOf(pointer);
  return pathOf(parts.includes(first) && more.length > 0 ? more : tokensOf(pointer));
}
