import { type Actor, type FreeObject, fail, type ReportTyping } from '@holdpoint/protocol';
import { actorOf, type Caller } from '../../domain/caller.ts';
import { extendByTyping, queueType } from '../../domain/dispatch/thread-queue.ts';
import { timestamp } from '../../domain/state.ts';
import type { Context } from '../context.ts';
import { authorize } from '../perform.ts';
import { retryOnConflict } from '../retry-on-conflict.ts';
import { loadThread } from '../threads.ts';
import { queueChange } from './queue-change.ts';

/** Publishes an ephemeral event. If a person types, the waiting inputs of the thread also wait longer. */
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
  store.publish({ orgId, threadId, type: 'thread.typing', at: timestamp(clock.now()), actor, data: {} });
  if (agentId === undefined) await holdBack(context, orgId, threadId);
  return {};
}

/** An API key that names no agent acts for a person, as it does when it answers. */
function typist(caller: Caller, agentId: string | undefined): Actor {
  if (caller.kind === 'key')
    return agentId ? { type: 'agent', id: agentId } : { type: 'human', id: `key:${caller.keyId}` };
  return agentId === undefined ? actorOf(caller) : fail('forbidden', 'A person types as themselves.');
}

async function holdBack({ store, clock, newId }: Context, orgId: string, threadId: string): Promise<void> {
  await retryOnConflict(async () => {
    const before = await store.getDocument({ orgId, type: queueType, id: threadId });
    const now = clock.now();
    const queue = before && extendByTyping(before.record, now);
    if (!queue) return undefined;
    const changed = { id: threadId, threadId, before, queue };
    return store.commit({ orgId, ...queueChange(changed, { now, newId }) });
  });
}
