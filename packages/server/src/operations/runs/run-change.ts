/** The change that saves a run: the run, its new journal entries, its events and its timers. */
import { defined, type Run } from '@holdpoint/protocol';
import { isEndedByOthers, isOpen, type RunOutcome, wakesAt } from '../../domain/runs/run.ts';
import type { TimerChange } from '../../stores/store.ts';
import type { Context } from '../context.ts';
import { transientFilesOf } from '../files/answered-files.ts';
import type { OrgChange } from '../perform.ts';

export async function runChange(
  { store, clock }: Pick<Context, 'store' | 'clock'>,
  orgId: string,
  { run, entries, events }: RunOutcome,
  before: Run | undefined,
): Promise<OrgChange> {
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

/** Merges the change of a queue and the change of a run of its thread. */
export function mergeChanges(queue: OrgChange, run: OrgChange): OrgChange {
  const timers = [...(queue.timers ?? []), ...(run.timers ?? [])];
  const log = queue.log && run.log ? { ...run.log, events: [...queue.log.events, ...run.log.events] } : undefined;
  return { ...queue, ...run, timers, ...defined({ log }) };
}
