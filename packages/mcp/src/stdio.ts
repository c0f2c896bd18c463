/** The MCP server on standard input and output, in front of a Holdpoint server somewhere else. */
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { mcpServerFactory } from './mcp-server.ts';
import { restInputRequests } from './rest-input-requests.ts';

export function serveMcpOverStdio(options: { url: string; key: string; onError(error: unknown): void }): {
  close(): Promise<void>;
} {
  const requests = restInputRequests(options);
  const { onError } = options;
  return serveStdio(mcpServerFactory({ requestsOf: () => requests, onError }), { onerror: onError });
}
