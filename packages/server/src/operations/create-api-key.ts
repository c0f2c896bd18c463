import type { CreateApiKey, CreatedApiKey, Write } from '@holdpoint/protocol';
import type { Caller } from '../domain/caller.ts';
import type { Context } from './context.ts';
import { loadApiKey } from './load.ts';
import { newApiKey } from './new-api-key.ts';
import { perform } from './perform.ts';

/** A repeated call gets the key without its secret, which is shown once. */
export function createApiKey(context: Context, caller: Caller, input: CreateApiKey & Write): Promise<CreatedApiKey> {
  return perform<CreatedApiKey>(context, caller, {
    verb: 'createApiKey',
    input,
    attempt: async () => {
      const { secret, stored } = newApiKey(context, { orgId: caller.orgId, name: input.name, role: input.role });
      return {
        change: { newApiKey: stored },
        resource: { type: 'api-key', id: stored.record.id },
        result: { ...stored.record, secret },
      };
    },
    reload: async (id) => (await loadApiKey(context, caller, id)).record,
  });
}
