/** The tools as an MCP server, for the current specification and the three before it. */
import { type McpRequestContext, Server, type ServerContext, type Tool } from '@modelcontextprotocol/server';
import manifest from '../package.json' with { type: 'json' };
import { tasksExtension } from './ask-human/form-channel.ts';
import { offerTasks } from './ask-human/tasks.ts';
import { callTool } from './call-tool.ts';
import type { McpCaller } from './mcp-caller.ts';
import { type ToolSet, type ToolVerb, toolSets, tools } from './tools.ts';

/** The newest first. A client that requests another version gets the newest version of `initialize`. */
const versions = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'];
/** The tools change only with a new release. */
const listHints = { ttlMs: 300_000, cacheScope: 'public' } as const;

const instructions: Readonly<Record<ToolSet, string>> = {
  ask: 'ask_human asks a person and returns the answer. If nobody answers in time, its status is pending. Then call wait_for_human.',
  'input-requests':
    'create_input_request creates a durable request of a conversation and does not wait. Call get_input_request until its status is not open.',
};

export interface McpServerOptions {
  callerOf(context: ServerContext): McpCaller;
  /** The tool sets for the client of this request or connection. */
  setsFor(request: McpRequestContext): readonly ToolSet[];
  onError(error: unknown): void;
}

/** A server for each HTTP request, or for a stdio connection. */
export function mcpServerFactory(options: McpServerOptions): (request: McpRequestContext) => Server {
  const { callerOf, setsFor, onError } = options;
  return (request) => {
    const sets = setsFor(request);
    const verbs = sets.flatMap((name): readonly ToolVerb[] => toolSets[name]);
    const listed = verbs.map((verb) => tools[verb]) as readonly object[] as Tool[];
    // The high-level server passes only the arguments to a tool, so the tool would not know that it must start a task.
    const server = new Server(
      { name: 'holdpoint', title: 'Holdpoint', version: manifest.version },
      {
        capabilities: {
          tools: { listChanged: false },
          tasks: { cancel: {}, requests: { tools: { call: {} } } },
          extensions: { [tasksExtension]: {} },
        },
        supportedProtocolVersions: versions,
        instructions: ['Ask people for decisions and structured input.', ...sets.map((set) => instructions[set])].join(
          ' ',
        ),
        cacheHints: { 'tools/list': listHints, 'server/discover': listHints },
        // We send forms to older clients ourselves: the SDK accepts a reply only on the node and connection that asked.
        inputRequired: { legacyShim: false },
        requestState: {
          verify(state, context) {
            const claims = callerOf(context).states.open(state);
            if (!claims) throw new Error('it is forged or expired, or belongs to another caller');
            return claims;
          },
        },
      },
    );
    server.setRequestHandler('tools/list', () => ({ tools: listed }));
    server.setRequestHandler('tools/call', ({ params }, context) =>
      callTool(params, { server, verbs, caller: callerOf(context), context, onError }),
    );
    offerTasks(server, callerOf);
    return server;
  };
}
