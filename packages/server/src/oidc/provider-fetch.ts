/** Calls identity providers: with a bound on the response, and without private addresses where they are not allowed. */
import type { Agent, Response as UndiciResponse } from 'undici';
import { type Addresses, privateAddressCode } from '../delivery/webhooks/addresses.ts';
import type { OwnedProvider } from '../operations/context.ts';

/** A discovery document or a set of keys has a few KB. */
const mostBytes = 1_048_576;
const connectMs = 4_000;

interface FetchInit {
  method?: string;
  headers?: Headers | Record<string, string>;
  body?: unknown;
  signal?: AbortSignal | undefined;
}

/** As the libraries call it. They never follow redirects. */
export type ProviderFetch = (url: string, init: FetchInit) => Promise<Response>;

export class ProviderConnections {
  readonly #addresses: Addresses;
  readonly #userAgent: string;
  readonly #agents = new Map<string, Promise<Agent>>();

  constructor({ addresses, userAgent }: { addresses: Addresses; userAgent: string }) {
    this.#addresses = addresses;
    this.#userAgent = userAgent;
  }

  fetchFor({ orgId, mayBePrivate }: Pick<OwnedProvider, 'orgId' | 'mayBePrivate'>): ProviderFetch {
    return async (url, { method = 'GET', headers, body, signal }) => {
      if (!mayBePrivate && this.#addresses.isRefusedLiteral(url))
        throw Object.assign(new TypeError('The address is not allowed.'), { code: privateAddressCode });
      const { fetch } = await import('undici');
      const dispatcher = await this.#agentFor(mayBePrivate ? undefined : orgId);
      const sent = { ...Object.fromEntries(new Headers(headers).entries()), 'user-agent': this.#userAgent };
      const response = await fetch(url, {
        ...{ method, headers: sent, redirect: 'manual', dispatcher },
        ...(body === undefined || body === null ? {} : { body: String(body) }),
        ...(signal ? { signal } : {}),
      });
      return bounded(response);
    };
  }

  async close(): Promise<void> {
    const agents = [...this.#agents.values()];
    this.#agents.clear();
    await Promise.all(agents.map(async (agent) => (await agent).destroy()));
  }

  /** The agent of an org looks up names for this org, so that one org's slow names do not delay another's. */
  #agentFor(orgId: string | undefined): Promise<Agent> {
    const key = orgId ?? '';
    let agent = this.#agents.get(key);
    if (!agent) {
      const lookup = orgId === undefined ? {} : { lookup: this.#addresses.lookupFor(orgId) };
      agent = import('undici').then(
        ({ Agent }) =>
          new Agent({
            connections: 8,
            pipelining: 1,
            keepAliveTimeout: 4_000,
            connect: { timeout: connectMs, ...lookup },
          }),
      );
      this.#agents.set(key, agent);
    }
    return agent;
  }
}

/** Reads at most `mostBytes`, so that no provider fills the memory. Redirects and empty responses have no body. */
async function bounded({ status, headers, body }: UndiciResponse): Promise<Response> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > mostBytes) throw new TypeError('The response of the identity provider is too large.');
    chunks.push(chunk);
  }
  const isEmpty = bytes === 0 || [101, 204, 205, 304].includes(status);
  return new Response(isEmpty ? null : Buffer.concat(chunks), { status, headers: [...headers] });
}
