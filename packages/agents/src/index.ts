export {
  type Agent,
  type AgentContext,
  type Approval,
  type AskingOptions,
  agent,
  type Interrupted,
  NoRetry,
  type Outcome,
  type RetryPolicy,
  type Said,
  type StepInfo,
  type ValuesOf,
} from './agent.ts';
export { type AgentWorker, type RunAgents, runAgents } from './worker/run-agents.ts';
