/** The MCP server on standard input and output, in front of a Holdpoint server somewhere else. */
import { createHash, randomBytes } from 'node:crypto';
import { HoldpointError, type HoldpointService } from '@holdpoint/protocol';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { formReplies } from './ask-human/form-channel.ts';
import { type RequestStates, requestStates } from './ask-human/request-states.ts';
import { isRpcReply, takeReply } from './ask-human/sent-form.ts';
import type { McpCaller } from './mcp-caller.ts';
import { mcpServerFactory } from './mcp-server.ts';
import { restInputRequests } from './rest-input-requests.ts';
import type { ToolSet } from './tools.ts';

export interface StdioOptions {
  url: string;
  key: string;
  /** The verbs of that server, called with that key. */
  service: HoldpointService;
  sets: readonly ToolSet[];
  onError(error: unknown): void;
}

export function serveMcpOverStdio(options: StdioOptions): { close(): Promise<void> } {
  const caller = callerAt(options);
  const { sets, onError } = options;
  const transport = new StdioServerTransport();
  const factory = mcpServerFactory({ callerOf: () => caller, setsFor: () => sets, onError });
  const served = serveStdio(factory, { transport, onerror: onError });
  const passOn = transport.onmessage;
  transport.onmessage = (message) => {
    if (isRpcReply(message)) void takeReply(caller, message).catch(onError);
    else passOn?.(message);
  };
  return served;
}

/**
 * The connection is this process's own, and so is what a client carries from one round to the next: a secret that nobody
 * else has and that goes with the process, and a list of what was used. The question itself outlives both.
 */
function callerAt({ url, key, service }: StdioOptions): McpCaller {
  const states = requestStates({ secret: randomBytes(32), boundTo: [], now: Date.now, use: usedHere() });
  let role: Promise<boolean> | undefined;
  return {
    requests: restInputRequests({ url, key }),
    service,
    states,
    replies: formReplies(),
    // Each call of the service is asked for its key anyway.
    isStillAdmitted: async () => true,
    mark: createHash('sha256').update(key).digest('hex').slice(0, 32),
    mayAnswerForPeople() {
      role ??= isAdmin(service).catch((error: unknown) => {
        role = undefined;
        throw error;
      });
      return role;
    },
    publicUrl: url,
  };
}

/** What is too old to be used is also too old to be kept. */
function usedHere(): RequestStates['use'] {
  const used = new Map<string, number>();
  return async ({ id, expiresAt }) => {
    for (const [old, until] of used) if (until <= Date.now()) used.delete(old);
    if (used.has(id)) return false;
    used.set(id, expiresAt);
    return true;
  };
}

/** A key does not say its role, but what it may see does. */
async function isAdmin(service: HoldpointService): Promise<boolean> {
  try {
    await service.listApiKeys({ limit: 1 });
    return true;
  } catch (error) {
    if (error instanceof HoldpointError && error.code === 'forbidden') return false;
    throw error;
  }
}
