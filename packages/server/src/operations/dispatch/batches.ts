/** Heartbeat, complete and fail: each decides on the queue that has the batch, and saves the outcome. */
import {
  type CompleteBatch,
  type FailBatch,
  type FreeObject,
  fail,
  type Heartbeat,
  HoldpointError,
  type Lease,
  type Write,
} from '@holdpoint/protocol';
import type { Caller, Verb } from '../../domain/caller.ts';
import { complete, failBatch as decideFail, heartbeat, type QueueDecided } from '../../domain/dispatch/batch-lease.ts';
import { queueType, type ThreadQueue } from '../../domain/dispatch/thread-queue.ts';
import { timestamp } from '../../domain/state.ts';
import type { Document } from '../../stores/store.ts';
import type { Context } from '../context.ts';
import { perform } from '../perform.ts';
import { queueAndRunChange } from './queue-change.ts';

interface BatchChange<T> {
  verb: Verb;
  input: { batchId: string; idempotencyKey?: string };
  decide(queue: ThreadQueue, now: number): QueueDecided;
  /** Returns the result of the call. A repeated call has no queue. */
  resultOf(queue: ThreadQueue | undefined): T;
}

function changeBatch<T>(
  context: Context,
  caller: Caller,
  { verb, input, decide, resultOf }: BatchChange<T>,
): Promise<T> {
  const { batchId } = input;
  return perform(context, caller, {
    verb,
    input,
    attempt: async () => {
      const before = await loadQueue(context, caller, batchId);
      const { id, record } = before;
      const now = context.clock.now();
      const decided = decide(record, now);
      if (!decided.ok) throw new HoldpointError(decided.fault);
      const changed = { ...decided, id, threadId: record.threadId, before };
      const change = await queueAndRunChange(context, caller.orgId, changed, now);
      return { change, resource: { type: 'batch', id: batchId }, result: resultOf(decided.queue) };
    },
    reload: async () => resultOf(undefined),
  });
}

export async function loadQueue(
  { store }: Context,
  { orgId }: Caller,
  batchId: string,
): Promise<Document<typeof queueType>> {
  const found = await store.findDocument({ orgId, type: queueType, alias: batchId });
  return found ?? fail('batch-not-found', `There is no batch ${batchId}.`);
}

export function heartbeatBatch(
  context: Context,
  caller: Caller,
  input: { batchId: string } & Heartbeat,
): Promise<Lease> {
  return changeBatch(context, caller, {
    verb: 'heartbeatBatch',
    input,
    decide: (queue, now) => heartbeat(queue, input, now),
    resultOf: (queue) => ({ leasedUntil: timestamp(queue?.batch?.until ?? 0) }),
  });
}

export function completeBatch(
  context: Context,
  caller: Caller,
  input: { batchId: string } & CompleteBatch & Write,
): Promise<FreeObject> {
  return changeBatch(context, caller, {
    verb: 'completeBatch',
    input,
    decide: (queue) => complete(queue, input.workerId),
    resultOf: () => ({}),
  });
}

export function failBatch(
  context: Context,
  caller: Caller,
  input: { batchId: string } & FailBatch & Write,
): Promise<FreeObject> {
  return changeBatch(context, caller, {
    verb: 'failBatch',
    input,
    decide: (queue, now) => decideFail(queue, input, now),
    resultOf: () => ({}),
  });
}
