/** What the tools of MCP may do for whoever calls, and the secret by which every node knows what another has sealed. */
import { type InputRequests, type McpCaller, requestStates } from '@holdpoint/mcp';
import type { HoldpointService } from '@holdpoint/protocol';
import type { Caller } from '../../domain/caller.ts';
import { callerService } from '../../operations/caller-service.ts';
import type { Context } from '../../operations/context.ts';
import { useOnce } from '../../operations/perform.ts';
import { serverSecret } from '../../signing/server-secret.ts';
import { repliesAcrossNodes } from '../mcp-form-replies.ts';

export type McpCallers = (caller: Caller, isStillAdmitted: () => Promise<boolean>) => McpCaller;

/** The tools for input requests as the dialect of that name offers them, for one caller. */
export type InputRequestsOf = (service: HoldpointService, caller: Caller) => InputRequests;

/** Every node signs with the same secret. */
export async function mcpCallers(context: Context, inputRequestsOf: InputRequestsOf): Promise<McpCallers> {
  const { store, clock } = context;
  const secret = await serverSecret(store, 'mcp-secret');
  const repliesOf = repliesAcrossNodes(store);
  return (caller, isStillAdmitted) => {
    const service = callerService({ ...context, isDialect: true }, caller);
    const mark = caller.kind === 'key' ? caller.keyId : caller.responderId;
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
      mayAnswerForPeople: async () => caller.kind === 'key' && caller.role === 'admin',
      publicUrl: context.publicUrl(),
    };
  };
}
