import type { StoredFile } from '@holdpoint/protocol';
import type { Caller } from '../../domain/caller.ts';
import { threadFileId } from '../../domain/files/thread-files.ts';
import type { DocumentChange } from '../../stores/store.ts';
import type { Context } from '../context.ts';
import { perform } from '../perform.ts';
import { discardBytes, removedFile } from './discard.ts';
import { loadFile } from './load-file.ts';

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
