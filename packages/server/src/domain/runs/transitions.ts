/** Every status of a run × every command: whether it is allowed, and the error code if not. */
import type { ErrorCode, Run, RunStatus } from '@holdpoint/protocol';

export type RunCommand = 'begin' | 'advance' | 'cancel' | 'restart' | 'wake';

/** `decide` means that the command's own rules decide. */
export type RunCell = 'decide' | ErrorCode;

const ended: Record<RunCommand, RunCell> = {
  begin: 'run-ended',
  advance: 'run-ended',
  cancel: 'run-ended',
  restart: 'decide',
  wake: 'run-ended',
};

export const runTransitions: Record<RunStatus, Record<RunCommand, RunCell>> = {
  running: { begin: 'decide', advance: 'decide', cancel: 'decide', restart: 'run-open', wake: 'run-open' },
  waiting: { begin: 'decide', advance: 'run-waiting', cancel: 'decide', restart: 'run-open', wake: 'decide' },
  completed: ended,
  failed: ended,
  cancelled: ended,
};

/** The statuses to which each command can lead. A restarted run stays as it is. */
export const reachableRuns: Record<RunCommand, readonly RunStatus[]> = {
  begin: ['running'],
  advance: ['running', 'waiting', 'completed', 'failed'],
  cancel: ['cancelled'],
  restart: [],
  wake: ['running'],
};

export const isOpen = ({ status }: Pick<Run, 'status'>): boolean => status === 'running' || status === 'waiting';
