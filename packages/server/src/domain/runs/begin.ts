/** Decides which run gets the inputs of a batch: the open run, a new one, or none. */
import { type Actor, defined, type Run } from '@holdpoint/protocol';
import { timestamp } from '../state.ts';
import { idAfter, nextRun, type RunOutcome, runEvent } from './run.ts';
import { isOpen } from './transitions.ts';

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
 * A message begins a run only if no run was given it yet, so that a repeated batch begins no second run. The outcome of a
 * question begins none, because the question was asked by a run that has ended, or by somebody else.
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

export function newRun(
  of: Pick<Run, 'id' | 'threadId' | 'agent' | 'fromSeq' | 'deliveredSeq' | 'restartOf'>,
  now: number,
): Run {
  const { id, threadId, agent, fromSeq, deliveredSeq, restartOf } = of;
  const at = timestamp(now);
  return {
    ...{ id, threadId, agent, status: 'running', version: 1, fromSeq, deliveredSeq, entries: 0 },
    ...defined({ restartOf }),
    createdAt: at,
    updatedAt: at,
  };
}
