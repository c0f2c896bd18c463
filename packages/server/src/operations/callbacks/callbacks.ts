import { type Callback, type CallbackSecret, fail } from '@holdpoint/protocol';
import { newCallback, shownCallback } from '../../domain/callbacks/callback.ts';
import { type Caller, maySeeCallback } from '../../domain/caller.ts';
import type { Change } from '../../stores/store.ts';
import type { Context } from '../context.ts';
import { loadInteraction } from '../interactions/interactions.ts';
import { invalidInput } from '../invalid-input.ts';
import { authorize } from '../perform.ts';

export async function getCallback(
  context: Context,
  caller: Caller,
  { interactionId }: { interactionId: string },
): Promise<Callback> {
  authorize(caller, 'getCallback');
  const interaction = await loadInteraction(context, caller, interactionId);
  if (!maySeeCallback(caller, interaction))
    fail('forbidden', 'Only the key that asked, or an admin key, may see the callback of a question.');
  const found = await context.store.getDocument({ orgId: caller.orgId, type: 'callback', id: interactionId });
  return found
    ? shownCallback(interactionId, found.record)
    : fail('callback-not-found', 'This question has no callback.');
}

/** Each key has its own secret, so that no agent can sign for another. */
export async function getCallbackSecret({ callbacks }: Context, caller: Caller): Promise<CallbackSecret> {
  authorize(caller, 'getCallbackSecret');
  if (caller.kind !== 'key') return fail('forbidden', 'Only keys have a secret for callbacks.');
  return { secret: callbacks.secretOf(caller) };
}

/** Checks the address like that of a webhook. Returns the callback to save with the question that has this id. */
export async function callbackOf(
  { webhooks }: Context,
  caller: Caller,
  url: string | undefined,
): Promise<(interactionId: string) => Pick<Change, 'documents'>> {
  if (url === undefined || caller.kind !== 'key') return () => ({});
  const problem = await webhooks.checkUrl(url, caller.orgId);
  if (problem) throw invalidInput([{ ...problem, pointer: '/callbackUrl' }]);
  const record = newCallback(url, caller.keyId);
  return (id) => ({ documents: [{ type: 'callback', id, record, expected: null }] });
}
