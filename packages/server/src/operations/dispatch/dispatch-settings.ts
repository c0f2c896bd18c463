/** Loads, shows and changes the dispatch settings of an org or a thread. */
import { defined, jsonEqual, type Thread } from '@holdpoint/protocol';
import { actorOf } from '../../domain/caller.ts';
import { type DispatchOverrides, settingsOf, updateOverrides } from '../../domain/dispatch/thread-queue.ts';
import type { Document } from '../../stores/documents.ts';
import type { Store } from '../../stores/store.ts';
import type { Operation } from '../context.ts';
import { adminEvent } from '../people/admin-log.ts';
import { save } from '../perform.ts';
import { loadThread } from '../threads.ts';
import { beginDispatch } from './batches.ts';

const settingsId = (threadId?: string): string => (threadId === undefined ? 'org' : `thread ${threadId}`);

/** Loads the settings of the org, or those of one thread. */
export const loadOverrides = (
  { store }: { store: Pick<Store, 'getDocument'> },
  { orgId, threadId }: { orgId: string; threadId?: string | undefined },
): Promise<Document<'dispatch-settings'> | undefined> =>
  store.getDocument({ orgId, type: 'dispatch-settings', id: settingsId(threadId) });

export const getDispatchSettings: Operation<'getDispatchSettings'> = async (context, caller, { threadId }) => {
  const { orgId } = caller;
  const hasAgent = threadId !== undefined && (await loadThread(context, caller, threadId)).agent !== undefined;
  const org = await loadOverrides(context, { orgId });
  const thread = threadId === undefined ? undefined : await loadOverrides(context, { orgId, threadId });
  return settingsOf({ org: org?.record, thread: thread?.record, hasAgent });
};

export const updateDispatchSettings: Operation<'updateDispatchSettings'> = async (context, caller, input) => {
  const { threadId, from, ...update } = input;
  const { orgId } = caller;
  const effective = async (record: DispatchOverrides, thread: Thread | undefined) => {
    if (!thread) return settingsOf({ org: record });
    const org = (await loadOverrides(context, { orgId }))?.record;
    return settingsOf({ org, thread: record, hasAgent: thread.agent !== undefined });
  };
  const updated = await save(context, caller, async () => {
    const thread = threadId === undefined ? undefined : await loadThread(context, caller, threadId);
    const before = await loadOverrides(context, { orgId, threadId });
    const record = updateOverrides(before?.record ?? {}, update);
    const expected = before?.revision ?? null;
    const result = await effective(record, thread);
    if (from === undefined && jsonEqual(record, before?.record ?? {})) return { change: {}, result };
    const event = adminEvent(context, actorOf(caller), {
      type: 'dispatch.updated',
      subject: thread
        ? { type: 'thread', id: thread.id, ...defined({ name: thread.title }) }
        : { type: 'org', id: orgId },
      data: { changed: { ...update, ...defined({ from }) } },
    });
    return {
      change: { documents: [{ type: 'dispatch-settings', id: settingsId(threadId), record, expected }, event] },
      result,
    };
  });
  // After the settings, so that they apply to the first inputs.
  if (from !== undefined) await beginDispatch(context, { orgId, from });
  return updated;
};
