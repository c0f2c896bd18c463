import { decide } from '../domain/decide.ts';
import { toChange } from './change-interaction.ts';
import type { Context } from './context.ts';
import { withDigest } from './digest-of.ts';
import { retryOnConflict } from './retry-on-conflict.ts';

/**
 * Called when something of it falls due. Where an answer or another node was faster, nothing is left to do; a vote that
 * came in between is no reason to be late.
 */
export async function elapseInteraction(
  { store, clock, newId }: Pick<Context, 'store' | 'clock' | 'newId'>,
  { orgId, id }: { orgId: string; id: string },
): Promise<void> {
  await retryOnConflict(async () => {
    const state = (await store.getInteraction({ orgId, id })) ?? null;
    const decided = decide(state && withDigest(state), { type: 'elapse', answerId: newId() }, clock.now());
    return decided.ok ? store.commit({ orgId, ...toChange(decided.outcome, state) }) : undefined;
  });
}
