import type { EventFilter } from '@holdpoint/protocol';
import type { Caller } from '../domain/caller.ts';
import type { Context } from './context.ts';
import { loadInteraction, loadThread } from './load.ts';
import { authorize } from './perform.ts';

/** What of the log a caller may follow: what it asked for, narrowed to what it reaches. */
export async function openEvents(context: Context, caller: Caller, asked: EventFilter): Promise<EventFilter> {
  authorize(caller, 'openEvents');
  const reach = caller.kind === 'responder' ? caller.reach : undefined;
  const interactionId = asked.interactionId ?? reach?.interactionId;
  if (interactionId !== undefined) {
    const { id, threadId } = await loadInteraction(context, caller, interactionId);
    return { ...asked, interactionId: id, threadId };
  }
  const threadId = asked.threadId ?? reach?.threadId;
  if (threadId === undefined) return asked;
  return { ...asked, threadId: (await loadThread(context, caller, threadId)).id };
}
