/** Agents in the server's own process, each with a worker that calls the verbs as a key of the operator's org would. */
import { type Agent, runAgents } from '@holdpoint/agents';
import { callerService } from './operations/caller-service.ts';
import type { Context } from './operations/context.ts';
import { operatorOrg } from './operations/orgs.ts';

export interface AgentWorkers {
  stop(): Promise<void>;
}

export function startWorkers(
  context: Context,
  agents: readonly Agent[],
  onError: (error: unknown) => void,
): AgentWorkers {
  const workers = agents.map((agent) => {
    const caller = { kind: 'key', orgId: operatorOrg, keyId: `agent:${agent.name}`, role: 'agent' } as const;
    return runAgents({ service: callerService(context, caller), agents: [agent], onError });
  });
  return {
    async stop() {
      await Promise.all(workers.map((worker) => worker.stop()));
    },
  };
}
