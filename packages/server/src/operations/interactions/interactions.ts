/** Reads interactions. An interaction outside the caller's scope is reported as not found. */
import {
  type CountedInteractions,
  fail,
  type Interaction,
  type InteractionCount,
  type InteractionFilter,
  limits,
  type Page,
} from '@holdpoint/protocol';
import { type Caller, reachesInteraction, reachesThread } from '../../domain/caller.ts';
import type { Context } from '../context.ts';
import { authorize, page, pageLimit } from '../perform.ts';

interface GetInput {
  interactionId: string;
}

export async function getInteraction(
  context: Context,
  caller: Caller,
  { interactionId }: GetInput,
): Promise<Interaction> {
  authorize(caller, 'getInteraction');
  return loadInteraction(context, caller, interactionId);
}

/** The same as JSON. To a key, which reaches all of its org, the record is handed on as it is stored. */
export async function getInteractionText(context: Context, caller: Caller, input: GetInput): Promise<string> {
  if (caller.kind !== 'key') return JSON.stringify(await getInteraction(context, caller, input));
  authorize(caller, 'getInteraction');
  const { interactionId: id } = input;
  return (await context.store.getInteractionText({ orgId: caller.orgId, id })) ?? noInteraction(id);
}

export async function listInteractions(
  { store }: Context,
  caller: Caller,
  filter: InteractionFilter,
): Promise<Page<Interaction>> {
  authorize(caller, 'listInteractions');
  const limit = pageLimit(filter.limit);
  return page(await store.listInteractions({ ...withinScope(caller, filter), orgId: caller.orgId, limit }));
}

/** What was asked for, narrowed to the thread that a token reaches, or to what waits for the person. */
function withinScope<T extends InteractionCount>(caller: Caller, filter: T): T {
  if (caller.kind === 'key') return filter;
  const { reach, responderId } = caller;
  if ('inbox' in reach) return { ...filter, assignee: responderId };
  const threadId = filter.threadId ?? reach.threadId;
  if (!reachesThread(caller, threadId)) fail('thread-not-found', `There is no thread ${threadId}.`);
  return { ...filter, threadId };
}

export async function countInteractions(
  { store }: Context,
  caller: Caller,
  filter: InteractionCount,
): Promise<CountedInteractions> {
  authorize(caller, 'countInteractions');
  const of = withinScope(caller, filter);
  return store.countInteractions({ ...of, orgId: caller.orgId, limit: limits.counted });
}

export async function loadInteraction({ store }: Context, caller: Caller, id: string): Promise<Interaction> {
  const interaction = await store.getInteraction({ orgId: caller.orgId, id });
  if (interaction && reachesInteraction(caller, interaction)) return interaction;
  return noInteraction(id);
}

const noInteraction = (id: string): never => fail('interaction-not-found', `There is no interaction ${id}.`);
