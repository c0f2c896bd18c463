/** The transitions of a run, and facts about it that several rules need. */
import {
  type Actor,
  defined,
  type ErrorCode,
  type EventType,
  type Fault,
  type JournalEntry,
  type Run,
  type RunStatus,
} from '@holdpoint/protocol';
import { type Caller, seesWholeOrg } from '../caller.ts';
import type { NewEvent, Refused } from '../command.ts';
import { timestamp } from '../state.ts';

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

export type RunEventType = Extract<EventType, `run.${string}`>;

export interface RunOutcome {
  run: Run;
  entries: JournalEntry[];
  events: NewEvent[];
}

export type RunDecided = ({ ok: true } & RunOutcome) | Refused;

const details: Record<RunStatus, string> = {
  running: 'The run is running.',
  waiting: 'The run is waiting. It continues with the next input, or at its time.',
  completed: 'The run was completed.',
  failed: 'The run has failed.',
  cancelled: 'The run was cancelled.',
};

/** Returns why a run with this status refuses a command, if so. */
export function refusal(run: Run, command: RunCommand): Fault | undefined {
  const cell = runTransitions[run.status][command];
  return cell === 'decide' ? undefined : { code: cell, detail: details[run.status], current: currentRun(run) };
}

export function currentRun({ id, status, version, endedAt }: Run): NonNullable<Fault['current']> {
  return { id, status, version, ...defined({ endedAt }) };
}

/**
 * Returns the run one change later. Only a waiting run has `waitingFor`, and only an ended one has `endedAt`. Its time never goes
 * back even if the clock of another node is behind: the time for which the run was woken must have come for its worker too.
 */
export function nextRun(before: Run, now: number, change: Partial<Run> & Pick<Run, 'status'>): Run {
  const { waitingFor: _over, ...rest } = before;
  const at = timestamp(Math.max(now, Date.parse(before.updatedAt)));
  return {
    ...rest,
    ...change,
    version: before.version + 1,
    updatedAt: at,
    ...(isOpen(change) ? {} : { endedAt: at }),
  };
}

export const runEvent = (type: RunEventType, actor: Actor, run: Run): NewEvent => ({
  type,
  at: run.updatedAt,
  actor,
  data: { run },
});

/** Reports whether the run was cancelled or given up. Such a run could not cancel its questions itself. */
export const isEndedByOthers = ({ status, error }: Run): boolean =>
  status === 'cancelled' || (status === 'failed' && error?.code === givenUp);

export const givenUp = 'given-up';

/** Returns the earliest time for which a run waits. */
export function wakesAt({ status, waitingFor = [] }: Run): number | undefined {
  if (status !== 'waiting') return undefined;
  const times = waitingFor.flatMap((wait) => (wait.type === 'time' ? [Date.parse(wait.until)] : []));
  return times.length === 0 ? undefined : Math.min(...times);
}

/** Hides the result and the error from people who talk with the agent. Keys, admins and auditors see them. */
export function shownRun(caller: Caller, run: Run): Run {
  if (seesWholeOrg(caller)) return run;
  const { result: _result, error, ...shown } = run;
  return error ? { ...shown, error: { code: error.code, message: 'The run failed.' } } : shown;
}
