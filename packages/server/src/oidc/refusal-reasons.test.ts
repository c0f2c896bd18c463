import { expect, test } from 'vitest';
import { SignInRefused } from '../operations/people/sign-in-refused.ts';
import { reasonOf } from './refusal-reasons.ts';

const failure = (properties: object, cause?: unknown) =>
  Object.assign(new Error('text of the provider', { cause }), properties);
const unreached = (cause: object) => new TypeError('fetch failed', { cause });

test.each([
  [failure({ code: 'OAUTH_AUTHORIZATION_RESPONSE_ERROR', error: 'access_denied' }), 'cancelled', 'access_denied'],
  [
    failure({ code: 'OAUTH_AUTHORIZATION_RESPONSE_ERROR', error: 'server_error' }),
    'provider-unavailable',
    'server_error',
  ],
  [
    failure({ code: 'OAUTH_AUTHORIZATION_RESPONSE_ERROR', error: 'login_required' }),
    'provider-refused',
    'login_required',
  ],
  [failure({ code: 'OAUTH_AUTHORIZATION_RESPONSE_ERROR', error: '<b>' }), 'provider-refused', undefined],
  [
    failure({ code: 'OAUTH_RESPONSE_BODY_ERROR', error: 'invalid_client', status: 401 }),
    'provider-refused',
    'invalid_client',
  ],
  [failure({ code: 'OAUTH_RESPONSE_BODY_ERROR', error: 'x', status: 503 }), 'provider-unavailable', 'x'],
  [failure({ code: 'OAUTH_TIMEOUT' }), 'provider-unavailable', 'OAUTH_TIMEOUT'],
  [failure({ code: 'ERR_JWKS_TIMEOUT' }), 'provider-unavailable', 'ERR_JWKS_TIMEOUT'],
  [failure({ name: 'TimeoutError' }), 'provider-unavailable', 'timeout'],
  [unreached({ code: 'ECONNREFUSED' }), 'provider-unavailable', 'ECONNREFUSED'],
  [failure({}, unreached({ code: 'ENOTFOUND' })), 'provider-unavailable', 'ENOTFOUND'],
  [unreached(new Error('bad port')), 'provider-unavailable', 'connection'],
  [
    failure({ code: 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED' }),
    'invalid-response',
    'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
  ],
  [new TypeError('anything else'), 'invalid-response', undefined],
  [failure({ code: 7 }), 'invalid-response', undefined],
])('[PE104] %s: %s, %s', (error, reason, detail) => {
  const refused = reasonOf(error);
  expect([refused.reason, refused.detail]).toEqual([reason, detail]);
  expect(refused.message).not.toContain('text of the provider');
});

test('[PE104] a refusal stays what it is', () => {
  const refused = new SignInRefused('expired');
  expect(reasonOf(refused)).toBe(refused);
});
