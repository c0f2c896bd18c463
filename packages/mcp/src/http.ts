/** The MCP server behind one HTTP path: every request stands alone, so that any node can answer it. */
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { McpCaller } from './mcp-caller.ts';
import { mcpServerFactory } from './mcp-server.ts';

export interface McpHttp {
  /** Answers one request whose caller is known and whose body is read. */
  fetch(request: Request, call: { caller: McpCaller; body: unknown }): Promise<Response>;
  /** Ends what is still open. */
  close(): Promise<void>;
}

/** Who only listens for changes of the tools, which there are none of. */
const maxSubscriptions = 64;

export function createMcpHttp(onError: (error: unknown) => void): McpHttp {
  const factory = mcpServerFactory({
    callerOf: ({ http }) => http?.authInfo?.extra?.caller as McpCaller,
    onError,
  });
  const handler = createMcpHandler(factory, { onerror: onError, maxSubscriptions });
  return {
    fetch: (request, { caller, body }) =>
      // Tools are given what their caller may do, and never the key itself.
      handler.fetch(request, {
        authInfo: { token: '', clientId: '', scopes: [], extra: { caller } },
        parsedBody: body,
      }),
    close: () => handler.close(),
  };
}
