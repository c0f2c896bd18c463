/** Publishes who is viewing a question. Nothing is stored, and a page that reports often publishes only now and then. */
import type { Actor } from '@holdpoint/protocol';
import { actorOf, type Caller, identification } from '../../domain/caller.ts';
import { timestamp } from '../../domain/state.ts';
import type { Operation } from '../context.ts';
import { loadInteraction } from './interactions.ts';

export const reportViewing: Operation<'reportViewing'> = async (context, caller, { interactionId, isViewing }) => {
  const by = viewer(caller);
  const { threadId } = await loadInteraction(context, caller, interactionId);
  const { orgId } = caller;
  const now = context.clock.now();
  if (!context.viewings.isNews(JSON.stringify([orgId, interactionId, by.type, by.id]), isViewing, now)) return {};
  const data = { interactionId, by, isViewing };
  context.store.publish({ orgId, threadId, type: 'interaction.viewing', at: timestamp(now), actor: by, data });
  return {};
};

/** An admin key acts for a person, as it does when it answers. */
function viewer(caller: Caller): Actor {
  if (caller.kind !== 'key') return actorOf(caller);
  return { type: 'human', id: `key:${caller.keyId}`, ...identification(caller) };
}
