/** The change that saves a run: the run, its new journal entries, its events and its timers. */
import type { Run } from '@holdpoint/protocol';
import { isEndedByOthers, type RunOutcome, wakesAt } from '../../domain/runs/run.ts';
import { isOpen } from '../../domain/runs/transitions.ts';
import type { Change, TimerChange } from '../../stores/store.ts';
import type { Context } from '../context.ts';
import { transientFilesOf } from '../files/answered-files.ts';

type Tools = Pick<Context, 'store' | 'clock'>;
type PartOfChange = Omit<Change, 'orgId'>;

export async function runChange(
  { store, clock }: Tools,
  orgId: string,
  { run, entries, events }: RunOutcome,
  before: Run | undefined,
): Promise<PartOfChange> {
  // In the same change as its end, so that no crash leaves its questions open.
  const dueAt = isEndedByOthers(run) ? clock.now() : wakesAt(run);
  const isMoved = dueAt !== (before && wakesAt(before));
  const files = isOpen(run) ? [] : await transientFilesOf({ store }, orgId, run);
  const timers: TimerChange[] = [
    ...(isMoved ? [{ kind: 'run', id: run.id, dueAt: dueAt ?? null } as const] : []),
    ...files.map((id) => ({ kind: 'file', id, dueAt: clock.now() }) as const),
  ];
  return {
    run: { record: run, expectedVersion: before?.version ?? 0 },
    ...(entries.length > 0 ? { newEntries: entries } : {}),
    ...(events.length > 0 ? { log: { threadId: run.threadId, events } } : {}),
    ...(timers.length > 0 ? { timers } : {}),
  };
}

/** What changes a queue and what changes a run of its thread, as one change. */
export function mergeChanges(queue: PartOfChange, run: PartOfChange): PartOfChange {
  const timers = [...(queue.timers ?? []), ...(run.timers ?? [])];
  const log = queue.log && run.log ? { ...run.log, events: [...queue.log.events, ...run.log.events] } : undefined;
  return { ...queue, ...run, timers, ...(log ? { log } : {}) };
}
