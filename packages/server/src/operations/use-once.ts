import { HoldpointError } from '@holdpoint/protocol';
import type { Caller } from '../domain/caller.ts';
import type { Context } from './context.ts';
import { perform } from './perform.ts';

/**
 * True for the first call with this name, on whatever node, and false for all others. The name is kept as an idempotency
 * key, after a space, which no caller can send in one; each use is another call, and so a second is refused.
 */
export async function useOnce(
  context: Context,
  caller: Caller,
  { name, interactionId }: { name: string; interactionId: string },
): Promise<boolean> {
  const resource = { type: 'interaction', id: interactionId } as const;
  try {
    return await perform(context, caller, {
      verb: 'waitForInteraction',
      input: { idempotencyKey: `once ${name}`, ...{ use: context.newId() } },
      attempt: async () => ({ change: {}, resource, result: true }),
      reload: async () => true,
    });
  } catch (error) {
    if (error instanceof HoldpointError && error.code === 'idempotency-key-reused') return false;
    throw error;
  }
}
