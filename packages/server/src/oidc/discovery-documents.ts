/**
 * Loads the discovery documents of identity providers and keeps them, so that a provider that is down for a while does not
 * slow down the start or the sign-in page.
 */
import type { RemoteJWKSet } from 'jose';
import type { ServerMetadata } from 'openid-client';
import type { Clock, OwnedProvider } from '../operations/context.ts';
import { SignInRefused } from '../operations/people/sign-in-refused.ts';
import type { ProviderConnections } from './provider-fetch.ts';

/** Bounds one request to a provider. */
export const requestSeconds = 5;
/** Until this age, a discovery document is used as it is. After it, it is used while a new one is loaded. */
const freshMs = 3_600_000;
const mostDocuments = 1_000;
/** A key that is not known is looked up at most this often, so that forged tokens do not cost the provider much. */
const keyCooldownMs = 5_000;

export interface Discovered {
  issuer: string;
  server: ServerMetadata;
  keys: RemoteJWKSet;
  at: number;
  refreshing?: Promise<unknown>;
}

export const isInsecure = (issuer: string): boolean => issuer.startsWith('http:');

export class DiscoveryDocuments {
  readonly #clock: Clock;
  readonly #connections: ProviderConnections;
  readonly #kept = new Map<string, Discovered>();
  readonly #loading = new Map<string, Promise<Discovered>>();

  constructor({ clock, connections }: { clock: Clock; connections: ProviderConnections }) {
    this.#clock = clock;
    this.#connections = connections;
  }

  /** Returns the kept document, even if it is old, and otherwise waits for one. */
  async get(provider: OwnedProvider): Promise<Discovered> {
    const key = `${provider.orgId} ${provider.settings.id}`;
    const kept = this.#kept.get(key);
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
      loading = this.request(provider, issuer)
        .then((discovered) => {
          const [oldest = ''] = this.#kept.keys();
          if (this.#kept.size >= mostDocuments) this.#kept.delete(oldest);
          this.#kept.set(key, discovered);
          return discovered;
        })
        .finally(() => this.#loading.delete(loadKey));
      this.#loading.set(loadKey, loading);
    }
    return loading;
  }

  /** Asks the provider, and keeps nothing. */
  async request(owner: Omit<OwnedProvider, 'settings'>, issuer: string): Promise<Discovered> {
    const [client, { createRemoteJWKSet, customFetch }] = await Promise.all([import('openid-client'), import('jose')]);
    const fetch = this.#connections.fetchFor(owner);
    // The library wants the id of a client, and does not send it.
    const configuration = await client.discovery(new URL(issuer), 'any', undefined, client.None(), {
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
}
