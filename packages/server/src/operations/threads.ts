/** Threads. A thread outside the caller's scope is reported as not found. */
import {
  type CreateThread,
  fail,
  type LogEvent,
  type Page,
  type PageRequest,
  type Thread,
  type UpdateThread,
  type Write,
} from '@holdpoint/protocol';
import { actorOf, type Caller, reachesThread } from '../domain/caller.ts';
import { currentRun } from '../domain/runs/run.ts';
import { isOpen } from '../domain/runs/transitions.ts';
import { timestamp } from '../domain/state.ts';
import { updateThread as decide } from '../domain/update-thread.ts';
import type { Context } from './context.ts';
import { checkJsonBounds } from './invalid-input.ts';
import { authorize, orThrow, page, pageLimit, perform } from './perform.ts';
import { lastRun } from './runs/runs.ts';

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

export async function getThread(context: Context, caller: Caller, { threadId }: { threadId: string }): Promise<Thread> {
  authorize(caller, 'getThread');
  return loadThread(context, caller, threadId);
}

export async function listThreads({ store }: Context, caller: Caller, request: PageRequest): Promise<Page<Thread>> {
  authorize(caller, 'listThreads');
  return page(await store.listThreads({ ...request, orgId: caller.orgId, limit: pageLimit(request.limit) }));
}

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

export async function readLog(
  context: Context,
  caller: Caller,
  input: { threadId: string; after?: number; limit?: number },
): Promise<Page<LogEvent>> {
  authorize(caller, 'readLog');
  const { id: threadId } = await loadThread(context, caller, input.threadId);
  const limit = pageLimit(input.limit);
  const after = input.after ?? 0;
  // One more than asked for tells whether this is the last page.
  const { items, next } = await context.store.readLog({ orgId: caller.orgId, threadId, after, limit: limit + 1 });
  const data = items.slice(0, limit);
  return { data, ...(next === undefined ? {} : { next: String(data.at(-1)?.seq) }) };
}

export async function loadThread({ store }: Context, caller: Caller, id: string): Promise<Thread> {
  const thread = reachesThread(caller, id) ? await store.getThread({ orgId: caller.orgId, id }) : undefined;
  return thread ?? fail('thread-not-found', `There is no thread ${id}.`);
}
