import { type Callback, fail } from '@holdpoint/protocol';
import { shownCallback } from '../../domain/callbacks/stored-callback.ts';
import { type Caller, maySeeCallback } from '../../domain/caller.ts';
import type { Context } from '../context.ts';
import { loadInteraction } from '../load.ts';
import { authorize } from '../perform.ts';

export async function getCallback(
  context: Context,
  caller: Caller,
  { interactionId }: { interactionId: string },
): Promise<Callback> {
  authorize(caller, 'getCallback');
  const interaction = await loadInteraction(context, caller, interactionId);
  if (!maySeeCallback(caller, interaction))
    fail('forbidden', 'Only the key that asked, or an admin key, may see the callback of a question.');
  const found = await context.store.getDocument({ orgId: caller.orgId, type: 'callback', id: interactionId });
  return found
    ? shownCallback(interactionId, found.record)
    : fail('callback-not-found', 'This question has no callback.');
}
