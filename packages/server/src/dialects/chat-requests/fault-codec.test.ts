import { type ErrorCode, errorTable, type Fault } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import { translatePointer } from '../pointers.ts';
import { answerPointers, configPointers, renderFault } from './fault-codec.ts';
import { withPointers } from './lenient-routes.ts';

const errorOf = (fault: Partial<Fault>) => renderFault({ code: 'internal', detail: 'D', ...fault });

test('what was late or does not fit is a mistake there, and all else has the status it has here', () => {
  const mistakes: ErrorCode[] = [
    'interaction-already-answered',
    'interaction-cancelled',
    'interaction-expired',
    'invalid-answer',
  ];
  for (const [code, { status }] of Object.entries(errorTable)) {
    const rendered = errorOf({ code: code as ErrorCode });
    const expected = mistakes.includes(code as ErrorCode) ? 400 : code === 'file-type-refused' ? 415 : status;
    expect(rendered.status, code).toBe(expected);
    const { error } = rendered.body as { error: { code: string; message: string } };
    expect(error.code, code).toMatch(/^[A-Z_]+$/);
    expect(error.message, code).toMatch(/^(D|.+\.)$/);
  }
});

test('each status has one code', () => {
  const codes = new Map<number, Set<string>>();
  for (const code of Object.keys(errorTable)) {
    const { status, body } = errorOf({ code: code as ErrorCode });
    const known = codes.get(status) ?? new Set();
    codes.set(status, known.add((body as { error: { code: string } }).error.code));
  }
  expect(Object.fromEntries([...codes].map(([status, names]) => [status, [...names]]))).toEqual({
    400: ['VALIDATION_ERROR'],
    401: ['UNAUTHORIZED'],
    403: ['FORBIDDEN'],
    404: ['NOT_FOUND'],
    405: ['METHOD_NOT_ALLOWED'],
    408: ['REQUEST_TIMEOUT'],
    409: ['CONFLICT'],
    410: ['GONE'],
    413: ['PAYLOAD_TOO_LARGE'],
    415: ['UNSUPPORTED_MEDIA_TYPE'],
    416: ['RANGE_NOT_SATISFIABLE'],
    429: ['RATE_LIMITED'],
    431: ['HEADERS_TOO_LARGE'],
    500: ['INTERNAL_ERROR'],
    503: ['SERVICE_UNAVAILABLE'],
  });
});

test('places are written as there, the first of them as the field', () => {
  const problem = (pointer: string) => ({ pointer, code: 'c', message: 'No.' });
  const problems = ['/config/options/0/id', '/query/limit', '/headers/idempotency-key', '', '/values/a~1b~0', '/x'];
  const { body } = errorOf({ code: 'invalid-input', problems: problems.map(problem) });
  expect(body).toEqual({
    error: {
      code: 'VALIDATION_ERROR',
      message: 'config.options[0].id: No. limit: No. Idempotency-Key: No. No. values.a/b~: No. And 1 more.',
      details: { field: 'config.options[0].id', problems: problems.map(problem) },
    },
  });
});

test('the error of a late call shows the status of the request', () => {
  const late = (status: string, decision?: string) =>
    errorOf({ code: 'interaction-already-answered', current: { id: 'i', status, decision } }).body;
  const withStatus = (status: string) => ({ error: expect.objectContaining({ details: { requestId: 'i', status } }) });
  expect(late('answered', 'accepted')).toEqual(withStatus('resolved'));
  expect(late('answered', 'declined')).toEqual(withStatus('cancelled'));
  expect(late('expired')).toEqual(withStatus('cancelled'));
});

const met = { id: 'i', closedBy: { type: 'human', id: 'ann' }, closedAt: '2030' };

test.each([
  ['thread-not-found', {}, 'Chat not found.'],
  ['message-not-found', {}, 'Message not found.'],
  ['interaction-not-found', {}, 'Request not found.'],
  ['batch-not-found', {}, 'Dispatch batch not found.'],
  ['file-not-found', {}, 'Media not found.'],
  ['unauthenticated', {}, 'Missing or invalid instance secret.'],
  ['message-not-streaming', {}, 'Message is not in streaming state.'],
  ['lease-lost', {}, 'Dispatch lease is no longer owned by this worker.'],
  ['idempotency-key-reused', {}, 'Idempotency-Key already used with a different request payload.'],
  ['invalid-cursor', {}, 'cursor event id was not found.'],
  ['interaction-cancelled', met, 'Only pending requests can be resolved.'],
  ['interaction-expired', { tried: 'cancelled' }, 'Only pending requests can be cancelled.'],
  ['interaction-already-answered', { ...met, tried: 'declined' }, 'Only pending requests can be declined.'],
  [
    'interaction-has-votes',
    { status: 'pending' },
    'A request with votes cannot change. Cancel it and create a new one.',
  ],
  ['wrong-responder', {}, 'D'],
] as const)('%s of %j has the message of Opengram', (code, current, message) => {
  expect(errorOf({ code, current }).body).toMatchObject({ error: { message } });
});

test('who is late reads who closed the request, and when', () => {
  const { body } = errorOf({ code: 'interaction-cancelled', current: { ...met, status: 'cancelled' } });
  const details = { requestId: 'i', status: 'cancelled', closedBy: met.closedBy, closedAt: met.closedAt };
  expect(body).toMatchObject({ error: { details } });
});

test.each([
  ['choice', '/options/3/value', '/config/options/3/id'],
  ['choice', '/options/3/label', '/config/options/3/label'],
  ['choice', '/minSelections', '/config/minSelections'],
  ['choice', '/label', '/title'],
  ['choice', '/fields/0/name', '/config/fields/0/name'],
  ['text_input', '/fields/0/minLength', '/config/validation/minLength'],
  ['text_input', '/fields/0/placeholder', '/config/placeholder'],
  ['text_input', '/fields/0/label', '/title'],
  ['form', '/fields/1/options/2/value', '/config/fields/1/options/2/value'],
  ['form', '/submitLabel', '/config/submitLabel'],
  ['form', '/original', '/config'],
  ['form', '/original/sent/config/a', '/config/a'],
  ['form', '/deadline/at', '/expiresAt'],
  ['form', '/title', '/title'],
  ['form', '/trace/a', '/trace/a'],
] as const)('in a %s, %s is %s', (type, ours, theirs) => {
  expect(translatePointer(ours, configPointers[type])).toBe(theirs);
});

test('the place of an answer goes by the name of its field', () => {
  const options = [{ value: 'x', label: 'X' }];
  const pick = answerPointers({ kind: 'choice', fields: [{ type: 'multi_select', name: 'a.b/c', options }] });
  expect(translatePointer('/values/a.b~1c/2', pick)).toBe('/selectedOptionIds/2');
  expect(translatePointer('/values/a.b~1cd', pick)).toBe('/values/a.b~1cd');
  expect(translatePointer('/values/aXb~1c', pick)).toBe('/values/aXb~1c');
  const text = answerPointers({ kind: 'input', fields: [{ type: 'text', name: 'why' }] });
  expect(translatePointer('/values/why', text)).toBe('/text');
});

test('what is no refusal of ours passes', async () => {
  const error = new Error('gone');
  await expect(withPointers([], () => Promise.reject(error))).rejects.toBe(error);
});
