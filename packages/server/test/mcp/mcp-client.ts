/** The official client of MCP, by version and by what it can do, in front of a server under test. */
import type { Interaction } from '@holdpoint/protocol';
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect } from 'vitest';
import type { Client as TestClient } from '../client.ts';
import { adminKey } from '../test-server.ts';

export const modern = { versionNegotiation: { mode: { pin: '2026-07-28' } } } as const;
export const legacy = (version: string) => ({ supportedProtocolVersions: [version] });

export const versions = [
  ['2026-07-28', modern],
  ['2025-11-25', legacy('2025-11-25')],
  ['2025-06-18', legacy('2025-06-18')],
] as const;

/** What a client says that it can do. */
export const powers = {
  form: { elicitation: { form: {} } },
  url: { elicitation: { url: {} } },
  both: { elicitation: { form: {}, url: {} } },
} as const;

export type McpClient = Client & AsyncDisposable;

export async function connectMcp(
  url: string,
  options: ClientOptions,
  key = adminKey,
  { path = '/mcp', send = fetch }: { path?: string; send?: typeof fetch } = {},
): Promise<McpClient> {
  const client = new Client({ name: 'a test', version: '1' }, options);
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url + path), { requestInit, fetch: send }));
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}

/** The result of ask_human and wait_for_human. */
export interface AskResult {
  status: string;
  interaction_id: string;
  thread_id: string;
  values?: Record<string, unknown>;
  reason?: string;
  answered_by?: { type: string; id: string };
  digest?: string;
  secret_fields?: string[];
}

/** A round that the test does by hand: what the client was asked, and the state it is to bring back. */
export interface Round {
  requestState: string;
  inputRequests: Record<string, { params: { mode?: string; message: string; url?: string; requestedSchema?: object } }>;
}

export const ask = async (client: Client, input: object): Promise<AskResult> => call(client, 'ask_human', input);
export const waitOn = async (client: Client, interaction_id: string, wait_seconds = 50): Promise<AskResult> =>
  call(client, 'wait_for_human', { interaction_id, wait_seconds });

async function call(client: Client, name: string, input: object): Promise<AskResult> {
  // The client holds the answer against the schema of the tool.
  await client.listTools();
  const result = await client.callTool({ name, arguments: { ...input } });
  if (result.isError) throw new Error(JSON.stringify(result.content));
  return result.structuredContent as unknown as AskResult;
}

export async function firstRound(client: Client, input: object): Promise<Round> {
  const result = await client.callTool({ name: 'ask_human', arguments: { ...input } }, { allowInputRequired: true });
  return result as unknown as Round;
}

/** Comes back with what the person said; the result is another round where the server asks again. */
export function nextRound(client: Client, { input, requestState, said }: Back): Promise<unknown> {
  const params = { name: 'ask_human', arguments: { ...input }, requestState, inputResponses: { answer: said } };
  return client.callTool(params as Parameters<Client['callTool']>[0], { allowInputRequired: true });
}

export interface Back {
  input: object;
  requestState: string;
  said: object;
}

/** How many wait at the server now. */
export async function waitersAt({ url }: { url: string }): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^holdpoint_waiters (\d+)$/m.exec(metrics)?.[1]);
}

/** Does it to the question that is open, once somebody waits for it. */
export async function onceWaitedAt(
  server: { url: string; admin: TestClient },
  work: (id: string) => Promise<unknown>,
): Promise<void> {
  await expect.poll(() => waitersAt(server)).toBe(1);
  const { body } = await server.admin.get<{ data: Interaction[] }>('/v1/interactions?status=pending');
  await work(body.data[0]?.id ?? '');
}
