/** The change that saves a queue: the queue, its timer, and a notice in the thread if a batch was given up. */

import { type QueueOutcome, skipNotice } from '../../domain/dispatch/batch-lease.ts';
import { dueAt, queueTimerKind, queueType, type ThreadQueue } from '../../domain/dispatch/thread-queue.ts';
import { giveUpRun } from '../../domain/runs/end-and-wake.ts';
import { isOpen } from '../../domain/runs/transitions.ts';
import type { Change, TimerChange, TimerKind } from '../../stores/store.ts';
import type { Context } from '../context.ts';
import { mergeChanges, runChange } from '../runs/run-change.ts';
import { lastRun } from '../runs/runs.ts';
import { ofBatch, readInputEvents, toRunInputs } from './read-inputs.ts';

export interface ChangedQueue extends QueueOutcome {
  id: string;
  threadId: string;
  /** The queue on which the rule decided. Undefined if there was none. */
  before: { revision: string; record: ThreadQueue } | undefined;
}

export function queueChange(
  { id, threadId, before, queue, skipped }: ChangedQueue,
  { now, newId }: { now: number; newId(): string },
): Omit<Change, 'orgId'> {
  const alias = queue?.batch?.id;
  const notice = skipped && skipNotice({ id: newId(), threadId, ...skipped }, now);
  return {
    documents: [
      {
        type: queueType,
        id,
        record: queue ?? null,
        expected: before?.revision ?? null,
        ...(alias === undefined ? {} : { alias }),
      },
    ],
    timers: queueTimers(id, before?.record, queue),
    ...(notice ? { newMessage: notice.message, log: { threadId, events: [notice.event] } } : {}),
  };
}

/** If the thread has another agent now, the timer is of another kind. */
function queueTimers(id: string, before: ThreadQueue | undefined, after: ThreadQueue | undefined): TimerChange[] {
  const was: TimerKind = queueTimerKind(before?.agent);
  const kind: TimerKind = queueTimerKind(after?.agent);
  return [
    ...(before && (!after || was !== kind) ? [{ kind: was, id, dueAt: null }] : []),
    ...(after ? [{ kind, id, dueAt: dueAt(after) }] : []),
  ];
}

type Tools = Pick<Context, 'store' | 'clock' | 'newId'>;

/** If a batch was given up, its run fails with it in the same change. */
export async function queueAndRunChange(
  tools: Tools,
  orgId: string,
  changed: ChangedQueue,
  now: number,
): Promise<Omit<Change, 'orgId'>> {
  const { store, newId } = tools;
  const change = queueChange(changed, { now, newId });
  const { skipped, threadId, before } = changed;
  const agent = before?.record.agent;
  if (!skipped || !before || agent === undefined) return change;
  const { batch, reason } = skipped;
  const last = await lastRun(tools, { orgId, threadId });
  const events = await readInputEvents(store, { orgId, ...ofBatch(before.record, batch) });
  const begin = { id: newId(), threadId, agent, inputs: toRunInputs(events) };
  const given = giveUpRun(last, begin, reason, now);
  return given
    ? mergeChanges(change, await runChange(tools, orgId, given, last && isOpen(last) ? last : undefined))
    : change;
}
