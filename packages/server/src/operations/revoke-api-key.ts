import { type ApiKey, fail, type Write } from '@holdpoint/protocol';
import type { Caller } from '../domain/caller.ts';
import { timestamp } from '../domain/state.ts';
import type { Context } from './context.ts';
import { perform } from './perform.ts';

/** Revoking twice is the same as once. */
export function revokeApiKey(context: Context, caller: Caller, input: { keyId: string } & Write): Promise<ApiKey> {
  const load = async (id: string) =>
    (await context.store.getApiKey({ orgId: caller.orgId, id })) ?? fail('key-not-found', `There is no API key ${id}.`);
  return perform(context, caller, {
    verb: 'revokeApiKey',
    input,
    attempt: async () => {
      const stored = await load(input.keyId);
      const record: ApiKey = { revokedAt: timestamp(context.clock.now()), ...stored.record };
      return {
        change: { changedApiKey: { ...stored, record } },
        resource: { type: 'api-key', id: record.id },
        result: record,
      };
    },
    reload: async (id) => (await load(id)).record,
  });
}
