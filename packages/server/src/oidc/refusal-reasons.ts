/** Says in our terms why a request to an identity provider failed. No text of the provider passes. */
import type { SignInRefusal } from '@holdpoint/protocol';
import { SignInRefused } from '../operations/people/sign-in-refused.ts';

/** Errors of the provider that say that it cannot work now. */
const unavailable = ['temporarily_unavailable', 'server_error'];

interface Failure {
  name?: string;
  code?: unknown;
  /** The error code of the provider. */
  error?: unknown;
  status?: unknown;
  cause?: unknown;
}

/** By the codes of openid-client and jose. Every other code says that a response is not valid. */
const unreachable: Readonly<Record<string, true>> = {
  OAUTH_TIMEOUT: true,
  OAUTH_ABORT: true,
  OAUTH_RESPONSE_IS_NOT_CONFORM: true,
  ERR_JWKS_TIMEOUT: true,
  ERR_JOSE_GENERIC: true,
};

export function reasonOf(error: unknown): SignInRefused {
  if (error instanceof SignInRefused) return error;
  const { name, code, error: given, status, cause } = error as Failure;
  const ofProvider = typeof given === 'string' && /^[a-z_]{1,40}$/.test(given) ? given : undefined;
  if (code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR') return new SignInRefused(reasonGiven(ofProvider), ofProvider);
  if (code === 'OAUTH_RESPONSE_BODY_ERROR')
    return new SignInRefused(Number(status) >= 500 ? 'provider-unavailable' : 'provider-refused', ofProvider);
  if (typeof code === 'string' && unreachable[code]) return new SignInRefused('provider-unavailable', code);
  if (name === 'TimeoutError' || name === 'AbortError') return new SignInRefused('provider-unavailable', 'timeout');
  // A connection that failed is a TypeError with the reason as its cause, in `fetch` and in what wraps it.
  const connection = connectionCode(error) ?? connectionCode(cause);
  if (connection !== undefined) return new SignInRefused('provider-unavailable', connection);
  return new SignInRefused('invalid-response', typeof code === 'string' ? code : undefined);
}

const reasonGiven = (error: string | undefined): SignInRefusal => {
  if (error === 'access_denied') return 'cancelled';
  return error !== undefined && unavailable.includes(error) ? 'provider-unavailable' : 'provider-refused';
};

function connectionCode(error: unknown): string | undefined {
  if (!(error instanceof TypeError)) return undefined;
  const { code } = error as Failure;
  const inner = (error.cause as Failure | undefined)?.code;
  const found = [code, inner].find((each) => typeof each === 'string' && !each.startsWith('ERR_INVALID_ARG'));
  // A port to which browsers do not connect, for example, has no code.
  return typeof found === 'string' ? found : error.message === 'fetch failed' ? 'connection' : undefined;
}
