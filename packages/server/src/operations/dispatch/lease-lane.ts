/** Leases one lane that is due to one worker, and tells what is to be worked on. */
import type { Batch } from '@holdpoint/protocol';
import type { Lane, LaneBatch } from '../../domain/dispatch/lane.ts';
import { isDue, laneKind } from '../../domain/dispatch/lane.ts';
import { batchSize, giveBack, lease, takeBatch } from '../../domain/dispatch/lease.ts';
import { timestamp } from '../../domain/state.ts';
import type { Claim } from '../../stores/store.ts';
import type { Context } from '../context.ts';
import { conflict, retryOnConflict } from '../retry-on-conflict.ts';
import { laneAndRunChange } from '../runs/give-up-run.ts';
import { openRun } from '../runs/load-run.ts';
import { laneChange } from './lane-change.ts';
import { ofBatch, ofLane, readInputEvents, type Stretch, tellInputs } from './read-inputs.ts';

type Tools = Pick<Context, 'store' | 'clock' | 'newId'>;

export interface Worker {
  workerId: string;
  leaseMs: number;
}

/** Undefined where there is nothing to lease: somebody was faster, more has come that is to be waited for, or it was given up. */
export async function leaseLane(
  { store, clock, newId }: Tools,
  { orgId, kind, id }: Pick<Claim, 'orgId' | 'kind' | 'id'>,
  worker: Worker,
): Promise<Batch | undefined> {
  return retryOnConflict(async () => {
    const before = await store.getDocument({ orgId, type: 'lane', id });
    if (!before || !isDue(before.record, clock.now())) return undefined;
    const { threadId, agent } = before.record;
    // It has become another agent's since it was found.
    if (laneKind(agent) !== kind) return undefined;
    const found = await readInputEvents(store, { orgId, ...stretch(before.record) });
    const events = before.record.batch ? found : takeBatch(before.record, found);
    const now = clock.now();
    const toSeq = events.at(-1)?.seq ?? before.record.lastSeq;
    const run = before.record.batch && (await openRun({ store }, { orgId, threadId }));
    const leased = lease(before.record, { ...worker, batchId: newId(), toSeq, entries: run?.entries }, now);
    if (!leased) return undefined;
    const changed = { ...leased, id, threadId, before };
    // Before the lease is committed: what is leased and cannot be read would be nobody's until the lease ends.
    const inputs = leased.skipped ? [] : await tellInputs(store, orgId, events);
    const batch = leased.skipped ? undefined : leased.lane?.batch;
    const change = await laneAndRunChange({ store, clock, newId }, orgId, changed, now);
    const committed = await store.commit({ orgId, ...change }).catch(async (error) => {
      // It may have been committed all the same.
      if (batch) await giveBackBatch({ store, clock, newId }, { orgId, batchId: batch.id, ...worker }).catch(() => {});
      throw error;
    });
    return committed.ok ? batch && toBatch(threadId, batch, worker, inputs) : conflict;
  });
}

/** A batch that was tried before goes again as it was. */
function stretch(lane: Lane): Omit<Stretch, 'orgId'> {
  const { nextSeq, lastSeq } = lane;
  return lane.batch
    ? ofBatch(lane, lane.batch)
    : { ...ofLane(lane), fromSeq: nextSeq, toSeq: lastSeq, limit: batchSize(lane) };
}

function toBatch(threadId: string, batch: LaneBatch, { workerId }: Worker, inputs: Batch['inputs']): Batch {
  return {
    id: batch.id,
    threadId,
    kind: inputs.some(({ type }) => type === 'message') ? 'messages' : 'outcomes',
    workerId,
    attempt: batch.attempts,
    leasedUntil: timestamp(batch.until),
    inputs,
  };
}

/** For a caller that went away before it could be told of its batch. If this fails, the lease simply ends. */
export async function giveBackBatch(
  { store, clock, newId }: Tools,
  { orgId, batchId, workerId }: { orgId: string; batchId: string; workerId: string },
): Promise<void> {
  await retryOnConflict(async () => {
    const before = await store.findDocument({ orgId, type: 'lane', alias: batchId });
    if (!before) return undefined;
    const now = clock.now();
    const decided = giveBack(before.record, workerId, now);
    if (!decided.ok) return undefined;
    const changed = { ...decided, id: before.id, threadId: before.record.threadId, before };
    return store.commit({ orgId, ...laneChange(changed, { now, newId }) });
  });
}
