/** POST /mcp: the MCP tools. The first call loads the SDK. */
import {
  type FormReplies,
  type FormReply,
  formReplies,
  type InputRequests,
  type McpCaller,
  requestStates,
} from '@holdpoint/mcp';
import { defined, errorTable, type Fault, fail, type HoldpointService } from '@holdpoint/protocol';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Caller, callerId } from '../../domain/caller.ts';
import { personAssignee } from '../../domain/people/assignee.ts';
import { callerService } from '../../operations/caller-service.ts';
import type { Context } from '../../operations/context.ts';
import { useOnce } from '../../operations/perform.ts';
import type { Dialect } from '../../routes/dialect.ts';
import { serverSecret } from '../../signing/server-secret.ts';
import type { Admission } from '../admission/admission.ts';
import { renderFaultsBy } from '../faults/send-fault.ts';
import { addMcpMetadata, challenge, mcpPath } from './mcp-authorization.ts';

const loopback = ['localhost', '127.0.0.1', '[::1]'];
const parseError = -32_700;
const serverError = -32_000;

/** The tools for input requests that a dialect offers one caller. */
export type InputRequestsOf = (service: HoldpointService, caller: Caller) => InputRequests;

/** Renders the faults of calls that the MCP SDK never sees. */
export const mcpFaults: Dialect = { name: 'mcp', prefixes: [mcpPath], routes: [], renderFault };

function renderFault({ code, detail, problems }: Fault) {
  const rpcCode = code === 'malformed-body' ? parseError : serverError;
  const error = { code: rpcCode, message: detail, data: { code, ...defined({ errors: problems }) } };
  return { status: errorTable[code].status, body: { jsonrpc: '2.0', error, id: null } };
}

interface McpOptions {
  context: Context;
  inputRequestsOf: InputRequestsOf;
  admission: Admission;
  corsOrigins: readonly string[];
}

export function addMcp(app: FastifyInstance, options: McpOptions): void {
  const { admission, corsOrigins } = options;
  addMcpMetadata(app, options.context);
  let loading: ReturnType<typeof loadMcp> | undefined;
  const load = () => {
    loading ??= loadMcp(options, (error) => app.log.warn({ err: error }, 'mcp')).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  app.register(async (scope) => {
    renderFaultsBy(scope, () => mcpFaults);
    challenge(scope, options.context);
    scope.post(mcpPath, { onRequest: [rejectForeignOrigins(corsOrigins), admission.admit] }, async (request, reply) => {
      const gone = new AbortController();
      reply.raw.on('close', () => gone.abort());
      // The supported versions have no batches, which would also bypass the rate limits.
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

async function loadMcp({ context, inputRequestsOf }: McpOptions, onError: (error: unknown) => void) {
  const [{ createMcpHttp }, callers] = await Promise.all([
    import('@holdpoint/mcp/http'),
    mcpCallers(context, inputRequestsOf),
  ]);
  return { mcp: createMcpHttp(onError), callers };
}

/** Describes callers to the tools. All nodes share the secret, so each can read the states that another has sealed. */
async function mcpCallers(context: Context, inputRequestsOf: InputRequestsOf) {
  const { store, clock } = context;
  const secret = await serverSecret(store, 'mcp-secret');
  const repliesOf = repliesAcrossNodes(store);
  return (caller: Caller, isStillAdmitted: () => Promise<boolean>): McpCaller => {
    const service = callerService({ ...context, isDialect: true }, caller);
    const mark = callerId(caller);
    return {
      requests: inputRequestsOf(service, caller),
      service,
      states: requestStates({
        secret,
        boundTo: [caller.orgId, caller.kind, mark],
        now: () => clock.now(),
        use: ({ id, interactionId }) => useOnce(context, caller, { name: `mcp-state ${id}`, interactionId }),
      }),
      replies: repliesOf(caller.orgId),
      mark,
      isStillAdmitted,
      ...(caller.kind === 'person' ? { person: personAssignee(caller.person.id) } : {}),
      mayAnswerForPeople: async () => caller.kind === 'key' && caller.role === 'admin',
      publicUrl: context.publicUrl(),
    };
  };
}

/**
 * Passes each reply to a form to all nodes, because it may reach another node than the one whose call waits for it. The
 * ids are random, so one table serves all orgs.
 */
function repliesAcrossNodes(store: Pick<Context['store'], 'publish' | 'onPublished'>): (orgId: string) => FormReplies {
  const here = formReplies();
  store.onPublished(({ type, data }) => {
    if (type === 'mcp.form-reply') here.publish(String(data.id), data.reply as FormReply);
  });
  return (orgId) => ({
    publish: (id, reply) => store.publish({ orgId, type: 'mcp.form-reply', data: { id, reply } }),
    listen: here.listen,
  });
}

/** Rejects pages of other origins, because a browser could be led to send their requests to this machine. */
function rejectForeignOrigins(allowed: readonly string[]) {
  return async ({ headers: { origin } }: FastifyRequest): Promise<void> => {
    if (origin === undefined || allowed.includes(origin)) return;
    if (URL.canParse(origin) && loopback.includes(new URL(origin).hostname)) return;
    fail('forbidden', 'Pages of this origin are not allowed. See --cors-origin.');
  };
}

function toWebRequest({ headers, url, method }: FastifyRequest, signal: AbortSignal): Request {
  const { authorization: _secret, 'content-length': _length, ...rest } = headers;
  const given = Object.entries(rest).map(([name, value]) => [name, [value].flat().join(', ')] as [string, string]);
  return new Request(new URL(url, 'http://holdpoint'), { method, headers: given, body: '', signal });
}
