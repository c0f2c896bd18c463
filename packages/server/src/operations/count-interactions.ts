import { type CountedInteractions, type InteractionCount, limits } from '@holdpoint/protocol';
import type { Caller } from '../domain/caller.ts';
import type { Context } from './context.ts';
import { withinReach } from './list-interactions.ts';
import { authorize } from './perform.ts';

export async function countInteractions(
  { store }: Context,
  caller: Caller,
  filter: InteractionCount,
): Promise<CountedInteractions> {
  authorize(caller, 'countInteractions');
  const of = withinReach(caller, filter);
  return store.countInteractions({ ...of, orgId: caller.orgId, limit: limits.counted });
}
