/** Deletes files: the record, then the bytes, then the timer that would finish the deletion after a crash. */
import type { StoredFile } from '@holdpoint/protocol';
import type { Caller } from '../../domain/caller.ts';
import type { Document, DocumentChange } from '../../stores/documents.ts';
import type { Context, FireTimer, Operation } from '../context.ts';
import { save } from '../perform.ts';
import { conflict, retryOnConflict } from '../retry-on-conflict.ts';
import { loadFile, threadFileId } from './read-files.ts';
import { discardBytes, orphanAfterMs } from './store-file.ts';

/** Answers that carry the file keep its descriptor, whose URL returns 404 from then on. */
export const deleteFile: Operation<'deleteFile'> = async (context, caller, { fileId }) => {
  const deleted = await save(context, caller, async () => {
    const file = await loadFile(context, caller, fileId);
    const removed = removedFile(file, context.clock.now());
    const documents = [...removed.documents, ...(await listedName(context, caller, file.record))];
    return { change: { ...removed, documents }, result: file.record };
  });
  await discardBytes(context, { orgId: caller.orgId, id: deleted.id });
  return deleted;
};

/** Removes the name by which a thread lists the file. */
async function listedName(
  { store }: Context,
  { orgId }: Caller,
  { id, threadId, interactionId }: StoredFile,
): Promise<DocumentChange[]> {
  if (interactionId !== undefined) return [];
  const name = await store.getDocument({ orgId, type: 'thread-file', id: threadFileId(threadId, id) });
  return name ? [{ type: 'thread-file', id: name.id, record: null, expected: name.revision }] : [];
}

/**
 * Called when a file may be unused: bytes without a record, a file that no answer has carried for a day, or a transient
 * one whose run may have ended. An answer that comes meanwhile keeps it.
 */
export const expireFile: FireTimer<'blobs'> = async (context, { orgId, id }) => {
  const { store, clock } = context;
  await retryOnConflict(async () => {
    const file = await store.getDocument({ orgId, type: 'file', id });
    if (!file) return discardBytes(context, { orgId, id });
    const dueAt = await nextCheck(context, orgId, file);
    const change =
      dueAt === 'now' ? removedFile(file, clock.now()) : { timers: [{ kind: 'file', id, dueAt } as const] };
    const committed = await store.commit({ orgId, ...change });
    if (!committed.ok) return committed;
    // After the removal, the next attempt deletes the bytes. The run may also have ended since its state was read: then
    // this commit has overwritten the timer of that end.
    return dueAt === 'now' || (await nextCheck(context, orgId, file)) === 'now' ? conflict : undefined;
  });
};

/** Returns when to check the file again. Null: never. */
async function nextCheck(
  { store, clock }: Pick<Context, 'store' | 'clock'>,
  orgId: string,
  { record }: Document<'file'>,
): Promise<number | 'now' | null> {
  const { interactionId: id, isAnswered, retention, at } = record;
  const now = clock.now();
  if (id === undefined) return null;
  if (!isAnswered) {
    const dueAt = Date.parse(at) + orphanAfterMs;
    return dueAt <= now ? 'now' : dueAt;
  }
  if (retention === 'persistent') return null;
  const asking = (await store.getInteraction({ orgId, id }))?.run;
  const run = asking && (await store.getRun({ orgId, id: asking.id }));
  if (!run) return null;
  // The end of the run sets this timer. A check once a day until then costs little.
  return run.endedAt === undefined ? now + orphanAfterMs : 'now';
}

const removedFile = ({ id, revision }: Document<'file'>, now: number) => ({
  documents: [{ type: 'file', id, record: null, expected: revision } as const],
  timers: [{ kind: 'file', id, dueAt: now } as const],
});
