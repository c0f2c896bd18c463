import type { FreeObject } from '@holdpoint/protocol';
import type { Caller } from '../../domain/caller.ts';
import { extendByTyping } from '../../domain/dispatch/arrive.ts';
import type { Context } from '../context.ts';
import { loadThread } from '../load.ts';
import { authorize } from '../perform.ts';
import { laneChange, maxTries } from './lane-change.ts';

/** Nothing of it is kept but that what waits in this thread waits longer. */
export async function reportTyping(context: Context, caller: Caller, input: { threadId: string }): Promise<FreeObject> {
  authorize(caller, 'reportTyping');
  const { store, clock, newId } = context;
  const { orgId } = caller;
  const { id: threadId } = await loadThread(context, caller, input.threadId);
  for (let tries = 0; tries < maxTries; tries++) {
    const before = await store.getDocument({ orgId, type: 'lane', id: threadId });
    const now = clock.now();
    const lane = before && extendByTyping(before.record, now);
    if (!lane) break;
    const changed = { id: threadId, threadId, expected: before.revision, lane };
    if ((await store.commit({ orgId, ...laneChange(changed, { now, newId }) })).ok) break;
  }
  return {};
}
