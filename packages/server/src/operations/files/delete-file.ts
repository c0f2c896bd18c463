import type { StoredFile } from '@holdpoint/protocol';
import type { Caller } from '../../domain/caller.ts';
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
      const resource = { type: 'interaction', id: file.record.interactionId } as const;
      return { change: removedFile(file, context.clock.now()), resource, result: file.record };
    },
    reload: async (id) => (await loadFile(context, caller, id)).record,
  });
  await discardBytes(context, { orgId: caller.orgId, id: deleted.id });
  return deleted;
}
