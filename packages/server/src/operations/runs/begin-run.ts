import { type BeginRun, type BegunRun, HoldpointError } from '@holdpoint/protocol';
import { actorOf, type Caller } from '../../domain/caller.ts';
import type { Lane } from '../../domain/dispatch/lane.ts';
import { giveBack, heartbeat, type LaneDecided } from '../../domain/dispatch/lease.ts';
import { beginRun as decide } from '../../domain/runs/begin.ts';
import { isOpen } from '../../domain/runs/transitions.ts';
import type { Document } from '../../stores/store.ts';
import type { Context } from '../context.ts';
import { loadLane } from '../dispatch/change-batch.ts';
import { laneChange } from '../dispatch/lane-change.ts';
import { ofBatch, readInputEvents, toRunInputs } from '../dispatch/read-inputs.ts';
import { perform } from '../perform.ts';
import { lastRun } from './load-run.ts';
import { runChange, together } from './run-change.ts';

/** Fenced by the lease: the run changes together with the lane, in one change, or not at all. */
export function beginRun(
  context: Context,
  caller: Caller,
  { batchId, workerId }: { batchId: string } & BeginRun,
): Promise<BegunRun> {
  const { store, clock, newId } = context;
  const { orgId } = caller;
  return perform(context, caller, {
    verb: 'beginRun',
    input: {},
    attempt: async () => {
      const lane = await loadLane(context, caller, batchId);
      const { threadId, batch } = lane.record;
      const resource = { type: 'batch', id: batchId } as const;
      const [thread, last] = await Promise.all([
        store.getThread({ orgId, id: threadId }),
        lastRun(context, { orgId, threadId }),
      ]);
      const now = clock.now();
      const agent = last && isOpen(last) ? last.agent : thread?.agent;
      if (agent !== lane.record.agent) {
        const passedOn = inLaneOf(agent, giveBack(lane.record, workerId, now));
        return { change: changedLane(lane, passedOn, now), resource, result: {} };
      }
      const kept = changedLane(lane, heartbeat(lane.record, { workerId }, now), now);
      if (!batch || agent === undefined) return { change: kept, resource, result: {} };
      const events = await readInputEvents(store, { orgId, ...ofBatch(lane.record, batch) });
      const command = { id: newId(), threadId, agent, by: actorOf(caller), inputs: toRunInputs(events) };
      const begun = decide(last, command, now);
      if (!begun) return { change: kept, resource, result: {} };
      const { run } = begun;
      const change = await runChange(context, orgId, begun, run.id === last?.id ? last : undefined);
      return { change: together(kept, change), resource, result: { run } };
    },
    reload: async () => ({}),
  });

  function changedLane(before: Document<'lane'>, decided: LaneDecided, now: number) {
    if (!decided.ok) throw new HoldpointError(decided.fault);
    const { id, record } = before;
    return laneChange({ ...decided, id, threadId: record.threadId, before }, { now, newId });
  }
}

/** The thread has another agent than when the batch was claimed: it is for the workers of that one. */
function inLaneOf(agent: string | undefined, decided: LaneDecided): LaneDecided {
  if (!decided.ok || !decided.lane) return decided;
  const { agent: _before, ...lane }: Lane = decided.lane;
  return { ...decided, lane: { ...lane, ...(agent === undefined ? {} : { agent }) } };
}
