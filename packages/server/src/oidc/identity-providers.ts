/** Speaks OpenID Connect with identity providers, by `openid-client`. It is loaded with the first sign-in. */
import { defined, type Problem } from '@holdpoint/protocol';
import type { JWTPayload } from 'jose';
import type { Addresses } from '../delivery/webhooks/addresses.ts';
import type { StoredProvider } from '../domain/people/identity-provider.ts';
import type {
  AccessTokenUse,
  AccountAtProvider,
  AuthorizationRequest,
  Clock,
  DiscoveryFacts,
  IdentityProviders,
  LogoutToken,
  OwnedProvider,
  VerifiedSignIn,
} from '../operations/context.ts';
import { SignInRefused } from '../operations/people/sign-in-refused.ts';
import { AccessTokens } from './access-tokens.ts';
import type { Discovered } from './discovery-documents.ts';
import { algorithms, ProviderClients, stepMs, toleranceSeconds, withinTime } from './provider-clients.ts';

/** Signing out must not wait long for a provider. */
const endSessionMs = 2_000;
/** An id token or logout token is made for the request in which it comes. */
const tokenSeconds = 600;

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';

export interface IdentityProviderOptions {
  clock: Clock;
  configured: readonly StoredProvider[];
  addresses: Addresses;
  userAgent: string;
}

export class OpenIdProviders implements IdentityProviders {
  readonly configured: readonly StoredProvider[];
  readonly #clock: Clock;
  readonly #addresses: Addresses;
  readonly #clients: ProviderClients;
  readonly #accessTokens: AccessTokens;

  constructor({ clock, configured, addresses, userAgent }: IdentityProviderOptions) {
    this.configured = configured;
    this.#clock = clock;
    this.#addresses = addresses;
    this.#clients = new ProviderClients({ clock, addresses, userAgent });
    this.#accessTokens = new AccessTokens({ clock, clients: this.#clients });
  }

  async checkIssuer(issuer: string, orgId: string): Promise<Problem | undefined> {
    const problem = await this.#addresses.check(issuer, orgId);
    return problem && { ...problem, pointer: '/issuer' };
  }

  checkDiscovery(owner: Omit<OwnedProvider, 'settings'>, issuer: string): Promise<DiscoveryFacts> {
    return withinTime(stepMs, async () => {
      const { server, keys } = await this.#clients.documents.request(owner, issuer);
      for (const name of ['authorization_endpoint', 'token_endpoint'] as const)
        if (!server[name]) throw new SignInRefused('invalid-response', name);
      const signedWith = server.id_token_signing_alg_values_supported ?? algorithms;
      if (!signedWith.some((each) => algorithms.includes(each)))
        throw new SignInRefused('invalid-response', 'id_token_signing_alg_values_supported');
      await keys.reload();
      return { hasBackchannelLogout: server.backchannel_logout_supported === true };
    });
  }

  authorizationUrl(provider: OwnedProvider, request: AuthorizationRequest): Promise<string> {
    return withinTime(stepMs, async () => {
      const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import('openid-client');
      const { scopes = ['profile', 'email'] } = provider.settings;
      const { server } = await this.#clients.documents.get(provider);
      const { redirectUri: redirect_uri, state, nonce, verifier } = request;
      const url = buildAuthorizationUrl(await this.#clients.configuration(provider, server), {
        ...{ redirect_uri, state, nonce, scope: ['openid', ...scopes].join(' ') },
        ...{ code_challenge: await calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
      });
      if (!/^https?:$/.test(url.protocol)) throw new SignInRefused('invalid-response', 'authorization_endpoint');
      return url.href;
    });
  }

  finish(provider: OwnedProvider, request: AuthorizationRequest, search: string): Promise<VerifiedSignIn> {
    return withinTime(stepMs, async () => {
      const discovered = await this.#clients.documents.get(provider);
      try {
        return await this.#finish(provider, discovered, request, search);
      } catch (error) {
        // An endpoint may have moved. The next sign-in loads the document again.
        discovered.at = 0;
        throw error;
      }
    });
  }

  async #finish(
    provider: OwnedProvider,
    { server, keys }: Discovered,
    { redirectUri, state, nonce, verifier }: AuthorizationRequest,
    search: string,
  ): Promise<VerifiedSignIn> {
    const { authorizationCodeGrant, fetchUserInfo } = await import('openid-client');
    const configuration = await this.#clients.configuration(provider, server);
    const returned = new URL(redirectUri);
    returned.search = search;
    const tokens = await authorizationCodeGrant(configuration, returned, {
      ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true },
    });
    const { id_token: idToken = '', access_token: accessToken } = tokens;
    // The library relies on TLS and leaves the signature of the id token unchecked.
    const claims = await this.#verified(provider, { server, keys }, idToken);
    const { sub: subject = '', iss: issuer = '', sid } = claims;
    const isComplete = !server.userinfo_endpoint || wantedClaims(provider.settings).every((name) => name in claims);
    const more = isComplete ? {} : await fetchUserInfo(configuration, accessToken, subject);
    return {
      ...{ issuer, subject, idToken, claims: { ...more, ...claims, ...emailOf(claims, more) } },
      ...(typeof sid === 'string' && sid !== '' ? { providerSessionId: sid } : {}),
    };
  }

  async #verified(
    { settings }: OwnedProvider,
    { server, keys }: Pick<Discovered, 'server' | 'keys'>,
    token: string,
  ): Promise<JWTPayload> {
    const { jwtVerify } = await import('jose');
    const { payload } = await jwtVerify(token, keys, {
      ...{ issuer: server.issuer, audience: settings.clientId, algorithms, requiredClaims: ['iat'] },
      ...{ maxTokenAge: tokenSeconds, clockTolerance: toleranceSeconds, currentDate: new Date(this.#clock.now()) },
    });
    return payload;
  }

  async endSessionUrl(
    provider: OwnedProvider,
    { idToken, returnTo }: { idToken?: string; returnTo: string },
  ): Promise<string | undefined> {
    const url = withinTime(endSessionMs, async () => {
      const { server } = await this.#clients.documents.get(provider);
      if (!server.end_session_endpoint) return undefined;
      const { buildEndSessionUrl } = await import('openid-client');
      const { href, protocol } = buildEndSessionUrl(await this.#clients.configuration(provider, server), {
        ...{ post_logout_redirect_uri: returnTo, ...defined({ id_token_hint: idToken }) },
      });
      return /^https?:$/.test(protocol) ? href : undefined;
    });
    // Our own session has ended. The user need not hear that the provider cannot be reached.
    return url.catch(() => undefined);
  }

  readLogoutToken(provider: OwnedProvider, token: string): Promise<LogoutToken | undefined> {
    return withinTime(stepMs, async () => {
      const discovered = await this.#clients.documents.get(provider);
      const claims = await this.#verified(provider, discovered, token);
      const { iss: issuer = '', jti: id, sub: subject, sid: providerSessionId, events, nonce } = claims;
      const event = isObject(events) && Object.hasOwn(events, logoutEvent) ? events[logoutEvent] : undefined;
      // With a nonce it could be an id token.
      if (!isObject(event) || nonce !== undefined || typeof id !== 'string' || id === '') return undefined;
      if (subject === undefined && typeof providerSessionId !== 'string') return undefined;
      return {
        ...{ issuer, id },
        ...defined({
          subject,
          providerSessionId: typeof providerSessionId === 'string' ? providerSessionId : undefined,
        }),
      };
    }).catch((error: unknown) => {
      if (error instanceof SignInRefused && error.reason === 'invalid-response') return undefined;
      throw error;
    });
  }

  readAccessToken(provider: OwnedProvider, token: string, use: AccessTokenUse): Promise<AccountAtProvider | undefined> {
    return this.#accessTokens.read(provider, token, use);
  }

  close(): Promise<void> {
    return this.#clients.close();
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The claims that are asked of the userinfo endpoint if the id token lacks one. Names with dots may be paths. */
const wantedClaims = ({ roleClaim, groupClaim }: StoredProvider): string[] => [
  ...['email', 'email_verified', 'name'],
  ...[roleClaim, groupClaim].filter((name) => name !== undefined),
];

type Claims = Readonly<Record<string, unknown>>;

/** Takes the email and whether it is verified from one source, because the two sources may name different emails. */
function emailOf(claims: Claims, more: Claims): Claims {
  const { email, email_verified } =
    'email' in claims && !('email_verified' in claims) && 'email' in more ? more : claims;
  return 'email' in claims ? { email, email_verified } : {};
}
