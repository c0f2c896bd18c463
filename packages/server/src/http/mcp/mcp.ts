/** POST /mcp: the tools, for whoever speaks MCP. Its SDK is loaded by the first call. */
import type { McpHttp } from '@holdpoint/mcp/http';
import { defined, type ErrorCode, errorTable, type Fault, fail } from '@holdpoint/protocol';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Context } from '../../operations/context.ts';
import type { Dialect } from '../../routes/dialect.ts';
import type { Admission } from '../admission/admission.ts';
import { renderFaultsBy } from '../faults/send-fault.ts';
import { type InputRequestsOf, type McpCallers, mcpCallers } from './mcp-callers.ts';

const path = '/mcp';
const loopback = ['localhost', '127.0.0.1', '[::1]'];
const parseError = -32_700;
const serverError = -32_000;

/** Its calls are all one route; here is how it says what went wrong before a call was one. */
export const mcpFaults: Dialect = { name: 'mcp', prefixes: [path], routes: [], renderFault };

function renderFault({ code, detail, problems }: Fault) {
  const error = { code: rpcCode(code), message: detail, data: { code, ...defined({ errors: problems }) } };
  return { status: errorTable[code].status, body: { jsonrpc: '2.0', error, id: null } };
}

const rpcCode = (code: ErrorCode): number => (code === 'malformed-body' ? parseError : serverError);

export interface McpOptions {
  context: Context;
  inputRequestsOf: InputRequestsOf;
  admission: Admission;
  corsOrigins: readonly string[];
}

export function addMcp(app: FastifyInstance, options: McpOptions): void {
  const { admission, corsOrigins } = options;
  let loading: Promise<Loaded> | undefined;
  const load = (): Promise<Loaded> => {
    loading ??= loadMcp(options, (error) => app.log.warn({ err: error }, 'mcp')).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  app.register(async (scope) => {
    renderFaultsBy(scope, () => mcpFaults);
    scope.post(path, { onRequest: [refuseForeignOrigins(corsOrigins), admission.admit] }, async (request, reply) => {
      const gone = new AbortController();
      reply.raw.on('close', () => gone.abort());
      // Of no version that is spoken, and a way round the limits of calls.
      if (Array.isArray(request.body)) fail('malformed-request', 'Send one JSON-RPC message, not a batch.');
      const { mcp, callers } = await load();
      const caller = callers(admission.callerOf(request), () => admission.isStillAdmitted(request));
      const response = await mcp.fetch(toWebRequest(request, gone.signal), { caller, body: request.body });
      return gone.signal.aborted ? reply.hijack() : reply.send(response);
    });
  });
  app.addHook('preClose', async () => {
    await (await loading)?.mcp.close();
  });
}

interface Loaded {
  mcp: McpHttp;
  callers: McpCallers;
}

async function loadMcp({ context, inputRequestsOf }: McpOptions, onError: (error: unknown) => void): Promise<Loaded> {
  const [{ createMcpHttp }, callers] = await Promise.all([
    import('@holdpoint/mcp/http'),
    mcpCallers(context, inputRequestsOf),
  ]);
  return { mcp: createMcpHttp(onError), callers };
}

/** A page of somewhere else that a browser was led to send here does not speak for its reader. */
function refuseForeignOrigins(allowed: readonly string[]) {
  return async ({ headers: { origin } }: FastifyRequest): Promise<void> => {
    if (origin === undefined || allowed.includes(origin)) return;
    if (URL.canParse(origin) && loopback.includes(new URL(origin).hostname)) return;
    fail('forbidden', 'Pages of this origin may not call; see --cors-origin.');
  };
}

function toWebRequest({ headers, url, method }: FastifyRequest, signal: AbortSignal): Request {
  const { authorization: _secret, 'content-length': _length, ...rest } = headers;
  const given = Object.entries(rest).map(([name, value]) => [name, [value].flat().join(', ')] as [string, string]);
  return new Request(new URL(url, 'http://holdpoint'), { method, headers: given, body: '', signal });
}
