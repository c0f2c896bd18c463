/** For A2A: `holdpointExecutor` for an agent of yours that asks people, `followTask` for the questions of another agent. */
export * from './a2a/executor.ts';
export { type FollowOptions, followTask, sendWithPeople } from './a2a/follow-task.ts';
export { dataPart, textPart } from './a2a/parts.ts';
export type { Answering } from './shared/turn.ts';
