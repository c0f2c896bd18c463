import type { Draft } from '@holdpoint/protocol';
import { actorOf, type Caller } from '../../domain/caller.ts';
import { draftId, shownDraft } from '../../domain/drafts.ts';
import type { Context } from '../context.ts';
import { loadInteraction } from '../load.ts';
import { authorize } from '../perform.ts';

export async function getDraft(
  context: Context,
  caller: Caller,
  { interactionId }: { interactionId: string },
): Promise<Draft> {
  authorize(caller, 'getDraft');
  const interaction = await loadInteraction(context, caller, interactionId);
  const id = draftId(interactionId, actorOf(caller));
  return shownDraft(interaction, (await context.store.getDocument({ orgId: caller.orgId, type: 'draft', id }))?.record);
}
