/** The tools as an MCP server, of the current specification and of the two before it. */
import { HoldpointError } from '@holdpoint/protocol';
import {
  type CallToolResult,
  fromJsonSchema,
  McpServer,
  type McpServerFactory,
  type ServerContext,
} from '@modelcontextprotocol/server';
import manifest from '../package.json' with { type: 'json' };
import type { InputRequests } from './input-requests.ts';
import { toRefusal } from './refusal.ts';
import { type ToolDefinition, tools } from './tools.ts';

const versions = ['2026-07-28', '2025-11-25', '2025-06-18'];
/** The tools change with the software alone. */
const listHints = { ttlMs: 300_000, cacheScope: 'public' } as const;

const instructions =
  'Ask people for structured input and read their answers. create_input_request opens a durable request; nothing blocks: read it again with get_input_request until its status is no longer open.';

export interface McpServerOptions {
  /** The verbs, for whoever calls. */
  requestsOf(context: ServerContext): InputRequests;
  onError(error: unknown): void;
}

export function mcpServerFactory({ requestsOf, onError }: McpServerOptions): McpServerFactory {
  // Compiled once, and not for each call.
  const prepared = Object.entries(tools).map(([verb, tool]) => ({
    verb: verb as Verb,
    name: tool.name,
    config: read(tool),
  }));
  return () => {
    const server = new McpServer(
      { name: 'holdpoint', title: 'Holdpoint', version: manifest.version },
      {
        capabilities: { tools: { listChanged: false } },
        supportedProtocolVersions: versions,
        instructions,
        cacheHints: { 'tools/list': listHints, 'server/discover': listHints },
      },
    );
    for (const { verb, name, config } of prepared)
      server.registerTool(name, config, (input, context) => call(requestsOf(context), verb, input, onError));
    return server;
  };
}

type Verb = keyof typeof tools;

const read = ({ title, description, annotations, inputSchema, outputSchema }: ToolDefinition) => ({
  title,
  description,
  annotations,
  inputSchema: fromJsonSchema<Record<string, unknown>>(inputSchema),
  outputSchema: fromJsonSchema(outputSchema),
});

/** A refusal is text alone: older clients hold whatever is structured against the schema of what is not refused. */
async function call(
  requests: InputRequests,
  verb: Verb,
  input: Record<string, unknown>,
  onError: (error: unknown) => void,
): Promise<CallToolResult> {
  try {
    // The SDK has held the input against the schema of this verb.
    const result = await requests[verb](input as never);
    return { content: [asText(result)], structuredContent: { ...result } };
  } catch (error) {
    if (!(error instanceof HoldpointError)) onError(error);
    return { isError: true, content: [asText(toRefusal(faultOf(error)))] };
  }
}

const faultOf = (error: unknown) =>
  error instanceof HoldpointError ? error.fault : ({ code: 'internal', detail: 'Something went wrong.' } as const);

const asText = (value: object) => ({ type: 'text' as const, text: JSON.stringify(value) });
