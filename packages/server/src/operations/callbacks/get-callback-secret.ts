import { type CallbackSecret, fail } from '@holdpoint/protocol';
import type { Caller } from '../../domain/caller.ts';
import type { Context } from '../context.ts';
import { authorize } from '../perform.ts';

/** Each key has its own, so that no agent can sign for another. */
export async function getCallbackSecret({ callbacks }: Context, caller: Caller): Promise<CallbackSecret> {
  authorize(caller, 'getCallbackSecret');
  if (caller.kind !== 'key') return fail('forbidden', 'Only keys have a secret for callbacks.');
  return { secret: callbacks.secretOf(caller) };
}
