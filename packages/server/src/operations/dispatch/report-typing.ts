import { type Actor, fail } from '@holdpoint/protocol';
import { actorOf, type Caller } from '../../domain/caller.ts';
import { extendByTyping, queueType } from '../../domain/dispatch/thread-queue.ts';
import { timestamp } from '../../domain/state.ts';
import type { Context, Operation } from '../context.ts';
import { retryOnConflict } from '../retry-on-conflict.ts';
import { loadThread } from '../threads.ts';
import { queueChange } from './queue-change.ts';

/** Publishes an ephemeral event. If a person types, the waiting inputs of the thread also wait longer. */
export const reportTyping: Operation<'reportTyping'> = async (context, caller, { agentId, threadId }) => {
  const { orgId } = caller;
  await loadThread(context, caller, threadId);
  const actor = typist(caller, agentId);
  const at = timestamp(context.clock.now());
  context.store.publish({ orgId, threadId, type: 'thread.typing', at, actor, data: {} });
  if (agentId === undefined) await holdBack(context, orgId, threadId);
  return {};
};

/** An API key that names no agent acts for a person, as it does when it answers. */
function typist(caller: Caller, agentId: string | undefined): Actor {
  if (caller.kind === 'key')
    return agentId ? { type: 'agent', id: agentId } : { type: 'human', id: `key:${caller.keyId}` };
  return agentId === undefined ? actorOf(caller) : fail('forbidden', 'A person types as themselves.');
}

async function holdBack({ store, clock, newId }: Context, orgId: string, id: string): Promise<void> {
  await retryOnConflict(async () => {
    const before = await store.getDocument({ orgId, type: queueType, id });
    const now = clock.now();
    const queue = before && extendByTyping(before.record, now);
    return queue && store.commit({ orgId, ...queueChange({ before, queue }, { now, newId }) });
  });
}
