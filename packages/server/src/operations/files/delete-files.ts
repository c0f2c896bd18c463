/** Deletes files: the record, then the bytes, then the timer that would finish the deletion after a crash. */
import type { StoredFile } from '@holdpoint/protocol';
import type { Caller } from '../../domain/caller.ts';
import { threadFileId } from '../../domain/files/thread-files.ts';
import type { Change, Document, DocumentChange } from '../../stores/store.ts';
import type { Context } from '../context.ts';
import { perform } from '../perform.ts';
import { conflict, retryOnConflict } from '../retry-on-conflict.ts';
import { loadFile } from './read-files.ts';
import { discardBytes, orphanAfterMs } from './store-file.ts';

/** Answers that carry it keep its descriptor, which leads nowhere from now on. */
export async function deleteFile(
  context: Context,
  caller: Caller,
  { fileId }: { fileId: string },
): Promise<StoredFile> {
  const deleted = await perform(context, caller, {
    verb: 'deleteFile',
    input: {},
    attempt: async () => {
      const file = await loadFile(context, caller, fileId);
      const resource = { type: 'thread', id: file.record.threadId } as const;
      const removed = removedFile(file, context.clock.now());
      const documents = [...(removed.documents ?? []), ...(await listedName(context, caller, file.record))];
      return { change: { ...removed, documents }, resource, result: file.record };
    },
    reload: async (id) => (await loadFile(context, caller, id)).record,
  });
  await discardBytes(context, { orgId: caller.orgId, id: deleted.id });
  return deleted;
}

/** The name by which a file of a thread is listed goes with it. */
async function listedName(
  { store }: Context,
  { orgId }: Caller,
  { id, threadId, interactionId }: StoredFile,
): Promise<DocumentChange<'thread-file'>[]> {
  if (interactionId !== undefined) return [];
  const name = await store.getDocument({ orgId, type: 'thread-file', id: threadFileId(threadId, id) });
  return name ? [{ type: 'thread-file', id: name.id, record: null, expected: name.revision }] : [];
}

type Tools = Pick<Context, 'store' | 'clock' | 'blobs'>;

/**
 * Called when a file may be of no use any more: bytes without a record, a file that no answer has carried for a day, a
 * transient one whose run may have ended. An answer that comes meanwhile keeps it.
 */
export async function expireFile(context: Tools, { orgId, id }: { orgId: string; id: string }): Promise<void> {
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

const removedFile = ({ id, revision }: Document<'file'>, now: number): Pick<Change, 'documents' | 'timers'> => ({
  documents: [{ type: 'file', id, record: null, expected: revision }],
  timers: [{ kind: 'file', id, dueAt: now }],
});
