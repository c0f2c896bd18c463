/** Commands of others: cancel a run, give it up, restart it, and wake it when its time has come. */
import { type Actor, defined, type Run } from '@holdpoint/protocol';
import { systemActor } from '../state.ts';
import { type Begin, beginRun, newRun } from './begin.ts';
import {
  currentRun,
  givenUp,
  idAfter,
  nextRun,
  type RunDecided,
  type RunOutcome,
  refusal,
  refuseRun,
  runEvent,
  wakesAt,
} from './run.ts';
import { isOpen } from './transitions.ts';

export function cancelRun(before: Run, { by, reason }: { by: Actor; reason?: string }, now: number): RunDecided {
  const fault = refusal(before, 'cancel');
  if (fault) return refuseRun(fault);
  const run = nextRun(before, now, {
    status: 'cancelled',
    ...defined({ cancelReason: reason }),
  });
  return { ok: true, run, entries: [], events: [runEvent('run.cancelled', by, run)] };
}

/** If a batch is given up, its run fails too: it would wait for those inputs for ever. */
export function giveUpRun(
  last: Run | undefined,
  command: Omit<Begin, 'by'>,
  reason: string,
  now: number,
): RunOutcome | undefined {
  const by = systemActor('dispatch');
  const begun = beginRun(last, { ...command, by }, now);
  if (!begun) return undefined;
  const run = nextRun(begun.run, now, { status: 'failed', error: { code: givenUp, message: reason } });
  return { run, entries: [], events: [...begun.events, runEvent('run.failed', by, run)] };
}

export interface Restart {
  id: string;
  by: Actor;
  /** The last run of its thread. */
  last: Run;
  /** The current agent of the thread. */
  agent: string | undefined;
}

/** Begins another run with the same inputs. `run.woken` is an input, which makes a worker claim the thread. */
export function restartRun(before: Run, { id, by, last, agent }: Restart, now: number): RunDecided {
  const fault = refusal(isOpen(last) ? last : before, 'restart');
  if (fault) return refuseRun(fault);
  if (last.id !== before.id || agent === undefined) {
    const detail =
      agent === undefined ? 'The thread has no agent any more.' : `The thread has had run ${last.id} since.`;
    return refuseRun({ code: 'run-superseded', detail, current: currentRun(last) });
  }
  const { threadId, fromSeq, deliveredSeq } = before;
  const run = newRun({ id: idAfter(last.id, id), threadId, agent, fromSeq, deliveredSeq, restartOf: before.id }, now);
  return { ok: true, run, entries: [], events: [runEvent('run.started', by, run), runEvent('run.woken', by, run)] };
}

/** Returns undefined before its time. The run is running from here on, so that the same time wakes it once. */
export function wakeRun(before: Run, now: number): RunDecided | undefined {
  const fault = refusal(before, 'wake');
  if (fault) return refuseRun(fault);
  if ((wakesAt(before) ?? Number.POSITIVE_INFINITY) > now) return undefined;
  const run = nextRun(before, now, { status: 'running' });
  return { ok: true, run, entries: [], events: [runEvent('run.woken', systemActor('sleep'), run)] };
}
