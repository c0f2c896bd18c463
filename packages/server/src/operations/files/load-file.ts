/** Loads a file that a caller may see: one of an interaction that it reaches, or of a thread, and for a session only one of its own. */
import { fail, type StoredFile } from '@holdpoint/protocol';
import { type Caller, mayReadFileOf, reachesInteraction, reachesWholeThread } from '../../domain/caller.ts';
import type { Document } from '../../stores/store.ts';
import type { Context } from '../context.ts';

export async function loadFile({ store }: Context, caller: Caller, id: string): Promise<Document<'file'>> {
  const { orgId } = caller;
  const file = await store.getDocument({ orgId, type: 'file', id });
  if (file && mayReadFileOf(caller, file.record) && (await isReached(store, caller, file.record))) return file;
  return fail('file-not-found', `There is no file ${id}.`);
}

async function isReached(
  store: Context['store'],
  caller: Caller,
  { threadId, interactionId }: StoredFile,
): Promise<boolean> {
  if (interactionId === undefined) return reachesWholeThread(caller, threadId);
  const interaction = await store.getInteraction({ orgId: caller.orgId, id: interactionId });
  return interaction !== undefined && reachesInteraction(caller, interaction);
}
