import type { Thread } from '@holdpoint/protocol';
import type { Caller } from '../domain/caller.ts';
import type { Context } from './context.ts';
import { loadThread } from './load.ts';
import { authorize } from './perform.ts';

export async function getThread(context: Context, caller: Caller, { threadId }: { threadId: string }): Promise<Thread> {
  authorize(caller, 'getThread');
  return loadThread(context, caller, threadId);
}
