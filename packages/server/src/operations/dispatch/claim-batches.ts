import type { Batch, ClaimBatches, StopSignal } from '@holdpoint/protocol';
import type { Caller } from '../../domain/caller.ts';
import { defaultLeaseMs } from '../../domain/dispatch/lease.ts';
import type { Context } from '../context.ts';
import { authorize } from '../perform.ts';
import { beginDispatch } from './begin-dispatch.ts';

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
    ...(agents ? { agents } : {}),
    ...(signal ? { signal } : {}),
  });
  return { data };
}
