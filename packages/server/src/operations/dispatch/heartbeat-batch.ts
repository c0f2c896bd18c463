import type { Heartbeat, Lease } from '@holdpoint/protocol';
import type { Caller } from '../../domain/caller.ts';
import { heartbeat } from '../../domain/dispatch/lease.ts';
import { timestamp } from '../../domain/state.ts';
import type { Context } from '../context.ts';
import { changeBatch } from './change-batch.ts';

export function heartbeatBatch(
  context: Context,
  caller: Caller,
  input: { batchId: string } & Heartbeat,
): Promise<Lease> {
  return changeBatch(context, caller, {
    verb: 'heartbeatBatch',
    input,
    decide: (lane, now) => heartbeat(lane, input, now),
    tell: (lane) => ({ leasedUntil: timestamp(lane?.batch?.until ?? 0) }),
  });
}
