import { type CreatedOrg, type CreateOrg, fail, limits, type Write } from '@holdpoint/protocol';
import type { Caller } from '../../domain/caller.ts';
import { timestamp } from '../../domain/state.ts';
import type { Context } from '../context.ts';
import { perform } from '../perform.ts';
import { newApiKey } from './api-keys.ts';

/** The org of the people who run this server, which is always there; its admins may make others. */
export const operatorOrg = 'default';

export function createOrg(context: Context, caller: Caller, input: CreateOrg & Write): Promise<CreatedOrg> {
  return perform<CreatedOrg>(context, caller, {
    verb: 'createOrg',
    input,
    attempt: async () => {
      if (caller.orgId !== operatorOrg) fail('forbidden', `Only an admin of the org ${operatorOrg} may make orgs.`);
      const { id } = input;
      if (id === operatorOrg || (await context.store.getOrg({ id })))
        fail('org-exists', `There is an org ${id} already.`, { current: { id } });
      const createdAt = timestamp(context.clock.now());
      const { secret, stored } = newApiKey(context, { orgId: id, name: 'first admin key', role: 'admin' });
      return {
        change: { newOrg: { id, createdAt }, newApiKey: stored },
        resource: { type: 'org', id },
        result: { id, createdAt, adminKey: { ...stored.record, secret } },
      };
    },
    reload: async (id) => (await context.store.getOrg({ id })) ?? fail('internal', 'The org is gone.'),
  });
}

/** Gives the operator's org an admin key where it has none that works; undefined where it has one. */
export async function firstAdminKey(context: Context): Promise<string | undefined> {
  const { items } = await context.store.listApiKeys({ orgId: operatorOrg, limit: limits.pageSize });
  if (items.some(({ role, revokedAt }) => role === 'admin' && revokedAt === undefined)) return undefined;
  const { secret, stored } = newApiKey(context, { orgId: operatorOrg, name: 'first admin key', role: 'admin' });
  await context.store.commit({ orgId: operatorOrg, newApiKey: stored });
  return secret;
}
