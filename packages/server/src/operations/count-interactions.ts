import { type InteractionCount, limits } from '@holdpoint/protocol';
import type { Caller } from '../domain/caller.ts';
import type { Context } from './context.ts';
import { withinReach } from './list-interactions.ts';
import { authorize } from './perform.ts';

export async function countInteractions(
  { store }: Context,
  caller: Caller,
  filter: InteractionCount,
): Promise<{ count: number }> {
  authorize(caller, 'countInteractions');
  const of = withinReach(caller, filter);
  return { count: await store.countInteractions({ ...of, orgId: caller.orgId, limit: limits.counted }) };
}
