/** Leases one due queue to one worker, and returns the batch. */
import type { Batch } from '@holdpoint/protocol';
import { batchSize, giveBack, type Lease, lease, takeBatch } from '../../domain/dispatch/batch-lease.ts';
import {
  isDue,
  type QueueBatch,
  queueTimerKind,
  queueType,
  type ThreadQueue,
} from '../../domain/dispatch/thread-queue.ts';
import { timestamp } from '../../domain/state.ts';
import type { Claim } from '../../stores/store.ts';
import type { Context } from '../context.ts';
import { conflict, retryOnConflict } from '../retry-on-conflict.ts';
import { openRun } from '../runs/runs.ts';
import { queueAndRunChange, queueChange } from './queue-change.ts';
import { ofBatch, ofQueue, readInputEvents, type Stretch, toInputs } from './read-inputs.ts';

type Tools = Pick<Context, 'store' | 'clock' | 'newId'>;

/** Returns undefined if there is nothing to lease: another worker was faster, the queue waits for more inputs, or its batch was given up. */
export async function leaseQueue(
  { store, clock, newId }: Tools,
  { orgId, kind, id }: Pick<Claim, 'orgId' | 'kind' | 'id'>,
  worker: Pick<Lease, 'workerId' | 'leaseMs'>,
): Promise<Batch | undefined> {
  return retryOnConflict(async () => {
    const before = await store.getDocument({ orgId, type: queueType, id });
    if (!before || !isDue(before.record, clock.now())) return undefined;
    const { threadId, agent, batch: tried, lastSeq } = before.record;
    // The thread has another agent since the queue was found.
    if (queueTimerKind(agent) !== kind) return undefined;
    const found = await readInputEvents(store, { orgId, ...stretch(before.record) });
    const events = tried ? found : takeBatch(before.record, found);
    const now = clock.now();
    const toSeq = events.at(-1)?.seq ?? lastSeq;
    const run = tried && (await openRun({ store }, { orgId, threadId }));
    const leased = lease(before.record, { ...worker, batchId: newId(), toSeq, entries: run?.entries }, now);
    if (!leased) return undefined;
    // Read before the lease is committed: a batch that cannot be read would wait until its lease ends.
    const inputs = leased.skipped ? [] : await toInputs(store, orgId, events);
    const batch = leased.skipped ? undefined : leased.queue?.batch;
    const change = await queueAndRunChange({ store, clock, newId }, orgId, { ...leased, before }, now);
    const committed = await store.commit({ orgId, ...change }).catch(async (error) => {
      // The lease may have been committed nevertheless.
      if (batch) await giveBackBatch({ store, clock, newId }, { orgId, batchId: batch.id, ...worker }).catch(() => {});
      throw error;
    });
    return committed.ok ? batch && toBatch(threadId, batch, worker.workerId, inputs) : conflict;
  });
}

/** A batch that was tried before has the same inputs again. */
function stretch(queue: ThreadQueue): Omit<Stretch, 'orgId'> {
  const { nextSeq, lastSeq } = queue;
  return queue.batch
    ? ofBatch(queue, queue.batch)
    : { ...ofQueue(queue), fromSeq: nextSeq, toSeq: lastSeq, limit: batchSize(queue) };
}

const toBatch = (threadId: string, batch: QueueBatch, workerId: string, inputs: Batch['inputs']): Batch => ({
  id: batch.id,
  threadId,
  kind: inputs.some(({ type }) => type === 'message') ? 'messages' : 'outcomes',
  workerId,
  attempt: batch.attempts,
  leasedUntil: timestamp(batch.until),
  inputs,
});

/** For a caller that hung up before it got its batch. If this fails, the lease ends by itself. */
export async function giveBackBatch(
  { store, clock, newId }: Tools,
  { orgId, batchId, workerId }: { orgId: string; batchId: string; workerId: string },
): Promise<void> {
  await retryOnConflict(async () => {
    const before = await store.findDocument({ orgId, type: queueType, alias: batchId });
    const now = clock.now();
    const decided = before && giveBack(before.record, workerId, now);
    if (!before || !decided?.ok) return undefined;
    return store.commit({ orgId, ...queueChange({ ...decided, before }, { now, newId }) });
  });
}
