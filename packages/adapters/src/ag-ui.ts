/** For AG-UI: an agent that asks by Holdpoint, and Holdpoint for whatever interrupts any agent ends its runs with. */
export { type AgentEventsOptions, type AgentWork, agentEvents } from './ag-ui/agent-events.ts';
export { answerOf, interruptOf } from './ag-ui/interrupt-of.ts';
export { questionOf, resumeOf } from './ag-ui/question-of.ts';
export { type RunOptions, runWithPeople } from './ag-ui/run-with-people.ts';
export type { Answering } from './shared/answering.ts';
