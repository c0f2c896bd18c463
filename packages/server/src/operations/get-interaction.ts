import type { Interaction } from '@holdpoint/protocol';
import type { Caller } from '../domain/caller.ts';
import type { Context } from './context.ts';
import { loadInteraction, noInteraction } from './load.ts';
import { authorize } from './perform.ts';

interface GetInput {
  interactionId: string;
}

export async function getInteraction(
  context: Context,
  caller: Caller,
  { interactionId }: GetInput,
): Promise<Interaction> {
  authorize(caller, 'getInteraction');
  return loadInteraction(context, caller, interactionId);
}

/** The same as JSON. To a key, which reaches all of its org, the record is handed on as it is stored. */
export async function getInteractionText(context: Context, caller: Caller, input: GetInput): Promise<string> {
  if (caller.kind !== 'key') return JSON.stringify(await getInteraction(context, caller, input));
  authorize(caller, 'getInteraction');
  const { interactionId: id } = input;
  return (await context.store.getInteractionText({ orgId: caller.orgId, id })) ?? noInteraction(id);
}
