/** What is saved when a lane has changed: the lane, when it is next due, and what the thread is told of a batch that was given up. */
import { dueAt, type Lane, laneKind } from '../../domain/dispatch/lane.ts';
import type { LaneOutcome } from '../../domain/dispatch/lease.ts';
import { skipNotice } from '../../domain/dispatch/skip-notice.ts';
import type { Change, TimerChange, TimerKind } from '../../stores/store.ts';

export interface ChangedLane extends LaneOutcome {
  id: string;
  threadId: string;
  /** What it was decided on; undefined where there was no lane. */
  before: { revision: string; record: Lane } | undefined;
}

export function laneChange(
  { id, threadId, before, lane, skipped }: ChangedLane,
  { now, newId }: { now: number; newId(): string },
): Omit<Change, 'orgId'> {
  const alias = lane?.batch?.id;
  const notice = skipped && skipNotice({ id: newId(), threadId, ...skipped }, now);
  return {
    documents: [
      {
        type: 'lane',
        id,
        record: lane ?? null,
        expected: before?.revision ?? null,
        ...(alias === undefined ? {} : { alias }),
      },
    ],
    timers: laneTimers(id, before?.record, lane),
    ...(notice ? { newMessage: notice.message, log: { threadId, events: [notice.event] } } : {}),
  };
}

/** Where the thread has another agent now, the timer is of another kind. */
function laneTimers(id: string, before: Lane | undefined, after: Lane | undefined): TimerChange[] {
  const was: TimerKind = laneKind(before?.agent);
  const kind: TimerKind = laneKind(after?.agent);
  return [
    ...(before && (!after || was !== kind) ? [{ kind: was, id, dueAt: null }] : []),
    ...(after ? [{ kind, id, dueAt: dueAt(after) }] : []),
  ];
}
