/** The tools as an MCP server, of the current specification and of the two before it. */
import { Server, type ServerContext, type Tool } from '@modelcontextprotocol/server';
import manifest from '../package.json' with { type: 'json' };
import { tasksExtension } from './ask-human/client-powers.ts';
import { offerTasks } from './ask-human/tasks.ts';
import { callTool, type PreparedTool } from './call-tool.ts';
import type { McpCaller } from './mcp-caller.ts';
import { type ToolDefinition, tools } from './tools.ts';

const versions = ['2026-07-28', '2025-11-25', '2025-06-18'];
/** The tools change with the software alone. */
const listHints = { ttlMs: 300_000, cacheScope: 'public' } as const;

const instructions =
  'Ask people for decisions and structured input. ask_human asks and gives the answer; where nobody has answered in time its status is pending, and wait_for_human waits on. create_input_request opens a durable request of a conversation and does not wait: read it again with get_input_request until its status is no longer open.';

export interface McpServerOptions {
  /** Whoever calls. */
  callerOf(context: ServerContext): McpCaller;
  onError(error: unknown): void;
}

/** A server for each request, or for each connection that has a process of its own. */
export function mcpServerFactory({ callerOf, onError }: McpServerOptions): () => Server {
  const prepared = new Map(
    Object.entries(tools).map(([verb, { name, inputSchema }]: [string, ToolDefinition]) => [
      name,
      { verb, inputSchema } as PreparedTool,
    ]),
  );
  const listed = Object.values(tools) as readonly object[] as Tool[];
  return () => {
    // The low-level one: that for tools alone tells a tool nothing of its call but the arguments, and so not whether it is
    // to be a task.
    const server = new Server(
      { name: 'holdpoint', title: 'Holdpoint', version: manifest.version },
      {
        capabilities: {
          tools: { listChanged: false },
          tasks: { cancel: {}, requests: { tools: { call: {} } } },
          extensions: { [tasksExtension]: {} },
        },
        supportedProtocolVersions: versions,
        instructions,
        cacheHints: { 'tools/list': listHints, 'server/discover': listHints },
        // Older clients are asked nothing: over HTTP there is no way back to them.
        inputRequired: { legacyShim: false },
        requestState: {
          verify(state, context) {
            const claims = callerOf(context).states.open(state);
            if (!claims) throw new Error('it is forged, out of date, or of another caller');
            return claims;
          },
        },
      },
    );
    server.setRequestHandler('tools/list', () => ({ tools: listed }));
    server.setRequestHandler('tools/call', ({ params }, context) =>
      callTool(prepared, params, { caller: callerOf(context), context, onError }),
    );
    offerTasks(server, callerOf);
    return server;
  };
}
