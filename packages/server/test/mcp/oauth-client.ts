/** The official SDK as an OAuth client: it registers itself, and the test signs in for its user. */
import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { expect } from 'vitest';
import { authorize, redirectUri } from '../oidc/access-token.ts';
import { legacy, modern } from './mcp-client.ts';

const info = { name: 'a test', version: '1' };

type Saved = Partial<{
  client: Awaited<ReturnType<OAuthClientProvider['clientInformation']>>;
  tokens: Awaited<ReturnType<OAuthClientProvider['tokens']>>;
  verifier: string;
  at: URL;
  discovery: OAuthDiscoveryState;
}>;

/** Keeps everything in memory, as a client that runs once. */
export function memory(registered?: Saved['client']): OAuthClientProvider & { saved: Saved } {
  const saved: Saved = { client: registered };
  return {
    saved,
    redirectUrl: redirectUri,
    clientMetadata: {
      ...{ client_name: 'A test', redirect_uris: [redirectUri], application_type: 'native' },
      token_endpoint_auth_method: 'none',
    },
    clientInformation: () => saved.client,
    saveClientInformation(given) {
      saved.client = given;
    },
    tokens: () => saved.tokens,
    saveTokens(given) {
      saved.tokens = given;
    },
    codeVerifier: () => saved.verifier ?? '',
    saveCodeVerifier(given) {
      saved.verifier = given;
    },
    discoveryState: () => saved.discovery,
    saveDiscoveryState(given) {
      saved.discovery = given;
    },
    redirectToAuthorization(at) {
      saved.at = at;
    },
  };
}

interface ConnectedClient extends AsyncDisposable {
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
}

/** As far as the test uses them, both generations are the same. */
interface Generation {
  isFirst?: true;
  Client: new (info: object, options: object) => { connect(transport: object): Promise<void>; close(): Promise<void> };
  Transport: new (url: URL, options: object) => { finishAuth(returned: unknown): Promise<void> };
}

const first = async (): Promise<Generation> => {
  const client = await import('@modelcontextprotocol/sdk/client/index.js');
  const http = await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
  return {
    Client: client.Client,
    Transport: http.StreamableHTTPClientTransport,
    isFirst: true,
  } as unknown as Generation;
};
const second = async (): Promise<Generation> =>
  ({ Client, Transport: StreamableHTTPClientTransport }) as unknown as Generation;

export const oauthSdks = [
  ['1.32', first, {}],
  ['2.4, in version 2025-06-18', second, legacy('2025-06-18')],
  ['2.4, in version 2025-11-25', second, legacy('2025-11-25')],
  ['2.4, in version 2026-07-28', second, modern],
] as const;

/** Connects without a token, signs in where the SDK leads, and connects again. */
export async function connectByOAuth(
  url: string,
  {
    load,
    options,
    user,
    provider,
  }: { load: () => Promise<Generation>; options: object; user: string; provider: ReturnType<typeof memory> },
): Promise<ConnectedClient> {
  const { Client, Transport, isFirst } = await load();
  const connect = async () => {
    const transport = new Transport(new URL(url), { authProvider: provider });
    const client = new Client(info, options);
    return { client, transport, done: client.connect(transport) };
  };
  const before = await connect();
  await expect(before.done).rejects.toThrow(/Unauthorized/i);
  const returned = await authorize(provider.saved.at?.href ?? '', user);
  await before.transport.finishAuth(isFirst ? returned.get('code') : returned);
  const { client, done } = await connect();
  await done;
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() }) as unknown as ConnectedClient;
}
