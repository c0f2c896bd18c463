import { type Actor, fail } from '@holdpoint/protocol';
import { actorOf, type Caller, identification } from '../../domain/caller.ts';
import { extendByTyping } from '../../domain/dispatch/thread-queue.ts';
import { timestamp } from '../../domain/state.ts';
import type { Operation } from '../context.ts';
import { loadThread } from '../threads.ts';
import { changeQueue } from './queue-change.ts';

/** Publishes an ephemeral event. If a person types, the waiting inputs of the thread also wait longer. */
export const reportTyping: Operation<'reportTyping'> = async (context, caller, { agentId, threadId }) => {
  const { orgId } = caller;
  await loadThread(context, caller, threadId);
  const actor = typist(caller, agentId);
  const at = timestamp(context.clock.now());
  context.store.publish({ orgId, threadId, type: 'thread.typing', at, actor, data: {} });
  if (agentId === undefined)
    await changeQueue(context, { orgId, id: threadId }, (queue, now) => queue && extendByTyping(queue, now));
  return {};
};

/** An API key that names no agent acts for a person, as it does when it answers. */
function typist(caller: Caller, agentId: string | undefined): Actor {
  if (caller.kind === 'key')
    return {
      ...(agentId
        ? ({ type: 'agent', id: agentId } as const)
        : ({ type: 'human', id: `key:${caller.keyId}` } as const)),
      ...identification(caller),
    };
  return agentId === undefined
    ? actorOf(caller)
    : fail('forbidden', 'A person can report only their own typing. Leave out agentId.');
}
