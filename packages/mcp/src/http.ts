/** The MCP server on one HTTP path. Requests are independent, so any node can answer. */
import { createMcpHandler } from '@modelcontextprotocol/server';
import { sessionHeader, sessionIdFor } from './ask-human/form-channel.ts';
import { isRpcReply, type RpcReply, takeReply } from './ask-human/sent-form.ts';
import type { McpCaller } from './mcp-caller.ts';
import { mcpServerFactory } from './mcp-server.ts';
import { readToolSets, type ToolSet } from './tools.ts';

export interface McpHttp {
  /** Answers one request, with its caller and its parsed body. */
  fetch(request: Request, call: { caller: McpCaller; body: unknown }): Promise<Response>;
  /** Ends open requests. */
  close(): Promise<void>;
}

/** Limits clients that listen for changes of the tools, which never change. */
const maxSubscriptions = 64;

export function createMcpHttp(onError: (error: unknown) => void): McpHttp {
  const factory = mcpServerFactory({
    callerOf: ({ http }) => http?.authInfo?.extra?.caller as McpCaller,
    setsFor: ({ authInfo }) => authInfo?.extra?.sets as readonly ToolSet[],
    onError,
  });
  const handler = createMcpHandler(factory, { onerror: onError, maxSubscriptions });
  return {
    async fetch(request, { caller, body }) {
      const sets = readToolSets(new URL(request.url).searchParams.get('tools'));
      if (isRpcReply(body)) return toReply(caller, body);
      const response = await handler.fetch(request, {
        // Tools get the rights of their caller, and never the key.
        authInfo: { token: '', clientId: '', scopes: [], extra: { caller, sets } },
        parsedBody: body,
      });
      const sessionId = sessionIdFor(body);
      if (sessionId !== undefined && response.ok) response.headers.set(sessionHeader, sessionId);
      return response;
    },
    close: () => handler.close(),
  };
}

/** The reply is on disk before it is acknowledged. */
async function toReply(caller: McpCaller, reply: RpcReply): Promise<Response> {
  if (await takeReply(caller, reply)) return new Response(null, { status: 202 });
  const error = { code: -32_600, message: 'No request waits for this reply: it was used before, or is too old.' };
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 400 });
}
