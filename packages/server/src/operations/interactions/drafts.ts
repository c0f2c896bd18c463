import { type Draft, limits, type SaveDraft } from '@holdpoint/protocol';
import { actorOf, type Caller } from '../../domain/caller.ts';
import { draftId, droppedAt, newDraft, shownDraft } from '../../domain/drafts.ts';
import type { Context } from '../context.ts';
import { checkJsonBounds } from '../invalid-input.ts';
import { authorize, orThrow, perform } from '../perform.ts';
import { loadInteraction } from './interactions.ts';

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

/** Drops a draft that nobody came back to; one that was saved meanwhile has its timer moved by that. */
export async function expireDraft(
  { store, clock }: Pick<Context, 'store' | 'clock'>,
  { orgId, id }: { orgId: string; id: string },
): Promise<void> {
  const draft = await store.getDocument({ orgId, type: 'draft', id });
  if (draft && droppedAt(draft.record) > clock.now()) return;
  await store.commit({
    orgId,
    ...(draft ? { documents: [{ type: 'draft', id, record: null, expected: draft.revision }] } : {}),
    timers: [{ kind: 'draft', id, dueAt: null }],
  });
}
