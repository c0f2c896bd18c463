export type { Approval, Outcome, ValuesOf } from '@holdpoint/protocol';
export * from './agent.ts';
export { type AgentWorker, type RunAgents, runAgents } from './worker/run-agents.ts';
