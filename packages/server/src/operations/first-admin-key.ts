import { limits } from '@holdpoint/protocol';
import { timestamp } from '../domain/state.ts';
import { hashApiKey, newApiKeySecret } from './api-key-secret.ts';
import type { Context } from './context.ts';
import { operatorOrg } from './create-org.ts';

/** Gives the operator's org an admin key where it has none that works; undefined where it has one. */
export async function firstAdminKey({ store, clock, newId }: Context): Promise<string | undefined> {
  const { items } = await store.listApiKeys({ orgId: operatorOrg, limit: limits.pageSize });
  if (items.some(({ role, revokedAt }) => role === 'admin' && revokedAt === undefined)) return undefined;
  const secret = newApiKeySecret();
  const record = { id: newId(), name: 'first admin key', role: 'admin', createdAt: timestamp(clock.now()) } as const;
  await store.commit({ orgId: operatorOrg, newApiKey: { orgId: operatorOrg, hash: hashApiKey(secret), record } });
  return secret;
}
