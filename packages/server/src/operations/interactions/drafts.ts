import { type Draft, limits } from '@holdpoint/protocol';
import { draftId, droppedAt, newDraft, shownDraft } from '../../domain/drafts.ts';
import type { FireTimer, Operation } from '../context.ts';
import { checkJsonBounds } from '../invalid-input.ts';
import { orThrow, save } from '../perform.ts';
import { drafter } from '../responder.ts';
import { loadInteraction } from './interactions.ts';

export const getDraft: Operation<'getDraft'> = async (context, caller, { interactionId }) => {
  const interaction = await loadInteraction(context, caller, interactionId);
  const id = draftId(interactionId, await drafter(context, caller));
  return shownDraft(interaction, (await context.store.getDocument({ orgId: caller.orgId, type: 'draft', id }))?.record);
};

/** The last draft wins. A draft is no answer, and nobody is notified. */
export const saveDraft: Operation<'saveDraft'> = (context, caller, { interactionId, ...entered }) =>
  save<Draft>(context, caller, async () => {
    const interaction = await loadInteraction(context, caller, interactionId);
    checkJsonBounds({ ...entered }, limits.valuesBytes);
    const id = draftId(interactionId, await drafter(context, caller));
    const before = await context.store.getDocument({ orgId: caller.orgId, type: 'draft', id });
    const record = orThrow(newDraft(interaction, entered, context.clock.now()));
    return {
      change: {
        documents: [{ type: 'draft', id, record, expected: before?.revision ?? null }],
        timers: [{ kind: 'draft', id, dueAt: droppedAt(record) }],
      },
      result: record,
    };
  });

/** Deletes an abandoned draft. If it was saved meanwhile, that has moved its timer. */
export const expireDraft: FireTimer = async ({ store, clock }, { orgId, id }) => {
  const draft = await store.getDocument({ orgId, type: 'draft', id });
  if (draft && droppedAt(draft.record) > clock.now()) return;
  await store.commit({
    orgId,
    ...(draft ? { documents: [{ type: 'draft', id, record: null, expected: draft.revision }] } : {}),
    timers: [{ kind: 'draft', id, dueAt: null }],
  });
};
