import { decide } from '../domain/decide.ts';
import { toChange } from './change-interaction.ts';
import type { Context } from './context.ts';

/** Called by the deadline timer. Whoever was faster, an answer or another node, has settled it: then nothing is left to do. */
export async function expireInteraction(
  { store, clock, newId }: Pick<Context, 'store' | 'clock' | 'newId'>,
  { orgId, id }: { orgId: string; id: string },
): Promise<void> {
  const state = (await store.getInteraction({ orgId, id })) ?? null;
  const decided = decide(state, { type: 'expire', answerId: newId() }, clock.now());
  if (decided.ok) await store.commit({ orgId, ...toChange(decided.outcome, state?.version ?? 0) });
}
