import { limits } from '@holdpoint/protocol';
import type { Context } from './context.ts';
import { operatorOrg } from './create-org.ts';
import { newApiKey } from './new-api-key.ts';

/** Gives the operator's org an admin key where it has none that works; undefined where it has one. */
export async function firstAdminKey(context: Context): Promise<string | undefined> {
  const { items } = await context.store.listApiKeys({ orgId: operatorOrg, limit: limits.pageSize });
  if (items.some(({ role, revokedAt }) => role === 'admin' && revokedAt === undefined)) return undefined;
  const { secret, stored } = newApiKey(context, { orgId: operatorOrg, name: 'first admin key', role: 'admin' });
  await context.store.commit({ orgId: operatorOrg, newApiKey: stored });
  return secret;
}
