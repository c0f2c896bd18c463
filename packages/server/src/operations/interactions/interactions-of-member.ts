/**
 * Lists and counts the interactions that a member may see. The store finds the pending ones by their assignees. It keeps no
 * assignees of closed ones, so those are examined one by one, a bounded number in each page.
 */
import type { CountedInteractions, Interaction, InteractionCount, InteractionFilter } from '@holdpoint/protocol';
import { defined, limits } from '@holdpoint/protocol';
import { type Caller, isClient, isInteractionInScope, type PersonCaller, seesWholeOrg } from '../../domain/caller.ts';
import { assigneesOf } from '../../domain/people/person.ts';
import { anyPerson, type Listing, type OfAssignees } from '../../stores/store.ts';
import type { Context } from '../context.ts';
import { invalidInput } from '../invalid-input.ts';
import { namesOfAbsent } from '../people/deputies.ts';

type Lists = Pick<Context, 'store' | 'clock'>;

/** The questions for a deputy include those for the absent people. */
const assigneesFor = async (context: Lists, caller: PersonCaller): Promise<string[]> => [
  ...new Set([...assigneesOf(caller.person), ...(await namesOfAbsent(context, caller))]),
];

/** Records that one call examines. Parsing that many takes about 20 ms. */
const examinedAtMost = 2_000;
const pageSize = 200;

/** Reports whether the caller is a person who sees only some questions of the org. */
export const isMember = (caller: Caller): caller is PersonCaller => caller.kind === 'person' && !seesWholeOrg(caller);

/**
 * Returns the filter for the store, if it can find exactly the interactions that the member may see. It does not know
 * those that the member's client has asked.
 */
function pendingOf<T extends InteractionCount>(
  caller: PersonCaller,
  own: readonly string[],
  { assignee, ...filter }: T,
): (Omit<T, 'assignee'> & OfAssignees & { status: 'pending' }) | undefined {
  if (isClient(caller)) return undefined;
  // Only pending interactions are found by their assignee.
  if ((filter.status ?? (assignee === undefined ? undefined : 'pending')) !== 'pending') return undefined;
  if (assignee === undefined) return { ...filter, status: 'pending', assignees: [...own, anyPerson] };
  return own.includes(assignee) ? { ...filter, status: 'pending', assignees: [assignee] } : undefined;
}

export async function listOfMember(
  context: Lists,
  caller: PersonCaller,
  filter: InteractionFilter & { limit: number },
): Promise<Listing<Interaction>> {
  const { orgId } = caller;
  const { store } = context;
  const pending = pendingOf(caller, await assigneesFor(context, caller), filter);
  if (pending) return store.listInteractions({ ...pending, orgId });
  const { cursor: first, limit, offset = 0, ...examined } = filter;
  if (offset > 0)
    throw invalidInput([
      { pointer: '/query/offset', code: 'not-allowed', message: 'Give status=pending, or use cursor instead.' },
    ]);
  const items: Interaction[] = [];
  let cursor = first;
  for (let left = examinedAtMost; left > 0; left -= pageSize) {
    const wanted = limit - items.length;
    // No larger than what is wanted, so that the page never ends between two examined records.
    const read = { ...examined, orgId, limit: Math.min(wanted, pageSize), ...defined({ cursor }) };
    const page = await store.listInteractions(read);
    items.push(...page.items.filter((item) => isInteractionInScope(caller, item)));
    cursor = page.next;
    if (cursor === undefined || items.length === limit) break;
  }
  return { items, ...(cursor === undefined ? {} : { next: cursor }) };
}

export async function countOfMember(
  context: Lists,
  caller: PersonCaller,
  filter: InteractionCount,
): Promise<CountedInteractions> {
  const { orgId } = caller;
  const { store } = context;
  const pending = pendingOf(caller, await assigneesFor(context, caller), filter);
  if (pending) return store.countInteractions({ ...pending, orgId, limit: limits.counted });
  let count = 0;
  let cursor: string | undefined;
  for (let left = examinedAtMost; left > 0; left -= pageSize) {
    const page = await store.listInteractions({ ...filter, orgId, limit: pageSize, ...defined({ cursor }) });
    count += page.items.filter((item) => isInteractionInScope(caller, item)).length;
    cursor = page.next;
    if (cursor === undefined) return { count };
  }
  return { count, isPartial: true };
}
