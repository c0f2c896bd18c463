/** Threads. A thread outside the caller's scope is reported as not found. */
import { defined, fail, sameActor, type Thread } from '@holdpoint/protocol';
import { actorOf, type Caller, isClient, isThreadInScope } from '../domain/caller.ts';
import { currentRun } from '../domain/runs/run.ts';
import { updateThread as decide, newThread } from '../domain/thread.ts';
import type { Context, Operation } from './context.ts';
import { checkJsonBounds } from './invalid-input.ts';
import { orThrow, page, pageLimit, perform } from './perform.ts';
import { openRun } from './runs/runs.ts';

export const createThread: Operation<'createThread'> = (context, caller, input) => {
  const { id: givenId, title, agent, metadata } = input;
  return perform(context, caller, {
    verb: 'createThread',
    input,
    attempt: async () => {
      checkJsonBounds({ metadata });
      if (givenId && (await context.store.getThread({ orgId: caller.orgId, id: givenId })))
        fail('thread-exists', `The thread ${givenId} already exists.`, { current: { id: givenId } });
      const id = givenId ?? context.newId();
      const given = { id, ...defined({ title, agent, metadata }) };
      const change = newThread(given, { by: actorOf(caller), now: context.clock.now() });
      return { change, resource: { type: 'thread', id }, result: change.newThread };
    },
    reload: (id) => loadThread(context, caller, id),
  });
};

export const getThread: Operation<'getThread'> = (context, caller, { threadId }) =>
  loadThread(context, caller, threadId);

export const listThreads: Operation<'listThreads'> = async ({ store }, { orgId }, request) =>
  page(await store.listThreads({ ...request, orgId, limit: pageLimit(request.limit) }));

export const updateThread: Operation<'updateThread'> = (context, caller, input) =>
  perform(context, caller, {
    verb: 'updateThread',
    input,
    attempt: async () => {
      checkJsonBounds({ metadata: input.metadata });
      const before = await loadThread(context, caller, input.threadId);
      // Otherwise the answers of an open run would go to workers that do not know the run.
      const isMoved = input.agent !== undefined && input.agent !== (before.agent ?? null);
      const run = isMoved ? await openRun(context, { orgId: caller.orgId, threadId: before.id }) : undefined;
      if (run)
        fail('run-open', `Run ${run.id} of ${run.agent} is still open. Cancel it first.`, { current: currentRun(run) });
      const resource = { type: 'thread', id: before.id } as const;
      const updated = decide(before, input, { by: actorOf(caller), now: context.clock.now() });
      if (!updated) return { change: {}, resource, result: before };
      const { thread, event } = orThrow(updated);
      const changedThread = { record: thread, expectedVersion: before.version };
      return {
        change: { changedThread, log: { threadId: thread.id, events: [event] } },
        resource,
        result: thread,
      };
    },
    reload: (id) => loadThread(context, caller, id),
  });

export const readLog: Operation<'readLog'> = async (context, caller, { threadId, after = 0, ...input }) => {
  await loadThread(context, caller, threadId);
  const limit = pageLimit(input.limit);
  // One more event than the page takes shows whether this is the last page.
  const { items, next } = await context.store.readLog({ orgId: caller.orgId, threadId, after, limit: limit + 1 });
  const data = items.slice(0, limit);
  return { data, ...(next === undefined ? {} : { next: String(data.at(-1)?.seq) }) };
};

export async function loadThread({ store }: Context, caller: Caller, id: string): Promise<Thread> {
  const isInScope = isThreadInScope(caller, id);
  const thread = isInScope || isClient(caller) ? await store.getThread({ orgId: caller.orgId, id }) : undefined;
  // The client of a member sees the threads that the member has created.
  if (thread && (isInScope || (thread.createdBy && sameActor(thread.createdBy, actorOf(caller))))) return thread;
  return fail('thread-not-found', `There is no thread ${id}.`);
}
