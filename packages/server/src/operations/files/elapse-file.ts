import type { StoredFile } from '@holdpoint/protocol';
import type { Document } from '../../stores/store.ts';
import type { Context } from '../context.ts';
import { conflict, retryOnConflict } from '../retry-on-conflict.ts';
import { discardBytes, removedFile } from './discard.ts';
import { orphanAfterMs } from './store-file.ts';

type Tools = Pick<Context, 'store' | 'clock' | 'blobs'>;

/**
 * Called when a file may be of no use any more: bytes without a record, a file that no answer has carried for a day, a
 * transient one whose run may have ended. An answer that comes meanwhile keeps it.
 */
export async function elapseFile(context: Tools, { orgId, id }: { orgId: string; id: string }): Promise<void> {
  const { store, clock } = context;
  await retryOnConflict(async () => {
    const file = await store.getDocument({ orgId, type: 'file', id });
    if (!file) return discardBytes(context, { orgId, id });
    const dueAt = await nextLook(context, orgId, file);
    const change =
      dueAt === 'now' ? removedFile(file, clock.now()) : { timers: [{ kind: 'file', id, dueAt } as const] };
    const committed = await store.commit({ orgId, ...change });
    if (!committed.ok) return committed;
    // After the removal, the next attempt deletes the bytes. And the run may have ended since its state was read: then
    // this commit has overwritten the timer of that end.
    return dueAt === 'now' || (await nextLook(context, orgId, file)) === 'now' ? conflict : undefined;
  });
}

/** When to look at it again; null: never. */
async function nextLook(
  { store, clock }: Tools,
  orgId: string,
  { record }: Document<'file'>,
): Promise<number | 'now' | null> {
  const now = clock.now();
  if (record.interactionId === undefined) return null;
  if (!record.isAnswered) {
    const dueAt = Date.parse(record.at) + orphanAfterMs;
    return dueAt <= now ? 'now' : dueAt;
  }
  if (record.retention === 'persistent') return null;
  const run = await runOf({ store }, orgId, record);
  if (!run) return null;
  // Its end sets this timer; meanwhile a look now and then costs little.
  return run.endedAt === undefined ? now + orphanAfterMs : 'now';
}

async function runOf({ store }: Pick<Context, 'store'>, orgId: string, { interactionId }: StoredFile) {
  const interaction =
    interactionId === undefined ? undefined : await store.getInteraction({ orgId, id: interactionId });
  return interaction?.run ? store.getRun({ orgId, id: interaction.run.id }) : undefined;
}
