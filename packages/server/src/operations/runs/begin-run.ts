import { type BegunRun, defined } from '@holdpoint/protocol';
import { actorOf } from '../../domain/caller.ts';
import { giveBack, heartbeat, type QueueDecided } from '../../domain/dispatch/batch-lease.ts';
import type { ThreadQueue } from '../../domain/dispatch/thread-queue.ts';
import { isOpen } from '../../domain/runs/run.ts';
import { beginRun as begin } from '../../domain/runs/start-and-end.ts';
import type { Operation } from '../context.ts';
import { loadQueue } from '../dispatch/batches.ts';
import { queueChange } from '../dispatch/queue-change.ts';
import { ofBatch, readInputEvents, toRunInputs } from '../dispatch/read-inputs.ts';
import { decidedOrThrow, save } from '../perform.ts';
import { mergeChanges, runChange } from './run-change.ts';
import { lastRun } from './runs.ts';

/** The run changes together with the queue, in one commit, so that a worker that has lost its lease begins nothing. */
export const beginRun: Operation<'beginRun'> = (context, caller, { batchId, workerId }) => {
  const { store, clock, newId } = context;
  const { orgId } = caller;
  return save<BegunRun>(context, caller, async () => {
    const before = await loadQueue(context, caller, batchId);
    const queue = before.record;
    const { threadId, batch } = queue;
    const [thread, last] = await Promise.all([
      store.getThread({ orgId, id: threadId }),
      lastRun(context, { orgId, threadId }),
    ]);
    const now = clock.now();
    const changed = (decided: QueueDecided) => queueChange({ ...decidedOrThrow(decided), before }, { now, newId });
    const agent = last && isOpen(last) ? last.agent : thread?.agent;
    if (agent !== queue.agent) return { change: changed(withAgent(agent, giveBack(queue, workerId, now))), result: {} };
    const kept = changed(heartbeat(queue, { workerId }, now));
    if (!batch || agent === undefined) return { change: kept, result: {} };
    const events = await readInputEvents(store, { orgId, ...ofBatch(queue, batch) });
    const command = { id: newId(), threadId, agent, by: actorOf(caller), inputs: toRunInputs(events) };
    const begun = begin(last, command, now);
    if (!begun) return { change: kept, result: {} };
    const { run } = begun;
    const change = await runChange(context, orgId, begun, run.id === last?.id ? last : undefined);
    return { change: mergeChanges(kept, change), result: { run } };
  });
};

/** The thread has another agent since the batch was claimed, so the queue is for the workers of that agent. */
function withAgent(agent: string | undefined, decided: QueueDecided): QueueDecided {
  if (!decided.ok || !decided.queue) return decided;
  const { agent: _before, ...queue }: ThreadQueue = decided.queue;
  return { ...decided, queue: { ...queue, ...defined({ agent }) } };
}
