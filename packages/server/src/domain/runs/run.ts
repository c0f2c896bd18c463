/** Facts about a run that several rules need. */
import {
  type Actor,
  defined,
  type EventType,
  type Fault,
  type JournalEntry,
  type Run,
  type RunStatus,
} from '@holdpoint/protocol';
import type { Caller } from '../caller.ts';
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

/** Returns why a run with this status refuses a command, if so. */
export function refusal(run: Run, command: RunCommand): Fault | undefined {
  const cell = runTransitions[run.status][command];
  return cell === 'decide' ? undefined : { code: cell, detail: details[run.status], current: currentRun(run) };
}

export function currentRun({ id, status, version, endedAt }: Run): NonNullable<Fault['current']> {
  return { id, status, version, ...defined({ endedAt }) };
}

/**
 * The run one change later. Only a waiting run has `waitingFor`, and only an ended one has `endedAt`. Its time never goes
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

/**
 * Returns a UUIDv7 that is greater than the last: the given one, or one of a millisecond after the last. Runs of a thread are
 * in the order of their ids, whatever the clocks of the nodes that began them say.
 */
export function idAfter(last: string | undefined, id: string): string {
  if (last === undefined || id > last) return id;
  const ms = Number.parseInt(last.slice(0, 8) + last.slice(9, 13), 16) + 1;
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}${id.slice(13)}`;
}

/** Its result and its error are for keys, and not for the people who talk with the agent. */

export function shownRun(caller: Caller, run: Run): Run {
  if (caller.kind === 'key') return run;
  const { result: _result, error, ...shown } = run;
  return error ? { ...shown, error: { code: error.code, message: 'The run failed.' } } : shown;
}
