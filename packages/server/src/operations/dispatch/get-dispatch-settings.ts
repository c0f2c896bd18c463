import type { DispatchSettings } from '@holdpoint/protocol';
import type { Caller } from '../../domain/caller.ts';
import { settingsOf } from '../../domain/dispatch/settings.ts';
import type { Context } from '../context.ts';
import { authorize } from '../perform.ts';
import { loadThread } from '../threads.ts';
import { loadOverrides } from './dispatch-settings.ts';

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
