/// <reference path="./oidc-provider.d.ts" />
/** A real OpenID provider on loopback, whose users, clients and keys a test can change while it runs. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import Provider from 'oidc-provider';

interface ProviderClient {
  client_id: string;
  client_secret?: string;
  redirect_uris: string[];
  [setting: string]: unknown;
}

export interface IdentityProviderServer extends AsyncDisposable {
  issuer: string;
  /** The claims of each user, by the name at which they sign in. Any password is right. */
  users: Map<string, Record<string, unknown>>;
  /** The client that was registered last. */
  client: ProviderClient;
  /** Registers a client, or changes it. */
  register(client: ProviderClient): void;
  /** Signs with a new key from now on. The old one is gone. */
  rotateKeys(): Promise<void>;
  /** Every request is given to this first. It answers the request if it returns true. */
  intercept: ((...args: Parameters<RequestListener>) => boolean) | undefined;
  /** The requests so far: method and path. */
  requests: string[];
  stop(): Promise<void>;
  /** Listens on the same port again. */
  start(): Promise<void>;
}

interface Options {
  /** `localhost` and `127.0.0.1` are different sites for a browser. */
  host?: string;
  /** Puts all claims into the id token. Otherwise most are at the userinfo endpoint only. */
  claimsInIdToken?: boolean;
  /** The form of access tokens for the resource that a client names. */
  accessTokens?: 'jwt' | 'opaque';
}

const newKey = async () => {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { ...(await exportJWK(privateKey)), kid: crypto.randomUUID(), use: 'sig', alg: 'RS256' };
};

/** The provider warns that it is not configured for production. */
function quietly<T>(make: () => T): T {
  const { warn, info } = console;
  Object.assign(console, { warn: () => {}, info: () => {} });
  try {
    return make();
  } finally {
    Object.assign(console, { warn, info });
  }
}

export async function startIdentityProvider({
  host = 'localhost',
  claimsInIdToken = false,
  accessTokens = 'jwt',
}: Options = {}): Promise<IdentityProviderServer> {
  const clients = new Map<string, ProviderClient>();
  const users: IdentityProviderServer['users'] = new Map();
  let keys = [await newKey()];
  let handle: RequestListener | undefined;
  let server: Server;
  let port = 0;

  /** The provider reads its clients and keys once, so a change makes a new one. Its sessions are kept elsewhere. */
  const renew = () => {
    const provider = quietly(() => new Provider(self.issuer, configuration()));
    handle = provider.callback();
    function configuration() {
      const names = Object.fromEntries(['session', 'interaction', 'resume'].map((name) => [name, `_${name}_${port}`]));
      return {
        clients: [...clients.values()],
        jwks: { keys },
        // Without its dispatcher, which refuses loopback addresses.
        fetch: (url: string, { method, headers, body, signal }: RequestInit) =>
          fetch(url, { method, headers, body, signal } as RequestInit),
        cookies: { keys: ['a key of a test'], names },
        claims: {
          openid: ['sub', 'roles', 'groups', 'realm'],
          email: ['email', 'email_verified'],
          profile: ['name', 'given_name', 'family_name', 'preferred_username', 'locale', 'zoneinfo'],
        },
        conformIdTokenClaims: !claimsInIdToken,
        pkce: { required: () => true },
        // Its own values are the same, but it prints a notice for each.
        ttl: {
          AccessToken: 3_600,
          AuthorizationCode: 60,
          IdToken: 3_600,
          Grant: 3_600,
          Interaction: 3_600,
          Session: 3_600,
        },
        features: {
          devInteractions: { enabled: true },
          backchannelLogout: { enabled: true },
          rpInitiatedLogout: { enabled: true },
          jwtUserinfo: { enabled: true },
          registration: { enabled: true },
          introspection: { enabled: true },
          revocation: { enabled: true },
          resourceIndicators: {
            enabled: true,
            getResourceServerInfo: (_context: unknown, resource: string) => ({
              ...{ scope: 'tools', audience: resource, accessTokenFormat: accessTokens },
              ...(accessTokens === 'jwt' ? { jwt: { sign: { alg: 'RS256' } } } : {}),
            }),
          },
        },
        enabledJWA: { idTokenSigningAlgValues: ['RS256', 'HS256', 'ES256'] },
        findAccount: (_context: unknown, id: string) => ({
          accountId: id,
          claims: () => ({ sub: id, ...users.get(id) }),
        }),
        /** Nobody is asked for consent. */
        loadExistingGrant: async ({
          oidc: { client, session },
        }: {
          oidc: { client: { clientId: string }; session: { accountId: string } };
        }) => {
          const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
          grant.addOIDCScope('openid email profile');
          await grant.save();
          return grant;
        },
      };
    }
  };

  const listen = async () => {
    server = createServer((request, response) => {
      self.requests.push(`${request.method} ${request.url?.split('?', 1)[0]}`);
      if (self.intercept?.(request, response)) return;
      handle?.(request, response);
    });
    await new Promise<void>((resolve) => server.listen(port, host, resolve));
    port = (server.address() as AddressInfo).port;
  };

  const self: IdentityProviderServer = {
    issuer: '',
    users,
    intercept: undefined,
    requests: [],
    client: { client_id: '', redirect_uris: [] },
    register(client) {
      self.client = client;
      clients.set(client.client_id, client);
      renew();
    },
    async rotateKeys() {
      keys = [await newKey()];
      renew();
    },
    start: listen,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
    async [Symbol.asyncDispose]() {
      if (server.listening) await self.stop();
    },
  };
  await listen();
  self.issuer = `http://${host}:${port}`;
  renew();
  return self;
}
