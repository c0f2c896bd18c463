import { droppedAt } from '../../domain/drafts.ts';
import type { Context } from '../context.ts';

/** Drops a draft that nobody came back to; one that was saved meanwhile has its timer moved by that. */
export async function elapseDraft(
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
