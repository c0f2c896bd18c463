/** The tools as an MCP server, of the current specification and of the three before it. */
import { type McpRequestContext, Server, type ServerContext, type Tool } from '@modelcontextprotocol/server';
import manifest from '../package.json' with { type: 'json' };
import { tasksExtension } from './ask-human/form-channel.ts';
import { offerTasks } from './ask-human/tasks.ts';
import { callTool } from './call-tool.ts';
import type { McpCaller } from './mcp-caller.ts';
import { type ToolSet, tools, verbsIn } from './tools.ts';

/** The newest first: a client that asks for one that is not here is answered with the newest of `initialize`. */
const versions = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'];
/** The tools change with the software alone. */
const listHints = { ttlMs: 300_000, cacheScope: 'public' } as const;

const instructions: Readonly<Record<ToolSet, string>> = {
  ask: 'ask_human asks a person and gives the answer; where nobody has answered in time its status is pending, and wait_for_human waits on.',
  'input-requests':
    'create_input_request opens a durable request of a conversation and does not wait: read it again with get_input_request until its status is no longer open.',
};

export interface McpServerOptions {
  /** The caller. */
  callerOf(context: ServerContext): McpCaller;
  /** What is offered, to the client of this request or connection. */
  setsFor(request: McpRequestContext): readonly ToolSet[];
  onError(error: unknown): void;
}

/** A server for each HTTP request, or for a stdio connection. */
export function mcpServerFactory({
  callerOf,
  setsFor,
  onError,
}: McpServerOptions): (request: McpRequestContext) => Server {
  return (request) => {
    const sets = setsFor(request);
    const verbs = verbsIn(sets);
    const listed = verbs.map((verb) => tools[verb]) as readonly object[] as Tool[];
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
        instructions: ['Ask people for decisions and structured input.', ...sets.map((set) => instructions[set])].join(
          ' ',
        ),
        cacheHints: { 'tools/list': listHints, 'server/discover': listHints },
        // Older clients are sent their forms by us: the SDK finds a reply only on the node and the connection that asked.
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
      callTool(params, { server, verbs, caller: callerOf(context), context, onError }),
    );
    offerTasks(server, callerOf);
    return server;
  };
}
