import { fail } from '@holdpoint/protocol';
import { newCallback, shownCallback } from '../../domain/callbacks/callback.ts';
import { type Caller, isRequesterOrAdmin } from '../../domain/caller.ts';
import type { Context, Operation } from '../context.ts';
import { loadInteraction } from '../interactions/interactions.ts';
import { invalidInput } from '../invalid-input.ts';
import type { OrgChange } from '../perform.ts';

export const getCallback: Operation<'getCallback'> = async (context, caller, { interactionId }) => {
  const interaction = await loadInteraction(context, caller, interactionId);
  if (!isRequesterOrAdmin(caller, interaction))
    fail('forbidden', 'Only the key that asked, or an admin key, may see the callback of a question.');
  const found = await context.store.getDocument({ orgId: caller.orgId, type: 'callback', id: interactionId });
  return found
    ? shownCallback(interactionId, found.record)
    : fail('callback-not-found', 'This question has no callback.');
};

/** Each key has its own secret, so that no agent can sign for another. */
export const getCallbackSecret: Operation<'getCallbackSecret'> = async ({ callbacks }, caller) =>
  caller.kind === 'key'
    ? { secret: callbacks.secretOf(caller) }
    : fail('forbidden', 'Only keys have a secret for callbacks.');

/** Checks the address like that of a webhook. Returns the callback to save with the question that has this id. */
export async function callbackOf(
  { webhooks }: Context,
  caller: Caller,
  url: string | undefined,
): Promise<(interactionId: string) => Pick<OrgChange, 'documents'>> {
  if (url === undefined || caller.kind !== 'key') return () => ({});
  const problem = await webhooks.checkUrl(url, caller.orgId);
  if (problem) throw invalidInput([{ ...problem, pointer: '/callbackUrl' }]);
  const record = newCallback(url, caller.keyId);
  return (id) => ({ documents: [{ type: 'callback', id, record, expected: null }] });
}
