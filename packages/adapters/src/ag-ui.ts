/** For AG-UI: `agentEvents` for an agent of yours that asks people, `runWithPeople` for the interrupts of any agent. */
export { type AgentEventsOptions, type AgentWork, agentEvents, answerOf, interruptOf } from './ag-ui/agent-events.ts';
export { questionOf, type RunOptions, resumeOf, runWithPeople } from './ag-ui/run-with-people.ts';
export type { Answering } from './shared/turn.ts';
