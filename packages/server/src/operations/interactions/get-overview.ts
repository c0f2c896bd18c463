import { limits, type Overview, type OverviewQuery } from '@holdpoint/protocol';
import type { Caller } from '../../domain/caller.ts';
import { firstIdAt, OverviewSum, pastEveryId, spanOf } from '../../domain/overview.ts';
import type { Context } from '../context.ts';
import { authorize } from '../perform.ts';

const defaultHours = 24;
/** Small enough that one step delays no other org for long, even if each record fills several database pages. */
const pageSize = 500;

export async function getOverview(
  { store, clock }: Context,
  caller: Caller,
  { hours = defaultHours }: OverviewQuery,
): Promise<Overview> {
  authorize(caller, 'getOverview');
  const { orgId } = caller;
  const pending = { orgId, status: 'pending' } as const;
  const [{ count }, { items: oldest }] = await Promise.all([
    store.countInteractions({ ...pending, limit: limits.counted }),
    store.listInteractions({ ...pending, order: 'oldest', limit: 1 }),
  ]);
  const span = spanOf(hours, clock.now());
  const sum = new OverviewSum(span);
  const from = firstIdAt(span.startsAt);
  let before = pastEveryId;
  let left: number = limits.overviewInteractions;
  let isPartial = false;
  while (true) {
    // The last page has one more than is summed up, to see if there are more.
    const page = await store.listOutcomes({ orgId, from, before, limit: Math.min(pageSize, left + 1) });
    isPartial = page.length > left;
    for (const outcome of page.slice(0, left)) sum.add(outcome);
    left -= page.length;
    const last = page.at(-1);
    if (!last || page.length < pageSize || left < 0) break;
    before = last.id;
  }
  return {
    pending: count,
    ...(oldest[0] ? { oldestPendingAt: oldest[0].createdAt } : {}),
    hours,
    isPartial,
    buckets: sum.buckets(),
  };
}
