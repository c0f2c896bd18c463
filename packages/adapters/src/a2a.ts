/** For A2A: an agent whose tasks are input-required while it asks by Holdpoint, and Holdpoint for what another's tasks ask. */
export {
  type ExecutorOptions,
  type HoldpointExecutor,
  holdpointExecutor,
  type TaskWork,
} from './a2a/executor.ts';
export { type FollowOptions, followTask, sendWithPeople } from './a2a/follow-task.ts';
export { dataPart, textPart } from './a2a/parts.ts';
export type { Answering } from './shared/answering.ts';
