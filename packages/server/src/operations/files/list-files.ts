import type { Page, StoredFile } from '@holdpoint/protocol';
import type { Caller } from '../../domain/caller.ts';
import { cursorOf, listedAfter } from '../../domain/files/thread-files.ts';
import type { Context } from '../context.ts';
import { loadThread } from '../load.ts';
import { pageLimit } from '../page.ts';
import { authorize } from '../perform.ts';

/** Files that were attached to a thread, the newest first. */
export async function listFiles(
  context: Context,
  caller: Caller,
  { threadId, cursor, limit: asked }: { threadId: string; cursor?: string; limit?: number },
): Promise<Page<StoredFile>> {
  authorize(caller, 'listFiles');
  const { orgId } = caller;
  const { store } = context;
  await loadThread(context, caller, threadId);
  const limit = pageLimit(asked);
  const after = listedAfter(threadId, cursor);
  // One more than wanted shows whether more files of this thread follow.
  const { items } = await store.listDocuments({ orgId, type: 'thread-file', cursor: after, limit: limit + 1 });
  const listed = items.filter(({ id }) => cursorOf(threadId, id) !== undefined);
  const own = listed.slice(0, limit);
  const found = await Promise.all(
    own.map(({ record }) => store.getDocument({ orgId, type: 'file', id: record.fileId })),
  );
  const data = found.flatMap((file) => (file ? [file.record] : []));
  const last = own.at(-1);
  const place = last && listed.length > limit ? cursorOf(threadId, last.id) : undefined;
  return { data, ...(place === undefined ? {} : { next: place }) };
}
