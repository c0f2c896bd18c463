import type { FailBatch, FreeObject, Write } from '@holdpoint/protocol';
import type { Caller } from '../../domain/caller.ts';
import { failBatch as decideFail } from '../../domain/dispatch/lease.ts';
import type { Context } from '../context.ts';
import { changeBatch } from './change-batch.ts';

export function failBatch(
  context: Context,
  caller: Caller,
  input: { batchId: string } & FailBatch & Write,
): Promise<FreeObject> {
  return changeBatch(context, caller, {
    verb: 'failBatch',
    input,
    decide: (lane, now) => decideFail(lane, input, now),
    tell: () => ({}),
  });
}
