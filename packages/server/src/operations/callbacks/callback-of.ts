import { newCallback } from '../../domain/callbacks/stored-callback.ts';
import type { Caller } from '../../domain/caller.ts';
import type { Change } from '../../stores/store.ts';
import type { Context } from '../context.ts';
import { invalidInput } from '../invalid-input.ts';

/** What is saved with a question that has a callback, once its address has been checked as that of a webhook is. */
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
