/**
 * The client of each provider: its discovery document, its keys, and how the server calls it. A document is kept, so that
 * a provider that is down for a while does not slow down the start or the sign-in page.
 */
import type { createRemoteJWKSet } from 'jose';
import type { Configuration, ServerMetadata } from 'openid-client';
import type { Addresses } from '../delivery/webhooks/addresses.ts';
import type { Clock, OwnedProvider } from '../operations/context.ts';
import { SignInRefused } from '../operations/people/sign-in-refused.ts';
import { ProviderConnections, type ProviderFetch } from './provider-fetch.ts';
import { reasonOf } from './refusal-reasons.ts';

/** One request to a provider, and all requests of one step of a sign-in. */
const requestSeconds = 5;
export const stepMs = 10_000;
/** Until this age, a discovery document is used as it is. After it, it is used while a new one is loaded. */
const freshMs = 3_600_000;
const mostDiscoveries = 1_000;
/** Difference of the clocks of two machines. */
export const toleranceSeconds = 60;
/** A key that is not known is looked up at most this often, so that forged tokens do not cost the provider much. */
const keyCooldownMs = 5_000;

/** Without algorithms that use the client secret: with them, everybody who has the secret could sign in as anybody. */
export const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

export interface Discovered {
  issuer: string;
  server: ServerMetadata;
  keys: ReturnType<typeof createRemoteJWKSet>;
  at: number;
  refreshing?: Promise<unknown>;
}

interface ProviderClientOptions {
  clock: Clock;
  addresses: Addresses;
  userAgent: string;
}

export class ProviderClients {
  readonly #clock: Clock;
  readonly #connections: ProviderConnections;
  readonly #discovered = new Map<string, Discovered>();
  readonly #loading = new Map<string, Promise<Discovered>>();

  constructor({ clock, addresses, userAgent }: ProviderClientOptions) {
    this.#clock = clock;
    this.#connections = new ProviderConnections({ addresses, userAgent });
  }

  /** Returns the kept discovery, even if it is old, and otherwise waits for one. */
  async discover(provider: OwnedProvider): Promise<Discovered> {
    const key = `${provider.orgId} ${provider.settings.id}`;
    const kept = this.#discovered.get(key);
    if (!kept || kept.issuer !== provider.settings.issuer) return this.#load(key, provider);
    if (Math.abs(this.#clock.now() - kept.at) > freshMs)
      // The old one is used if the provider cannot be reached.
      kept.refreshing ??= this.#load(key, provider).catch(() => {
        kept.at = this.#clock.now() - freshMs + 30_000;
        delete kept.refreshing;
      });
    return kept;
  }

  /** Users who sign in at the same time wait for the same request. */
  #load(key: string, provider: OwnedProvider): Promise<Discovered> {
    const { issuer } = provider.settings;
    const loadKey = `${key} ${issuer}`;
    let loading = this.#loading.get(loadKey);
    if (!loading) {
      loading = this.#request(provider)
        .then((discovered) => {
          const [oldest = ''] = this.#discovered.keys();
          if (this.#discovered.size >= mostDiscoveries) this.#discovered.delete(oldest);
          this.#discovered.set(key, discovered);
          return discovered;
        })
        .finally(() => this.#loading.delete(loadKey));
      this.#loading.set(loadKey, loading);
    }
    return loading;
  }

  async #request(provider: OwnedProvider): Promise<Discovered> {
    const [client, { createRemoteJWKSet, customFetch }] = await Promise.all([import('openid-client'), import('jose')]);
    const { issuer, clientId } = provider.settings;
    const fetch = this.#connections.fetchFor(provider);
    const configuration = await client.discovery(new URL(issuer), clientId, undefined, client.None(), {
      ...{ timeout: requestSeconds, [client.customFetch]: fetch as never },
      ...(isInsecure(issuer) ? { execute: [client.allowInsecureRequests] } : {}),
    });
    const server = configuration.serverMetadata();
    // The library compares them as URLs, in which a slash at the end makes no difference.
    if (server.issuer.replace(/\/$/, '') !== issuer.replace(/\/$/, ''))
      throw new SignInRefused('invalid-response', 'issuer');
    if (!server.jwks_uri) throw new SignInRefused('invalid-response', 'jwks_uri');
    const keys = createRemoteJWKSet(new URL(server.jwks_uri), {
      ...{ timeoutDuration: requestSeconds * 1000, cooldownDuration: keyCooldownMs },
      [customFetch]: fetch as never,
    });
    return { issuer, server, keys, at: this.#clock.now() };
  }

  /** A configuration has the offset of the clock, which may change. */
  async configuration(provider: OwnedProvider, server: ServerMetadata): Promise<Configuration> {
    const client = await import('openid-client');
    const { clientId, clientSecret, issuer } = provider.settings;
    const skew = Math.round((this.#clock.now() - Date.now()) / 1000);
    const metadata = { [client.clockSkew]: skew, [client.clockTolerance]: toleranceSeconds };
    const made = new client.Configuration(server, clientId, metadata, authOf(client, clientSecret, provider, server));
    made.timeout = requestSeconds;
    made[client.customFetch] = this.#connections.fetchFor(provider) as ProviderFetch as never;
    if (isInsecure(issuer)) client.allowInsecureRequests(made);
    return made;
  }

  close(): Promise<void> {
    return this.#connections.close();
  }
}

/** `basic` is the method that every provider must have, unless its document names others. */
function authOf(
  { None, ClientSecretBasic, ClientSecretPost }: typeof import('openid-client'),
  secret: string | undefined,
  { settings: { clientAuth } }: OwnedProvider,
  { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] }: ServerMetadata,
) {
  if (secret === undefined) return None();
  const isPost = clientAuth === undefined ? !methods.includes('client_secret_basic') : clientAuth === 'post';
  return isPost ? ClientSecretPost(secret) : ClientSecretBasic(secret);
}

const isInsecure = (issuer: string): boolean => issuer.startsWith('http:');

export async function withinTime<T>(ms: number, run: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new SignInRefused('provider-unavailable', 'timeout')), ms);
  });
  try {
    return await Promise.race([run(), late]);
  } catch (error) {
    throw reasonOf(error);
  } finally {
    clearTimeout(timer);
  }
}
