import type { Thread, UpdateThread, Write } from '@holdpoint/protocol';
import { actorOf, type Caller } from '../domain/caller.ts';
import { updateThread as decide } from '../domain/update-thread.ts';
import type { Context } from './context.ts';
import { checkJsonBounds } from './invalid-input.ts';
import { loadThread } from './load.ts';
import { orThrow, perform } from './perform.ts';

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
}
