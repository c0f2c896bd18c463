import type { CompleteBatch, FreeObject, Write } from '@holdpoint/protocol';
import type { Caller } from '../../domain/caller.ts';
import { complete } from '../../domain/dispatch/lease.ts';
import type { Context } from '../context.ts';
import { changeBatch } from './change-batch.ts';

export function completeBatch(
  context: Context,
  caller: Caller,
  input: { batchId: string } & CompleteBatch & Write,
): Promise<FreeObject> {
  return changeBatch(context, caller, {
    verb: 'completeBatch',
    input,
    decide: (lane) => complete(lane, input.workerId),
    tell: () => ({}),
  });
}
