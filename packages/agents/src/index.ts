export type { Approval, Outcome, ValuesOf } from '@holdpoint/protocol';
export {
  type Agent,
  type AgentContext,
  type AskingOptions,
  agent,
  type HistoryOptions,
  type Interrupted,
  NoRetry,
  type RetryPolicy,
  type Said,
  type StepInfo,
} from './agent.ts';
export { type AgentWorker, type RunAgents, runAgents } from './worker/run-agents.ts';
