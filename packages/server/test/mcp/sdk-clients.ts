/** The official clients of MCP, one of each generation, as they come from npm: what each of them can do is up to it. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { cli } from '../spawned-server.ts';
import { legacy, modern } from './mcp-client.ts';

/** As far as the tests use them, they are the same since 1.12. */
interface SdkModules {
  client: { Client: new (info: object, options: object) => SdkClient };
  http: { StreamableHTTPClientTransport: new (url: URL, options: object) => object };
  stdio: { StdioClientTransport: new (options: object) => object };
  types: { ElicitRequestSchema?: object };
}

interface SdkClient {
  connect(transport: object): Promise<void>;
  close(): Promise<void>;
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(params: object, ...more: unknown[]): Promise<unknown>;
  setRequestHandler(request: unknown, handler: (request: { params: Form }) => unknown): void;
}

export interface Form {
  mode?: string;
  message: string;
  requestedSchema: { properties: Record<string, object>; required?: string[] };
}

interface ConnectedSdk extends AsyncDisposable {
  toolNames(): Promise<string[]>;
  /** The text of the result, read as JSON; with each report of progress on the way. */
  call(name: string, input: object, onprogress?: (progress: object) => void): Promise<Record<string, unknown>>;
}

export type Answering = (form: Form) => unknown;

export interface Sdk {
  name: string;
  /** Whether it can show a form. */
  showsForms: boolean;
  overHttp(url: string, key: string, answering?: Answering): Promise<ConnectedSdk>;
  overStdio(url: string, key: string, answering?: Answering): Promise<ConnectedSdk>;
}

const info = { name: 'a test', version: '1' };
const overHttp = (url: string, key: string): [URL, object] => [
  new URL(`${url}/mcp`),
  { requestInit: { headers: { authorization: `Bearer ${key}` } } },
];
const overStdio = (url: string, key: string) => ({
  command: process.execPath,
  args: [cli, 'mcp'],
  env: { PATH: process.env.PATH ?? '', HOLDPOINT_URL: url, HOLDPOINT_API_KEY: key },
});

function connected(client: SdkClient, callOptions: (options: object) => unknown[]): ConnectedSdk {
  return {
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    async call(name, input, onprogress) {
      const options = callOptions(onprogress ? { onprogress } : {});
      const result = (await client.callTool({ name, arguments: input }, ...options)) as { content: { text: string }[] };
      return JSON.parse(result.content[0]?.text ?? '');
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** An SDK of 1.x; `client` is the address of its client module. */
function firstGeneration(name: string, client: string, capabilities: object): Sdk {
  const load = async (path: string) => import(new URL(path, client).href);
  const connect = async (make: (modules: SdkModules) => object, answering?: Answering) => {
    const modules: SdkModules = {
      client: await load('./index.js'),
      http: await load('./streamableHttp.js'),
      stdio: await load('./stdio.js'),
      types: await load('../types.js'),
    };
    const made = new modules.client.Client(info, { capabilities: answering ? capabilities : {} });
    if (answering) made.setRequestHandler(modules.types.ElicitRequestSchema, ({ params }) => answering(params));
    await made.connect(make(modules));
    return connected(made, (options) => [undefined, options]);
  };
  return {
    name,
    showsForms: Object.keys(capabilities).length > 0,
    overHttp: (url, key, answering) =>
      connect(({ http }) => new http.StreamableHTTPClientTransport(...overHttp(url, key)), answering),
    overStdio: (url, key, answering) =>
      connect(({ stdio }) => new stdio.StdioClientTransport(overStdio(url, key)), answering),
  };
}

/** The SDK of 2.x, in one of the versions of the protocol that it speaks. */
function secondGeneration(name: string, options: object): Sdk {
  const connect = async (transport: Parameters<Client['connect']>[0], answering?: Answering) => {
    const client = new Client(info, {
      ...options,
      ...(answering ? { capabilities: { elicitation: { form: {} } } } : {}),
    });
    if (answering)
      client.setRequestHandler('elicitation/create', ({ params }) => answering(params as Form) as { action: 'cancel' });
    await client.connect(transport);
    return connected(client as unknown as SdkClient, (each) => [each]);
  };
  return {
    name,
    showsForms: true,
    overHttp: (url, key, answering) => connect(new StreamableHTTPClientTransport(...overHttp(url, key)), answering),
    overStdio: (url, key, answering) => connect(new StdioClientTransport(overStdio(url, key)), answering),
  };
}

export const sdks: readonly Sdk[] = [
  firstGeneration('1.12', import.meta.resolve('mcp-sdk-1-12/client/index.js'), {}),
  firstGeneration('1.13', import.meta.resolve('mcp-sdk-1-13/client/index.js'), { elicitation: {} }),
  firstGeneration('1.32', import.meta.resolve('@modelcontextprotocol/sdk/client/index.js'), {
    elicitation: { form: {} },
  }),
  secondGeneration('2.4, in version 2025-11-25', legacy('2025-11-25')),
  secondGeneration('2.4, in version 2026-07-28', modern),
];
