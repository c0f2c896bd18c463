/** The test server, with callers whose every response is held against the OpenAPI document. */
import type { Interaction, ResponderToken, Thread } from '@holdpoint/protocol';
import { type CallOptions, Client, type Reply } from '../../client.ts';
import { adminKey, startTestServer, type TestServer, type TestServerOptions } from '../../test-server.ts';
import { ApiSpec, type OpenApi } from './api-spec.ts';

export class SpecClient extends Client {
  readonly spec: ApiSpec;

  constructor(url: string, token: string | undefined, spec: ApiSpec) {
    super(url, token);
    this.spec = spec;
  }

  override as(token: string | undefined): SpecClient {
    return new SpecClient(this.url, token, this.spec);
  }

  override async call<T = Record<string, unknown>>(path: string, options: CallOptions = {}): Promise<Reply<T>> {
    const reply = await super.call<T>(path, options);
    const method = options.method ?? (options.body === undefined ? 'GET' : 'POST');
    this.spec.check({ method, path, sent: options.body, reply });
    return reply;
  }

  patch<T = Interaction>(path: string, body: unknown): Promise<Reply<T>> {
    return this.call<T>(path, { method: 'PATCH', body });
  }

  /** What a call of the test's own preparation made; throws where it was refused. */
  async made<T>(path: string, body: unknown = {}): Promise<T> {
    const { status, body: made } = await this.post<T>(path, body);
    if (status >= 300) throw new Error(`POST ${path} → ${status} ${JSON.stringify(made)}`);
    return made;
  }

  newThread(body: unknown = {}): Promise<Thread> {
    return this.made('/v1/threads', body);
  }

  /** Asks in a new thread by default. */
  async ask(question: Record<string, unknown> = {}, threadId?: string): Promise<Interaction> {
    const id = threadId ?? (await this.newThread()).id;
    return this.made(`/v1/threads/${id}/interactions`, { title: 'Deploy?', options: ['yes', 'no'], ...question });
  }

  answer(id: string, values: unknown = { choice: 'yes' }): Promise<Reply<Interaction>> {
    return this.post(`/v1/interactions/${id}/answers`, { values });
  }

  async withKey(role: 'agent' | 'admin' = 'agent'): Promise<SpecClient & { keyId: string }> {
    const { id, secret } = await this.made<{ id: string; secret: string }>('/v1/keys', { name: 'a key', role });
    return Object.assign(this.as(secret), { keyId: id });
  }

  async withToken(reach: Record<string, unknown>): Promise<SpecClient> {
    const { token } = await this.made<ResponderToken>('/v1/responder-tokens', { responderId: 'ada', ...reach });
    return this.as(token);
  }

  /** The first admin of a new org. */
  async withOrg(id: string): Promise<SpecClient> {
    const { adminKey } = await this.made<{ adminKey: { secret: string } }>('/v1/orgs', { id });
    return this.as(adminKey.secret);
  }

  async metric(name: string): Promise<number> {
    const text = await (await fetch(`${this.url}/metrics`)).text();
    return Number(new RegExp(`^${name}(?:{[^}]*})? (\\S+)$`, 'm').exec(text)?.[1]);
  }
}

export type SpecServer = Omit<TestServer, 'admin'> & { readonly admin: SpecClient };

/** By document, because compiling the schemas of one takes longer than most tests. */
const specs = new Map<string, ApiSpec>();

export async function startSpecServer(options: TestServerOptions = {}): Promise<SpecServer> {
  const server = await startTestServer(options);
  const document = await (await fetch(`${server.url}/openapi.json`)).text();
  const spec = specs.get(document) ?? new ApiSpec(JSON.parse(document) as OpenApi);
  specs.set(document, spec);
  return Object.defineProperty(server, 'admin', {
    get: () => new SpecClient(server.url, adminKey, spec),
    set: () => {},
  }) as SpecServer;
}
