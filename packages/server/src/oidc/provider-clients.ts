/** Calls each identity provider as its client. */
import type { Configuration, ServerMetadata } from 'openid-client';
import type { Addresses } from '../delivery/webhooks/addresses.ts';
import type { Clock, OwnedProvider } from '../operations/context.ts';
import { SignInRefused } from '../operations/people/sign-in-refused.ts';
import { DiscoveryDocuments, isInsecure, requestSeconds } from './discovery-documents.ts';
import { ProviderConnections, type ProviderFetch } from './provider-fetch.ts';
import { reasonOf } from './refusal-reasons.ts';

/** Bounds all requests of one step of a sign-in. */
export const stepMs = 10_000;
/** Difference of the clocks of two machines. */
export const toleranceSeconds = 60;

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

interface ProviderClientOptions {
  clock: Clock;
  addresses: Addresses;
  userAgent: string;
}

export class ProviderClients {
  readonly documents: DiscoveryDocuments;
  readonly #clock: Clock;
  readonly #connections: ProviderConnections;

  constructor({ clock, addresses, userAgent }: ProviderClientOptions) {
    this.#clock = clock;
    this.#connections = new ProviderConnections({ addresses, userAgent });
    this.documents = new DiscoveryDocuments({ clock, connections: this.#connections });
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
