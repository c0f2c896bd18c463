/** The way by which a running call sends a form to its client, in the versions before 2026-07-28 that have forms. */
import type { JSONRPCMessage, Server, ServerContext } from '@modelcontextprotocol/server';
import { declaresForms, isFormsSession, sessionHeader } from '../session-id.ts';
import type { FormDialect } from './elicited-form.ts';

/** The way to the client of one call. */
export interface FormChannel {
  dialect: FormDialect;
  send(message: JSONRPCMessage): Promise<void>;
}

/** What a form may hold in each of them. */
const dialects: Readonly<Record<string, FormDialect>> = { '2025-06-18': 'plain', '2025-11-25': 'titled' };

/** Undefined for a client of another version, and for one that shows no forms. */
export function formChannel(server: Server, { mcpReq, http }: ServerContext): FormChannel | undefined {
  if (mcpReq.envelope !== undefined) return undefined;
  const headers = http?.req?.headers;
  const version = headers ? headers.get('mcp-protocol-version') : server.getNegotiatedProtocolVersion();
  const shows = headers ? isFormsSession(headers.get(sessionHeader)) : declaresForms(server.getClientCapabilities());
  const dialect = shows ? dialects[version ?? ''] : undefined;
  if (!dialect) return undefined;
  return {
    dialect,
    // The SDK would number its requests from 0 with each call, so that nobody could tell whose reply has come.
    send: async (message) => server.transport?.send(message, { relatedRequestId: mcpReq.id }),
  };
}
