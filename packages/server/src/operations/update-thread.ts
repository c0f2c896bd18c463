import { fail, type Thread, type UpdateThread, type Write } from '@holdpoint/protocol';
import { actorOf, type Caller } from '../domain/caller.ts';
import { currentRun } from '../domain/runs/run.ts';
import { isOpen } from '../domain/runs/transitions.ts';
import { updateThread as decide } from '../domain/update-thread.ts';
import type { Context } from './context.ts';
import { checkJsonBounds } from './invalid-input.ts';
import { loadThread } from './load.ts';
import { orThrow, perform } from './perform.ts';
import { lastRun } from './runs/load-run.ts';

export function updateThread(
  context: Context,
  caller: Caller,
  input: { threadId: string } & UpdateThread & Write,
): Promise<Thread> {
  return perform(context, caller, {
    verb: 'updateThread',
    input,
    attempt: async () => {
      checkJsonBounds({ metadata: input.metadata });
      const before = await loadThread(context, caller, input.threadId);
      if (input.agent !== undefined && input.agent !== (before.agent ?? null)) await refuseWhileOpen(before);
      const resource = { type: 'thread', id: before.id } as const;
      const updated = decide(before, input, { by: actorOf(caller), now: context.clock.now() });
      if (!updated) return { change: {}, resource, result: before };
      const { thread, event } = orThrow(updated);
      return {
        change: {
          changedThread: { record: thread, expectedVersion: before.version },
          log: { threadId: thread.id, events: [event] },
        },
        resource,
        result: thread,
      };
    },
    reload: (id) => loadThread(context, caller, id),
  });

  /** Its answers would be handed to workers that know nothing of it. */
  async function refuseWhileOpen({ id: threadId }: Thread): Promise<void> {
    const run = await lastRun(context, { orgId: caller.orgId, threadId });
    if (run && isOpen(run))
      fail('run-open', `Run ${run.id} of ${run.agent} is not over; cancel it first.`, { current: currentRun(run) });
  }
}
