/** Loads what a caller may see; what it may not see is not found. */
import { fail, type Grant, type Interaction, type Thread } from '@holdpoint/protocol';
import { type Caller, reachesInteraction, reachesThread } from '../domain/caller.ts';
import type { StoredApiKey } from '../stores/store.ts';
import type { Context } from './context.ts';

export async function loadThread({ store }: Context, caller: Caller, id: string): Promise<Thread> {
  const thread = reachesThread(caller, id) ? await store.getThread({ orgId: caller.orgId, id }) : undefined;
  return thread ?? fail('thread-not-found', `There is no thread ${id}.`);
}

export async function loadInteraction({ store }: Context, caller: Caller, id: string): Promise<Interaction> {
  const interaction = await store.getInteraction({ orgId: caller.orgId, id });
  if (interaction && reachesInteraction(caller, interaction)) return interaction;
  return noInteraction(id);
}

export const noInteraction = (id: string): never => fail('interaction-not-found', `There is no interaction ${id}.`);

export async function loadGrant({ store }: Context, { orgId }: Caller, id: string): Promise<Grant> {
  return (await store.getGrant({ orgId, id })) ?? fail('grant-not-found', `There is no grant ${id}.`);
}

export async function loadApiKey({ store }: Context, { orgId }: Caller, id: string): Promise<StoredApiKey> {
  return (await store.getApiKey({ orgId, id })) ?? fail('key-not-found', `There is no API key ${id}.`);
}
