/** Begins a run for the inputs of a batch, cancels it, gives it up, restarts it, and wakes it when its time has come. */
import { type Actor, defined, type Run } from '@holdpoint/protocol';
import { refuse } from '../command.ts';
import { idAfter, systemActor, timestamp } from '../state.ts';
import {
  currentRun,
  givenUp,
  isOpen,
  nextRun,
  type RunDecided,
  type RunOutcome,
  refusal,
  runEvent,
  wakesAt,
} from './run.ts';

export interface Begin {
  /** A new id, for the run if one begins. */
  id: string;
  threadId: string;
  agent: string;
  by: Actor;
  /** The inputs by their places in the log, in order. */
  inputs: readonly { seq: number; isMessage: boolean }[];
}

/**
 * Decides which run gets the inputs of a batch: the open run, a new one, or none. A message begins a run only if no run got
 * it yet, so that a repeated batch begins no second run. The outcome of a question begins none, because a run that has ended
 * asked the question, or another program.
 */
export function beginRun(last: Run | undefined, command: Begin, now: number): RunOutcome | undefined {
  const { inputs, by } = command;
  const toSeq = inputs.at(-1)?.seq ?? 0;
  if (last && isOpen(last)) {
    const deliveredSeq = Math.max(last.deliveredSeq, toSeq);
    const run = nextRun(last, now, { status: 'running', deliveredSeq });
    const events = last.status === 'waiting' ? [runEvent('run.resumed', by, run)] : [];
    return { run, entries: [], events };
  }
  const first = inputs.find(({ seq, isMessage }) => isMessage && seq > (last?.deliveredSeq ?? 0));
  if (!first) return undefined;
  const id = idAfter(last?.id, command.id);
  const run = newRun({ ...command, id, fromSeq: first.seq, deliveredSeq: toSeq }, now);
  return { run, entries: [], events: [runEvent('run.started', by, run)] };
}

function newRun(
  of: Pick<Run, 'id' | 'threadId' | 'agent' | 'fromSeq' | 'deliveredSeq' | 'restartOf'> & { by: Actor },
  now: number,
): Run {
  const { id, threadId, agent, fromSeq, deliveredSeq, restartOf, by: startedBy } = of;
  const at = timestamp(now);
  return {
    ...{ id, threadId, agent, status: 'running', version: 1, fromSeq, deliveredSeq, entries: 0 },
    ...defined({ restartOf }),
    startedBy,
    createdAt: at,
    updatedAt: at,
  };
}

export function cancelRun(before: Run, { by, reason }: { by: Actor; reason?: string }, now: number): RunDecided {
  const fault = refusal(before, 'cancel');
  if (fault) return refuse(fault);
  const run = nextRun(before, now, { status: 'cancelled', ...defined({ cancelReason: reason }) });
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

/**
 * Begins another run with the same inputs. `run.woken` is an input, which makes a worker claim the thread. The command has
 * the last run and the current agent of the thread.
 */
export function restartRun(
  before: Run,
  { id, by, last, agent }: Pick<Begin, 'id' | 'by'> & { last: Run; agent: string | undefined },
  now: number,
): RunDecided {
  const fault = refusal(isOpen(last) ? last : before, 'restart');
  if (fault) return refuse(fault);
  if (last.id !== before.id || agent === undefined) {
    const detail =
      agent === undefined ? 'The thread no longer has an agent.' : `The thread has a later run, ${last.id}.`;
    return refuse({ code: 'run-superseded', detail, current: currentRun(last) });
  }
  const { threadId, fromSeq, deliveredSeq } = before;
  const run = newRun(
    { id: idAfter(last.id, id), threadId, agent, fromSeq, deliveredSeq, restartOf: before.id, by },
    now,
  );
  return { ok: true, run, entries: [], events: [runEvent('run.started', by, run), runEvent('run.woken', by, run)] };
}

/** Returns undefined before its time. The run is running from here on, so that the same time wakes it once. */
export function wakeRun(before: Run, now: number): RunDecided | undefined {
  const fault = refusal(before, 'wake');
  if (fault) return refuse(fault);
  if ((wakesAt(before) ?? Number.POSITIVE_INFINITY) > now) return undefined;
  const run = nextRun(before, now, { status: 'running' });
  return { ok: true, run, entries: [], events: [runEvent('run.woken', systemActor('sleep', 'deadline'), run)] };
}
