import type { DispatchSettings, Thread, UpdateDispatchSettings } from '@holdpoint/protocol';
import type { Caller } from '../../domain/caller.ts';
import { type DispatchOverrides, settingsOf, updateOverrides } from '../../domain/dispatch/settings.ts';
import type { Context } from '../context.ts';
import { perform } from '../perform.ts';
import { loadThread } from '../threads.ts';
import { beginDispatch } from './begin-dispatch.ts';
import { loadOverrides, settingsId } from './dispatch-settings.ts';

export async function updateDispatchSettings(
  context: Context,
  caller: Caller,
  input: { threadId?: string } & UpdateDispatchSettings,
): Promise<DispatchSettings> {
  const { threadId, from, ...update } = input;
  const { orgId } = caller;
  const inForce = async (record: DispatchOverrides, thread: Thread | undefined) => {
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
        result: await inForce(record, thread),
      };
    },
    reload: async () => settingsOf(),
  });
  // After the settings, so that the first inputs are already taken in by them.
  if (from !== undefined) await beginDispatch(context, { orgId, from });
  return updated;
}
