/** Small facts about a run that several rules ask for. */
import type { Actor, EventType, Fault, JournalEntry, Run, RunStatus } from '@holdpoint/protocol';
import type { NewEvent } from '../command.ts';
import { timestamp } from '../state.ts';
import { isOpen, type RunCommand, runTransitions } from './transitions.ts';

export type RunEventType = Extract<EventType, `run.${string}`>;

export interface RunOutcome {
  run: Run;
  entries: JournalEntry[];
  events: NewEvent[];
}

export type RunDecided = ({ ok: true } & RunOutcome) | { ok: false; fault: Fault };

export const refuseRun = (fault: Fault): RunDecided => ({ ok: false, fault });

const details: Record<RunStatus, string> = {
  running: 'The run is running.',
  waiting: 'The run is waiting: it goes on with the next input, or when its time has come.',
  completed: 'The run was completed.',
  failed: 'The run has failed.',
  cancelled: 'The run was cancelled.',
};

/** Why a run in this state does not take this command, if so. */
export function refusal(run: Run, command: RunCommand): Fault | undefined {
  const cell = runTransitions[run.status][command];
  return cell === 'decide' ? undefined : { code: cell, detail: details[run.status], current: currentRun(run) };
}

export function currentRun({ id, status, version, endedAt }: Run): NonNullable<Fault['current']> {
  return { id, status, version, ...(endedAt === undefined ? {} : { endedAt }) };
}

/**
 * The run one change later. What it waits for belongs to waiting, and the end of it to having ended. Its time never goes
 * back, though the clock of another node may be behind: what it was woken for has come, for whoever begins it too.
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

/** It was cancelled, or given up: what it has asked is asked by nobody any more, and it could not see to that itself. */
export const isEndedByOthers = ({ status, error }: Run): boolean =>
  status === 'cancelled' || (status === 'failed' && error?.code === givenUp);

export const givenUp = 'given-up';

/** When a run that waits goes on by itself: at the earliest of its times. */
export function wakesAt({ status, waitingFor = [] }: Run): number | undefined {
  if (status !== 'waiting') return undefined;
  const times = waitingFor.flatMap((wait) => (wait.type === 'time' ? [Date.parse(wait.until)] : []));
  return times.length === 0 ? undefined : Math.min(...times);
}
