/** Reads interactions, and waits for one. An interaction outside the caller's scope is reported as not found. */
import { fail, type Interaction, type InteractionCount, limits } from '@holdpoint/protocol';
import { type Caller, isInteractionInScope, isThreadInScope, seesWholeOrg } from '../../domain/caller.ts';
import { OverviewSum, pastEveryId, spanOf } from '../../domain/overview.ts';
import { firstIdAt } from '../../domain/state.ts';
import type { Context, Operation } from '../context.ts';
import { namesOfAbsent } from '../people/deputies.ts';
import { page, pageLimit } from '../perform.ts';
import { Wait } from '../wait.ts';
import { countOfMember, isMember, listOfMember } from './interactions-of-member.ts';

export const getInteraction: Operation<'getInteraction'> = (context, caller, { interactionId }) =>
  loadInteraction(context, caller, interactionId);

/** Returns the interaction as JSON, as it is stored. It is parsed only to check the scope of a caller that has one. */
export async function getInteractionText(
  context: Context,
  caller: Caller,
  { interactionId: id }: { interactionId: string },
): Promise<string> {
  const text = await context.store.getInteractionText({ orgId: caller.orgId, id });
  const isSeen = text !== undefined && (seesWholeOrg(caller) || (await isInScope(context, caller, JSON.parse(text))));
  return isSeen ? text : noInteraction(id);
}

export const listInteractions: Operation<'listInteractions'> = async (context, caller, filter) => {
  const { store } = context;
  const limit = pageLimit(filter.limit);
  const { orgId } = caller;
  if (isMember(caller)) return page(await listOfMember(context, caller, { ...filter, limit }));
  return page(await store.listInteractions({ ...withinScope(caller, filter), orgId, limit }));
};

/** Narrows a filter to the thread of a token, or to the assignee of an inbox. */
function withinScope<T extends InteractionCount>(caller: Caller, filter: T): T {
  if (caller.kind !== 'responder') return filter;
  const { scope, responderId } = caller;
  if ('inbox' in scope) return { ...filter, assignee: responderId };
  const threadId = filter.threadId ?? scope.threadId;
  if (!isThreadInScope(caller, threadId)) fail('thread-not-found', `There is no thread ${threadId}.`);
  return { ...filter, threadId };
}

export const countInteractions: Operation<'countInteractions'> = async (context, caller, filter) =>
  isMember(caller)
    ? countOfMember(context, caller, filter)
    : context.store.countInteractions({ ...withinScope(caller, filter), orgId: caller.orgId, limit: limits.counted });

const defaultHours = 24;
/** Small enough that one step delays no other org for long, even if each record fills several database pages. */
const pageSize = 500;

export const getOverview: Operation<'getOverview'> = async ({ store, clock }, { orgId }, { hours = defaultHours }) => {
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
    // The last page has one more interaction than is summed up, which shows whether there are more.
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
};

export const waitForInteraction: Operation<'waitForInteraction'> = (context, caller, input) =>
  new InteractionWait(context, caller, input.interactionId).result(input);

class InteractionWait extends Wait<Interaction> {
  protected override topic(): string {
    return this.id;
  }

  protected override load(): Promise<Interaction> {
    return loadInteraction(this.context, this.caller, this.id);
  }

  protected override isSettled({ status }: Interaction): boolean {
    return status !== 'pending';
  }
}

export async function loadInteraction({ store, clock }: Context, caller: Caller, id: string): Promise<Interaction> {
  const interaction = await store.getInteraction({ orgId: caller.orgId, id });
  if (!interaction) return noInteraction(id);
  return (await isInScope({ store, clock }, caller, interaction)) ? interaction : noInteraction(id);
}

/** Returns a record that the caller has just changed, even if it may no longer see it. */
export const loadUnscoped = async ({ store }: Context, { orgId }: Caller, id: string): Promise<Interaction> =>
  (await store.getInteraction({ orgId, id })) ?? noInteraction(id);

/** Reports whether a caller may see a question. A deputy also sees what names the absent person. */
export async function isInScope(
  context: Pick<Context, 'store' | 'clock'>,
  caller: Caller,
  interaction: Interaction,
): Promise<boolean> {
  if (isInteractionInScope(caller, interaction)) return true;
  const { assignees } = interaction.responder;
  if (caller.kind !== 'person' || !assignees) return false;
  const names = await namesOfAbsent(context, caller);
  return names.some((name) => assignees.includes(name));
}

const noInteraction = (id: string): never => fail('interaction-not-found', `There is no interaction ${id}.`);
