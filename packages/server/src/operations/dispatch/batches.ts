/** Claims batches. Heartbeat, complete and fail decide on the queue that has the batch, and save the outcome. */
import { defined, type FreeObject, fail } from '@holdpoint/protocol';
import type { Caller, Verb } from '../../domain/caller.ts';
import {
  complete,
  failBatch as decideFail,
  defaultLeaseMs,
  heartbeat,
  type QueueDecided,
} from '../../domain/dispatch/batch-lease.ts';
import { inputReader } from '../../domain/dispatch/inputs.ts';
import { queueType, type ThreadQueue } from '../../domain/dispatch/thread-queue.ts';
import { timestamp } from '../../domain/state.ts';
import type { Document } from '../../stores/documents.ts';
import type { Context, Operation } from '../context.ts';
import { logStart } from '../follow-events.ts';
import { decidedOrThrow, perform } from '../perform.ts';
import { queueAndRunChange } from './queue-change.ts';

const defaultWaitMs = 10_000;

export const claimBatches: Operation<'claimBatches'> = async (context, caller, input) => {
  const { workerId, agents, leaseMs = defaultLeaseMs, waitMs = defaultWaitMs, limit = 1, signal } = input;
  const { orgId } = caller;
  await beginDispatch(context, { orgId, from: 'start' });
  // Without this a first claim that does not wait would return before anything is ready (DI13).
  await context.dispatch.begun.get(orgId);
  const data = await context.dispatch.claim({
    ...{ orgId, workerId, leaseMs, waitMs, limit },
    ...defined({ agents, signal }),
  });
  return { data };
};

/** The lease of an org's input reader. */
const inputReaderTimer = { kind: 'dispatch', id: '' } as const;

/** Starts dispatch in an org. It is off until it is used. Does nothing if it has begun, because its first input is fixed then. */
export async function beginDispatch(
  { store, clock, dispatch }: Context,
  { orgId, from }: { orgId: string; from: 'start' | 'now' },
): Promise<void> {
  if (dispatch.begun.has(orgId)) return;
  if (!(await store.getDocument({ orgId, ...inputReader }))) {
    const cursor = from === 'now' ? await store.headCursor() : logStart;
    const committed = await store.commit({
      orgId,
      documents: [{ ...inputReader, record: { cursor }, expected: null }],
      timers: [{ ...inputReaderTimer, dueAt: clock.now() }],
    });
    // A conflict means that another call has begun it meanwhile.
    if (committed.ok) dispatch.begun.set(orgId, dispatch.begin(orgId));
  }
  if (!dispatch.begun.has(orgId)) dispatch.begun.set(orgId, Promise.resolve());
}

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
      const now = context.clock.now();
      const decided = decidedOrThrow(decide(before.record, now));
      const change = await queueAndRunChange(context, caller.orgId, { ...decided, before }, now);
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

export const heartbeatBatch: Operation<'heartbeatBatch'> = (context, caller, input) =>
  changeBatch(context, caller, {
    verb: 'heartbeatBatch',
    input,
    decide: (queue, now) => heartbeat(queue, input, now),
    resultOf: (queue) => ({ leasedUntil: timestamp(queue?.batch?.until ?? 0) }),
  });

export const completeBatch: Operation<'completeBatch'> = (context, caller, input) =>
  changeBatch<FreeObject>(context, caller, {
    verb: 'completeBatch',
    input,
    decide: (queue) => complete(queue, input.workerId),
    resultOf: () => ({}),
  });

export const failBatch: Operation<'failBatch'> = (context, caller, input) =>
  changeBatch<FreeObject>(context, caller, {
    verb: 'failBatch',
    input,
    decide: (queue, now) => decideFail(queue, input, now),
    resultOf: () => ({}),
  });
