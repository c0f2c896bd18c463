/** What the tools of MCP may do for whoever calls, and the secret by which every node knows what another has sealed. */
import { randomBytes } from 'node:crypto';
import { type McpCaller, requestStates } from '@holdpoint/mcp';
import { inputRequestsOf } from '../dialects/input-requests/input-requests-of.ts';
import type { Caller } from '../domain/caller.ts';
import { callerService } from '../operations/caller-service.ts';
import type { Context } from '../operations/context.ts';
import { useOnce } from '../operations/use-once.ts';
import { repliesAcrossNodes } from './mcp-form-replies.ts';

export type McpCallers = (caller: Caller, isStillAdmitted: () => Promise<boolean>) => McpCaller;

/** Every node signs with the same secret, which the first of them makes. */
export async function mcpCallers(context: Context): Promise<McpCallers> {
  const { store, clock } = context;
  const offered = randomBytes(32).toString('base64url');
  const secret = Buffer.from(await store.settleMeta({ key: 'mcp-secret', value: offered }), 'base64url');
  const repliesOf = repliesAcrossNodes(store);
  return (caller, isStillAdmitted) => {
    const service = callerService(context, caller);
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
