/** Calls MCP with the official client. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { World } from './world.ts';

export const mcpVersions = ['2026-07-28', '2025-11-25', '2025-06-18'] as const;

/** Connects a client of one version until the work ends. */
export async function withMcp<T>(
  world: World,
  work: (client: Client) => Promise<T>,
  version: (typeof mcpVersions)[number] = '2026-07-28',
  key = world.key,
): Promise<T> {
  const pinned =
    version === '2026-07-28'
      ? { versionNegotiation: { mode: { pin: version } } }
      : { supportedProtocolVersions: [version] };
  const client = new Client({ name: 'holdpoint-conformance', version: '0.1.0' }, pinned);
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  const fetch = (url: string | URL, init?: RequestInit) => world.fetch(String(url), init);
  const allTools = new URL(`${world.url}/mcp?tools=ask,input-requests`);
  await client.connect(new StreamableHTTPClientTransport(allTools, { requestInit, fetch }));
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

/** Returns the structured result, which the client checks by the schema of the tool. Throws on an error of the tool. */
// biome-ignore lint/suspicious/noExplicitAny: the cases check what a server answers.
export const callTool = (world: World, name: string, input: Record<string, unknown>): Promise<any> =>
  withMcp(world, async (client) => {
    await client.listTools();
    return resultOf(client, name, input);
  });

// biome-ignore lint/suspicious/noExplicitAny: as above.
export async function resultOf(client: Client, name: string, input: Record<string, unknown>): Promise<any> {
  const result = await client.callTool({ name, arguments: input });
  if (result.isError) throw new Error(`${name}: ${JSON.stringify(result.content)}`);
  return result.structuredContent;
}
