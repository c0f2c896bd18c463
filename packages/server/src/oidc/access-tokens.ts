/** Checks access tokens of MCP clients: by the keys of their provider, or by asking the provider (RFC 7662). */
import { hash } from 'node:crypto';
import type { JWTPayload, JWTVerifyOptions } from 'jose';
import type { IntrospectionResponse } from 'openid-client';
import type { AccessTokenUse, AccountAtProvider, Clock, OwnedProvider } from '../operations/context.ts';
import { SignInRefused } from '../operations/people/sign-in-refused.ts';
import type { Discovered } from './discovery-documents.ts';
import { algorithms, type ProviderClients, stepMs, toleranceSeconds, withinTime } from './provider-clients.ts';
import { reasonOf } from './refusal-reasons.ts';

/** A revoked token is accepted for at most this time. */
const introspectedMs = 30_000;
const mostIntrospected = 10_000;

interface Introspected {
  account: Promise<AccountAtProvider | undefined>;
  until: number;
}

export class AccessTokens {
  readonly #clock: Clock;
  readonly #clients: ProviderClients;
  readonly #introspected = new Map<string, Introspected>();

  constructor({ clock, clients }: { clock: Clock; clients: ProviderClients }) {
    this.#clock = clock;
    this.#clients = clients;
  }

  read(provider: OwnedProvider, token: string, use: AccessTokenUse): Promise<AccountAtProvider | undefined> {
    return provider.settings.mcpTokens === 'introspection'
      ? this.#introspect(provider, token, use)
      : withinTime(stepMs, () => this.#verify(provider, token, use));
  }

  async #verify(provider: OwnedProvider, token: string, { resource }: AccessTokenUse) {
    const discovered = await this.#discover(provider);
    const { issuer } = discovered.server;
    try {
      const { payload, protectedHeader } = await verifiedBy(discovered, token, {
        ...{ issuer, audience: resource, algorithms, requiredClaims: ['exp', 'sub'] },
        ...{ clockTolerance: toleranceSeconds, currentDate: new Date(this.#clock.now()) },
      });
      return isAccessToken(protectedHeader.typ, payload) ? accountOf(issuer, payload.sub) : undefined;
    } catch (error) {
      return undefinedIfInvalid(error);
    }
  }

  /** Keeps the hash of the token. Calls at the same time wait for one request. */
  #introspect(provider: OwnedProvider, token: string, { resource, limit }: AccessTokenUse) {
    const { orgId, settings } = provider;
    const key = hash('sha256', JSON.stringify([orgId, settings, resource, token]), 'base64url');
    const now = this.#clock.now();
    const kept = this.#introspected.get(key);
    if (kept && kept.until > now && kept.until <= now + introspectedMs) return kept.account;
    limit();
    const account = withinTime(stepMs, () => this.#ask(provider, token, resource));
    this.#introspected.delete(key);
    const [oldest = ''] = this.#introspected.keys();
    if (this.#introspected.size >= mostIntrospected) this.#introspected.delete(oldest);
    const asked: Introspected = { account: account.then((found) => found?.account), until: now + introspectedMs };
    this.#introspected.set(key, asked);
    account.then(
      (found) => {
        asked.until = Math.min(asked.until, found?.until ?? asked.until);
      },
      () => this.#introspected.delete(key),
    );
    return asked.account;
  }

  async #ask(provider: OwnedProvider, token: string, resource: string) {
    const { server } = await this.#discover(provider);
    const { tokenIntrospection } = await import('openid-client');
    const configuration = await this.#clients.configuration(provider, server);
    // No error of this request says anything about the token: the provider is down, or does not know our client.
    const response = await tokenIntrospection(configuration, token, { token_type_hint: 'access_token' }).catch(
      unavailable,
    );
    const seconds = this.#clock.now() / 1000;
    const account = isUsable(response, { issuer: server.issuer, resource, seconds })
      ? accountOf(server.issuer, response.sub)
      : undefined;
    return { account, until: ((response.exp ?? Number.POSITIVE_INFINITY) + toleranceSeconds) * 1000 };
  }

  #discover(provider: OwnedProvider): Promise<Discovered> {
    return this.#clients.documents.get(provider).catch(unavailable);
  }
}

function unavailable(error: unknown): never {
  const { reason, detail } = reasonOf(error);
  throw new SignInRefused('provider-unavailable', detail ?? reason);
}

function undefinedIfInvalid(error: unknown): undefined {
  const refused = reasonOf(error);
  if (refused.reason === 'provider-unavailable') throw refused;
  return undefined;
}

/** Uses the last keys of a provider that cannot be reached. */
async function verifiedBy({ keys }: Discovered, token: string, options: JWTVerifyOptions) {
  const { createLocalJWKSet, jwtVerify } = await import('jose');
  try {
    return await jwtVerify(token, keys, options);
  } catch (error) {
    const last = keys.jwks();
    if (!last || reasonOf(error).reason !== 'provider-unavailable') throw error;
    return jwtVerify(token, createLocalJWKSet(last), options).catch((late: { code?: unknown }) => {
      // The token may be signed with a new key.
      throw late.code === 'ERR_JWKS_NO_MATCHING_KEY' ? error : late;
    });
  }
}

/** The types of the header that providers give access tokens. RFC 9068 says `at+jwt`; many say `JWT` or nothing. */
const headerTypes = ['at+jwt', 'application/at+jwt', 'jwt'];
/** Claims of id tokens, logout tokens, and tokens whose sender must prove to have a key, which we do not check. */
const foreignClaims = ['nonce', 'at_hash', 'c_hash', 'events', 'cnf'];

/** Keycloak names the type of a token in the claim `typ`: an id token is `ID`. */
const isAccessToken = (headerType: string | undefined, payload: JWTPayload): boolean =>
  headerTypes.includes(headerType?.toLowerCase() ?? 'jwt') &&
  foreignClaims.every((name) => !Object.hasOwn(payload, name)) &&
  (payload.typ === undefined || payload.typ === 'Bearer');

function isUsable(
  { active, iss, aud, exp, nbf, token_type, cnf }: IntrospectionResponse,
  { issuer, resource, seconds }: { issuer: string; resource: string; seconds: number },
): boolean {
  const isInTime =
    (exp ?? Number.POSITIVE_INFINITY) > seconds - toleranceSeconds && (nbf ?? 0) <= seconds + toleranceSeconds;
  const isBearer = cnf === undefined && (token_type === undefined || token_type.toLowerCase() === 'bearer');
  return active && isInTime && isBearer && (iss ?? issuer) === issuer && [aud].flat().includes(resource);
}

const accountOf = (issuer: string, subject: unknown): AccountAtProvider | undefined =>
  typeof subject === 'string' && subject !== '' ? { issuer, subject } : undefined;
