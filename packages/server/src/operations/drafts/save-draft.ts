import { type Draft, limits, type SaveDraft } from '@holdpoint/protocol';
import { actorOf, type Caller } from '../../domain/caller.ts';
import { draftId, droppedAt, newDraft } from '../../domain/drafts.ts';
import type { Context } from '../context.ts';
import { checkJsonBounds } from '../invalid-input.ts';
import { loadInteraction } from '../load.ts';
import { orThrow, perform } from '../perform.ts';
import { getDraft } from './get-draft.ts';

/** The last one saved counts. It is no answer, and nobody is told of it. */
export function saveDraft(
  context: Context,
  caller: Caller,
  { interactionId, ...entered }: { interactionId: string } & SaveDraft,
): Promise<Draft> {
  const { store, clock } = context;
  const { orgId } = caller;
  return perform<Draft>(context, caller, {
    verb: 'saveDraft',
    input: {},
    attempt: async () => {
      const interaction = await loadInteraction(context, caller, interactionId);
      checkJsonBounds({ ...entered }, limits.valuesBytes);
      const id = draftId(interactionId, actorOf(caller));
      const before = await store.getDocument({ orgId, type: 'draft', id });
      const record = orThrow(newDraft(interaction, entered, clock.now()));
      return {
        change: {
          documents: [{ type: 'draft', id, record, expected: before?.revision ?? null }],
          timers: [{ kind: 'draft', id, dueAt: droppedAt(record) }],
        },
        resource: { type: 'interaction', id: interactionId },
        result: record,
      };
    },
    reload: (id) => getDraft(context, caller, { interactionId: id }),
  });
}
