/** The change that saves a queue: the queue, its timer, and a notice in the thread if a batch was given up. */
import { defined } from '@holdpoint/protocol';
import { type QueueOutcome, skipNotice } from '../../domain/dispatch/batch-lease.ts';
import { dueAt, queueTimerKind, queueType, type ThreadQueue } from '../../domain/dispatch/thread-queue.ts';
import { isOpen } from '../../domain/runs/run.ts';
import { giveUpRun } from '../../domain/runs/start-and-end.ts';
import type { Document } from '../../stores/documents.ts';
import type { TimerChange, TimerKind } from '../../stores/store.ts';
import type { Context } from '../context.ts';
import type { OrgChange } from '../perform.ts';
import { retryOnConflict } from '../retry-on-conflict.ts';
import { mergeChanges, runChange } from '../runs/run-change.ts';
import { lastRun } from '../runs/runs.ts';
import { ofBatch, readInputEvents, toRunInputs } from './read-inputs.ts';

export interface ChangedQueue extends QueueOutcome {
  /** The queue on which the rule decided. A new queue has only its id. */
  before: Document<typeof queueType> | { id: string; revision?: undefined; record?: undefined };
}

export function queueChange(
  { before: { id, revision, record: before }, queue, skipped }: ChangedQueue,
  { now, newId }: { now: number; newId(): string },
): OrgChange {
  const notice = before && skipped && skipNotice({ id: newId(), threadId: before.threadId, ...skipped }, now);
  const document = { type: queueType, id, record: queue ?? null, expected: revision ?? null } as const;
  return {
    documents: [{ ...document, ...defined({ alias: queue?.batch?.id }) }],
    timers: queueTimers(id, before, queue),
    ...(notice
      ? { newMessage: notice.message, log: { threadId: notice.message.threadId, events: [notice.event] } }
      : {}),
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

/** Loads a queue, changes it and saves it. Saves nothing if `change` returns nothing or the same queue. */
export const changeQueue = (
  { store, clock, newId }: Pick<Context, 'store' | 'clock' | 'newId'>,
  { orgId, id }: { orgId: string; id: string },
  change: (queue: ThreadQueue | undefined, now: number) => ThreadQueue | undefined,
): Promise<unknown> =>
  retryOnConflict(async () => {
    const before = await store.getDocument({ orgId, type: queueType, id });
    const now = clock.now();
    const queue = change(before?.record, now);
    if (!queue || queue === before?.record) return undefined;
    return store.commit({ orgId, ...queueChange({ before: before ?? { id }, queue }, { now, newId }) });
  });

/** If a batch was given up, its run fails with it in the same change. */
export async function queueAndRunChange(
  tools: Pick<Context, 'store' | 'clock' | 'newId'>,
  orgId: string,
  changed: ChangedQueue,
  now: number,
): Promise<OrgChange> {
  const { store, newId } = tools;
  const change = queueChange(changed, { now, newId });
  const { skipped, before } = changed;
  if (!skipped || before.record?.agent === undefined) return change;
  const { batch, reason } = skipped;
  const { threadId, agent } = before.record;
  const last = await lastRun(tools, { orgId, threadId });
  const events = await readInputEvents(store, { orgId, ...ofBatch(before.record, batch) });
  const begin = { id: newId(), threadId, agent, inputs: toRunInputs(events) };
  const given = giveUpRun(last, begin, reason, now);
  return given
    ? mergeChanges(change, await runChange(tools, orgId, given, last && isOpen(last) ? last : undefined))
    : change;
}
