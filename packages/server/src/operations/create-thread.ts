import { type CreateThread, fail, type Thread, type Write } from '@holdpoint/protocol';
import { actorOf, type Caller } from '../domain/caller.ts';
import { timestamp } from '../domain/state.ts';
import type { Context } from './context.ts';
import { checkJsonBounds } from './invalid-input.ts';
import { loadThread } from './load.ts';
import { perform } from './perform.ts';

export function createThread(context: Context, caller: Caller, input: CreateThread & Write): Promise<Thread> {
  const { store, clock } = context;
  const { id: givenId, title, agent, metadata } = input;
  return perform(context, caller, {
    verb: 'createThread',
    input,
    attempt: async () => {
      checkJsonBounds({ metadata });
      if (givenId && (await store.getThread({ orgId: caller.orgId, id: givenId })))
        fail('thread-exists', `There is a thread ${givenId} already.`, { current: { id: givenId } });
      const at = timestamp(clock.now());
      const thread: Thread = {
        id: givenId ?? context.newId(),
        version: 1,
        ...(title === undefined ? {} : { title }),
        ...(agent === undefined ? {} : { agent }),
        ...(metadata === undefined ? {} : { metadata }),
        createdBy: actorOf(caller),
        createdAt: at,
        updatedAt: at,
      };
      const created = { type: 'thread.created', at, actor: thread.createdBy, data: { thread } } as const;
      return {
        change: { newThread: thread, log: { threadId: thread.id, events: [created] } },
        resource: { type: 'thread', id: thread.id },
        result: thread,
      };
    },
    reload: (id) => loadThread(context, caller, id),
  });
}
