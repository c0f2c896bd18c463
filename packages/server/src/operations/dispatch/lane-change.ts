/** What is saved when a lane has changed: the lane, when it is next due, and what the thread is told of a batch that was given up. */
import { dueAt } from '../../domain/dispatch/lane.ts';
import type { LaneOutcome } from '../../domain/dispatch/lease.ts';
import { skipNotice } from '../../domain/dispatch/skip-notice.ts';
import type { Change } from '../../stores/store.ts';

/** Each lost race means that another change of the same lane won, so this bounds a crowd, not a fault. */
export const maxTries = 100;

export interface ChangedLane extends LaneOutcome {
  id: string;
  threadId: string;
  /** The revision it was decided on; null where there was no lane. */
  expected: string | null;
}

export function laneChange(
  { id, threadId, expected, lane, skipped }: ChangedLane,
  { now, newId }: { now: number; newId(): string },
): Omit<Change, 'orgId'> {
  const alias = lane?.batch?.id;
  const notice = skipped && skipNotice({ id: newId(), threadId, ...skipped }, now);
  return {
    documents: [{ type: 'lane', id, record: lane ?? null, expected, ...(alias === undefined ? {} : { alias }) }],
    timers: [{ kind: 'lane', id, dueAt: lane ? dueAt(lane) : null }],
    ...(notice ? { newMessage: notice.message, log: { threadId, events: [notice.event] } } : {}),
  };
}
