import type { Interaction } from '@holdpoint/protocol';
import type { Caller } from '../domain/caller.ts';
import type { Context } from './context.ts';
import { loadInteraction } from './load.ts';
import { authorize } from './perform.ts';

export async function getInteraction(
  context: Context,
  caller: Caller,
  { interactionId }: { interactionId: string },
): Promise<Interaction> {
  authorize(caller, 'getInteraction');
  return loadInteraction(context, caller, interactionId);
}
