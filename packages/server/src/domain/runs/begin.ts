/** Which run the inputs of a batch are for: the one that is open, a new one, or none. */
import type { Actor, Run } from '@holdpoint/protocol';
import { timestamp } from '../state.ts';
import { nextRun, type RunOutcome, runEvent } from './run.ts';
import { idAfter } from './run-id.ts';
import { isOpen } from './transitions.ts';

export interface Begin {
  /** A new one, for the run if one begins. */
  id: string;
  threadId: string;
  agent: string;
  by: Actor;
  /** The places of the inputs in the log, in order, and which of them are messages. */
  inputs: readonly { seq: number; isMessage: boolean }[];
}

/**
 * A message begins a run only where no run was given it yet, so that a batch that comes twice begins no second one. What
 * became of a question begins none: it was asked by a run that is over, or by somebody else.
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
    ...(restartOf === undefined ? {} : { restartOf }),
    createdAt: at,
    updatedAt: at,
  };
}
