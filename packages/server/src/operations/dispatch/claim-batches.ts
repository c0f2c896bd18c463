import { type Batch, type ClaimBatches, defined, type StopSignal } from '@holdpoint/protocol';
import type { Caller } from '../../domain/caller.ts';
import { defaultLeaseMs } from '../../domain/dispatch/batch-lease.ts';
import { inputReader } from '../../domain/dispatch/inputs.ts';
import type { Context } from '../context.ts';
import { logStart } from '../follow-events.ts';
import { authorize } from '../perform.ts';

const defaultWaitMs = 10_000;

export async function claimBatches(
  context: Context,
  caller: Caller,
  {
    workerId,
    agents,
    leaseMs = defaultLeaseMs,
    waitMs = defaultWaitMs,
    limit = 1,
    signal,
  }: ClaimBatches & { signal?: StopSignal },
): Promise<{ data: Batch[] }> {
  authorize(caller, 'claimBatches');
  const { orgId } = caller;
  await beginDispatch(context, { orgId, from: 'start' });
  // Without this a first claim that does not wait would return before anything is ready (DI13).
  await context.dispatch.begun.get(orgId);
  const data = await context.dispatch.claim({
    ...{ orgId, workerId, leaseMs, waitMs, limit },
    ...defined({ agents, signal }),
  });
  return { data };
}

/** The lease of an org's input reader. */
const inputReaderTimer = { kind: 'dispatch', id: '' } as const;

/** Starts dispatch in an org, where it is off until it is used. Does nothing if it has begun: its first input is settled then. */
export async function beginDispatch(
  { store, clock, dispatch }: Pick<Context, 'store' | 'clock' | 'dispatch'>,
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
