/**
 * The state of a sign-in with an identity provider: random text in the address, and a signed cookie that binds it to the
 * browser and to the provider. The nonce and the secret of PKCE follow from the state, so that no browser holds them.
 */
import { randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { jwtVerify, SignJWT } from 'jose';
import type { Clock } from '../operations/context.ts';
import type { Store } from '../stores/store.ts';
import { hmac, serverSecret } from './server-secret.ts';

const name = 'holdpoint_auth';
const hostPrefix = '__Host-';
const issuer = 'holdpoint-sign-in';
/** The user enters a password and a second factor in this time. */
const seconds = 600;
const maxLength = 4_096;

/** A sign-in that began in this browser. */
interface BegunSignIn {
  /** The name of the provider in its addresses. */
  provider: string;
  /** The part of our page to which the user returns, from # on. */
  to: string;
  state: string;
}

export interface SignInStates {
  begin(request: FastifyRequest, begun: Omit<BegunSignIn, 'state'>): Promise<BegunSignIn & { cookie: string }>;
  /** Returns the sign-in of this browser, or undefined if it has none, or another one. */
  read(request: FastifyRequest, provider: string): Promise<BegunSignIn | undefined>;
  /** Returns a Set-Cookie header that removes the cookie. */
  clear(request: FastifyRequest): string;
  /** The same for every node. Nobody who sees the state can compute them. */
  secretsOf(state: string): { nonce: string; verifier: string };
}

export async function signInStates(
  store: Pick<Store, 'getOrCreateMeta'>,
  { clock, isOnlyByHttps }: { clock: Clock; isOnlyByHttps: boolean },
): Promise<SignInStates> {
  const secret = await serverSecret(store, 'sign-in-secret');
  const derive = (purpose: string, state: string) => hmac(secret, ['sign-in', purpose, state]).toString('base64url');

  /** Lax: the provider leads the user back from another site, and a Strict cookie would stay behind. */
  const cookie = (request: FastifyRequest, value: string, maxAge: number) => {
    const named = nameFor(request, isOnlyByHttps);
    const path = named.startsWith(hostPrefix) ? '/; Secure' : '/auth';
    return `${named}=${value}; Path=${path}; Max-Age=${maxAge}; HttpOnly; SameSite=Lax`;
  };

  return {
    async begin(request, { provider, to }) {
      const state = randomBytes(32).toString('base64url');
      const exp = Math.ceil(clock.now() / 1000) + seconds;
      const claims = { iss: issuer, aud: provider, state, to, exp };
      const signed = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(secret);
      return { provider, to, state, cookie: cookie(request, signed, seconds) };
    },
    async read(request, provider) {
      const given = cookieOf(request, nameFor(request, isOnlyByHttps));
      if (given === undefined) return undefined;
      const options = { algorithms: ['HS256'], issuer, audience: provider, currentDate: new Date(clock.now()) };
      try {
        const { payload } = await jwtVerify<{ state?: string; to?: string }>(given, secret, options);
        const { state, to } = payload;
        return state && to !== undefined ? { provider, to, state } : undefined;
      } catch {
        return undefined;
      }
    },
    clear: (request) => cookie(request, '', 0),
    secretsOf: (state) => ({ nonce: derive('nonce', state), verifier: derive('verifier', state) }),
  };
}

/** Both requests are navigations, which name no origin. Cookies ignore the port, so the name contains it. */
function nameFor({ headers: { host } }: FastifyRequest, isOnlyByHttps: boolean): string {
  const address = `http://${host}`;
  const { port } = new URL(URL.canParse(address) ? address : 'http://unnamed');
  return `${isOnlyByHttps ? hostPrefix : ''}${name}${port ? `_${port}` : ''}`;
}

const cookieOf = ({ headers: { cookie = '' } }: FastifyRequest, wanted: string): string | undefined =>
  cookie
    .split(';')
    .map((part) => part.trim().split('=', 2))
    .find(([given, value]) => given === wanted && value !== undefined && value.length <= maxLength)?.[1];
