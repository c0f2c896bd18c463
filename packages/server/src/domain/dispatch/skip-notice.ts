/** What the thread is told when inputs are given up. It is no input itself. */
import type { Message } from '@holdpoint/protocol';
import type { NewEvent } from '../command.ts';
import { systemActor, timestamp } from '../state.ts';
import type { LaneBatch } from './lane.ts';

export interface Skipped {
  id: string;
  threadId: string;
  batch: LaneBatch;
  reason: string;
}

export function skipNotice(
  { id, threadId, batch, reason }: Skipped,
  now: number,
): { message: Message; event: NewEvent } {
  const by = systemActor('dispatch');
  const at = timestamp(now);
  const tries = batch.attempts === 1 ? 'one attempt' : `${batch.attempts} attempts`;
  const text = `What was said or answered here could not be worked on. It was given up after ${tries}.`;
  const { id: batchId, fromSeq, toSeq, attempts } = batch;
  const message: Message = {
    id,
    threadId,
    role: 'system',
    blocks: [{ type: 'message', payload: { text, format: 'plain' } }],
    by,
    at,
    metadata: { dispatch: { batchId, fromSeq, toSeq, attempts, reason } },
  };
  return { message, event: { type: 'message.created', at, actor: by, data: { message } } };
}
