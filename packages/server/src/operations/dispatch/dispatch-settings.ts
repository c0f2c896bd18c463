/** Loads, shows and changes the dispatch settings of an org or a thread. */

import type { DispatchSettings, Thread, UpdateDispatchSettings } from '@holdpoint/protocol';
import type { Caller } from '../../domain/caller.ts';
import { type DispatchOverrides, settingsOf, updateOverrides } from '../../domain/dispatch/settings.ts';
import type { Document, Store } from '../../stores/store.ts';
import type { Context } from '../context.ts';
import { authorize, perform } from '../perform.ts';
import { loadThread } from '../threads.ts';
import { beginDispatch } from './claim-batches.ts';

const settingsId = (threadId?: string): string => (threadId === undefined ? 'org' : `thread ${threadId}`);

type Tools = { store: Pick<Store, 'getDocument'> };

/** The settings that were made for the org, or for one thread. */
export const loadOverrides = (
  { store }: Tools,
  { orgId, threadId }: { orgId: string; threadId?: string | undefined },
): Promise<Document<'dispatch-settings'> | undefined> =>
  store.getDocument({ orgId, type: 'dispatch-settings', id: settingsId(threadId) });

export async function getDispatchSettings(
  context: Context,
  caller: Caller,
  { threadId }: { threadId?: string },
): Promise<DispatchSettings> {
  authorize(caller, 'getDispatchSettings');
  const { orgId } = caller;
  const hasAgent = threadId !== undefined && (await loadThread(context, caller, threadId)).agent !== undefined;
  const org = await loadOverrides(context, { orgId });
  const thread = threadId === undefined ? undefined : await loadOverrides(context, { orgId, threadId });
  return settingsOf({ org: org?.record, thread: thread?.record, hasAgent });
}

export async function updateDispatchSettings(
  context: Context,
  caller: Caller,
  input: { threadId?: string } & UpdateDispatchSettings,
): Promise<DispatchSettings> {
  const { threadId, from, ...update } = input;
  const { orgId } = caller;
  const effective = async (record: DispatchOverrides, thread: Thread | undefined) => {
    if (!thread) return settingsOf({ org: record });
    const org = (await loadOverrides(context, { orgId }))?.record;
    return settingsOf({ org, thread: record, hasAgent: thread.agent !== undefined });
  };
  const updated = await perform(context, caller, {
    verb: 'updateDispatchSettings',
    input: {},
    attempt: async () => {
      const thread = threadId === undefined ? undefined : await loadThread(context, caller, threadId);
      const before = await loadOverrides(context, { orgId, threadId });
      const record = updateOverrides(before?.record ?? {}, update);
      const id = settingsId(threadId);
      return {
        change: { documents: [{ type: 'dispatch-settings', id, record, expected: before?.revision ?? null }] },
        resource: { type: 'dispatch-settings', id },
        result: await effective(record, thread),
      };
    },
    reload: async () => settingsOf(),
  });
  // After the settings, so that they hold for the first inputs.
  if (from !== undefined) await beginDispatch(context, { orgId, from });
  return updated;
}
