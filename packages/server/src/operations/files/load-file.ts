/** Loads a file that a caller may see: one of an interaction that it reaches. */
import { fail } from '@holdpoint/protocol';
import { type Caller, reachesInteraction } from '../../domain/caller.ts';
import type { Document } from '../../stores/store.ts';
import type { Context } from '../context.ts';

export async function loadFile({ store }: Context, caller: Caller, id: string): Promise<Document<'file'>> {
  const { orgId } = caller;
  const file = await store.getDocument({ orgId, type: 'file', id });
  const interaction = file && (await store.getInteraction({ orgId, id: file.record.interactionId }));
  if (file && interaction && reachesInteraction(caller, interaction)) return file;
  return fail('file-not-found', `There is no file ${id}.`);
}
