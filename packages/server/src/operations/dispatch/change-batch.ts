/** What heartbeat, complete and fail share: decide on the lane that has the batch, and save the outcome. */
import { fail, HoldpointError } from '@holdpoint/protocol';
import type { Caller, Verb } from '../../domain/caller.ts';
import type { Lane } from '../../domain/dispatch/lane.ts';
import type { LaneDecided } from '../../domain/dispatch/lease.ts';
import type { Document } from '../../stores/store.ts';
import type { Context } from '../context.ts';
import { perform } from '../perform.ts';
import { laneAndRunChange } from '../runs/give-up-run.ts';

export interface BatchChange<T> {
  verb: Verb;
  input: { batchId: string; idempotencyKey?: string };
  decide(lane: Lane, now: number): LaneDecided;
  /** What the caller is told; of a repeated call, that it was done. */
  tell(lane: Lane | undefined): T;
}

export function changeBatch<T>(
  context: Context,
  caller: Caller,
  { verb, input, decide, tell }: BatchChange<T>,
): Promise<T> {
  const { batchId } = input;
  return perform(context, caller, {
    verb,
    input,
    attempt: async () => {
      const before = await loadLane(context, caller, batchId);
      const { id, record } = before;
      const now = context.clock.now();
      const decided = decide(record, now);
      if (!decided.ok) throw new HoldpointError(decided.fault);
      const changed = { ...decided, id, threadId: record.threadId, before };
      const change = await laneAndRunChange(context, caller.orgId, changed, now);
      return { change, resource: { type: 'batch', id: batchId }, result: tell(decided.lane) };
    },
    reload: async () => tell(undefined),
  });
}

export async function loadLane({ store }: Context, { orgId }: Caller, batchId: string): Promise<Document<'lane'>> {
  const found = await store.findDocument({ orgId, type: 'lane', alias: batchId });
  return found ?? fail('batch-not-found', `There is no batch ${batchId}.`);
}
