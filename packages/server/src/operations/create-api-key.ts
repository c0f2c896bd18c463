import { type CreateApiKey, type CreatedApiKey, fail, type Write } from '@holdpoint/protocol';
import type { Caller } from '../domain/caller.ts';
import { timestamp } from '../domain/state.ts';
import { hashApiKey, newApiKeySecret } from './api-key-secret.ts';
import type { Context } from './context.ts';
import { perform } from './perform.ts';

export function createApiKey(context: Context, caller: Caller, input: CreateApiKey & Write): Promise<CreatedApiKey> {
  return perform<CreatedApiKey>(context, caller, {
    verb: 'createApiKey',
    input,
    attempt: async () => {
      const { name, role } = input;
      const secret = newApiKeySecret();
      const record = { id: context.newId(), name, role, createdAt: timestamp(context.clock.now()) };
      return {
        change: { newApiKey: { orgId: caller.orgId, hash: hashApiKey(secret), record } },
        resource: { type: 'api-key', id: record.id },
        result: { ...record, secret },
      };
    },
    reload: async (id) =>
      (await context.store.getApiKey({ orgId: caller.orgId, id }))?.record ?? fail('key-not-found', 'It is gone.'),
  });
}
