import { type BeginRun, type BegunRun, defined, HoldpointError, type Run, type Write } from '@holdpoint/protocol';
import { actorOf, type Caller } from '../../domain/caller.ts';
import { giveBack, heartbeat, type QueueDecided } from '../../domain/dispatch/batch-lease.ts';
import type { queueType, ThreadQueue } from '../../domain/dispatch/thread-queue.ts';
import { beginRun as begin } from '../../domain/runs/begin.ts';
import { restartRun as restart } from '../../domain/runs/end-and-wake.ts';
import { isOpen } from '../../domain/runs/transitions.ts';
import type { Document } from '../../stores/store.ts';
import type { Context } from '../context.ts';
import { loadQueue } from '../dispatch/batches.ts';
import { queueChange } from '../dispatch/queue-change.ts';
import { ofBatch, readInputEvents, toRunInputs } from '../dispatch/read-inputs.ts';
import { perform } from '../perform.ts';
import { loadThread } from '../threads.ts';
import { mergeChanges, runChange } from './run-change.ts';
import { lastRun, loadRun } from './runs.ts';

/** The run changes together with the queue, in one commit, so that a worker that has lost its lease begins nothing. */
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
      const queue = await loadQueue(context, caller, batchId);
      const { threadId, batch } = queue.record;
      const resource = { type: 'batch', id: batchId } as const;
      const [thread, last] = await Promise.all([
        store.getThread({ orgId, id: threadId }),
        lastRun(context, { orgId, threadId }),
      ]);
      const now = clock.now();
      const agent = last && isOpen(last) ? last.agent : thread?.agent;
      if (agent !== queue.record.agent) {
        const passedOn = withAgent(agent, giveBack(queue.record, workerId, now));
        return { change: changedQueue(queue, passedOn, now), resource, result: {} };
      }
      const kept = changedQueue(queue, heartbeat(queue.record, { workerId }, now), now);
      if (!batch || agent === undefined) return { change: kept, resource, result: {} };
      const events = await readInputEvents(store, { orgId, ...ofBatch(queue.record, batch) });
      const command = { id: newId(), threadId, agent, by: actorOf(caller), inputs: toRunInputs(events) };
      const begun = begin(last, command, now);
      if (!begun) return { change: kept, resource, result: {} };
      const { run } = begun;
      const change = await runChange(context, orgId, begun, run.id === last?.id ? last : undefined);
      return { change: mergeChanges(kept, change), resource, result: { run } };
    },
    reload: async () => ({}),
  });

  function changedQueue(before: Document<typeof queueType>, decided: QueueDecided, now: number) {
    if (!decided.ok) throw new HoldpointError(decided.fault);
    const { id, record } = before;
    return queueChange({ ...decided, id, threadId: record.threadId, before }, { now, newId });
  }
}

/** The thread has another agent since the batch was claimed, so the queue is for the workers of that agent. */
function withAgent(agent: string | undefined, decided: QueueDecided): QueueDecided {
  if (!decided.ok || !decided.queue) return decided;
  const { agent: _before, ...queue }: ThreadQueue = decided.queue;
  return { ...decided, queue: { ...queue, ...defined({ agent }) } };
}

export function restartRun(context: Context, caller: Caller, input: { runId: string } & Write): Promise<Run> {
  const { clock, newId } = context;
  return perform(context, caller, {
    verb: 'restartRun',
    input,
    attempt: async () => {
      const before = await loadRun(context, caller, input.runId);
      const { threadId } = before;
      const last = (await lastRun(context, { orgId: caller.orgId, threadId })) ?? before;
      const { agent } = await loadThread(context, caller, threadId);
      const decided = restart(before, { id: newId(), by: actorOf(caller), last, agent }, clock.now());
      if (!decided.ok) throw new HoldpointError(decided.fault);
      const { run } = decided;
      const change = await runChange(context, caller.orgId, decided, undefined);
      return { change, resource: { type: 'run', id: run.id }, result: run };
    },
    reload: (id) => loadRun(context, caller, id),
  });
}
