import { type Actor, type FreeObject, fail, type ReportTyping } from '@holdpoint/protocol';
import { actorOf, type Caller } from '../../domain/caller.ts';
import { extendByTyping } from '../../domain/dispatch/arrive.ts';
import { timestamp } from '../../domain/state.ts';
import type { Context } from '../context.ts';
import { authorize } from '../perform.ts';
import { retryOnConflict } from '../retry-on-conflict.ts';
import { loadThread } from '../threads.ts';
import { laneChange } from './lane-change.ts';

/** It is told to whoever follows. Of a person's nothing else is kept but that what waits in this thread waits longer. */
export async function reportTyping(
  context: Context,
  caller: Caller,
  { agentId, ...input }: { threadId: string } & ReportTyping,
): Promise<FreeObject> {
  authorize(caller, 'reportTyping');
  const { store, clock } = context;
  const { orgId } = caller;
  const { id: threadId } = await loadThread(context, caller, input.threadId);
  const actor = typist(caller, agentId);
  store.tell({ orgId, threadId, type: 'thread.typing', at: timestamp(clock.now()), actor, data: {} });
  if (agentId === undefined) await holdBack(context, orgId, threadId);
  return {};
}

/** An API key that names no agent speaks for a person, as it does when it answers. */
function typist(caller: Caller, agentId: string | undefined): Actor {
  if (caller.kind === 'key')
    return agentId ? { type: 'agent', id: agentId } : { type: 'human', id: `key:${caller.keyId}` };
  return agentId === undefined ? actorOf(caller) : fail('forbidden', 'A person types as themselves.');
}

async function holdBack({ store, clock, newId }: Context, orgId: string, threadId: string): Promise<void> {
  await retryOnConflict(async () => {
    const before = await store.getDocument({ orgId, type: 'lane', id: threadId });
    const now = clock.now();
    const lane = before && extendByTyping(before.record, now);
    if (!lane) return undefined;
    const changed = { id: threadId, threadId, before, lane };
    return store.commit({ orgId, ...laneChange(changed, { now, newId }) });
  });
}
